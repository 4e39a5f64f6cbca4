import type { FindingData, LineData, PolicyCheck, QuorumProgress, SignerReview } from './library.ts';

// Data of each kind that a finding or a line can have: a table of words has to take all of it.

type Findings = { readonly [Check in PolicyCheck]: readonly [FindingData[Check], ...FindingData[Check][]] };
type Lines = { readonly [Key in keyof LineData]: readonly [LineData[Key], ...LineData[Key][]] };

const wallet = '"Familie" 73c5da0a';
const origin = '[73c5da0a/84h/0h/0h/1/0]';
const NOTHING = [{}] as const;
const BLOCK = 600;

const FAULTS = (
  [
    'coin',
    'key',
    'internal-key',
    'share',
    'no-proof',
    'proof',
    'script',
    'receivers',
    'input',
    'no-key',
    'sighash',
    'modifiable',
  ] as const
).flatMap((reason) => [{ fault: { reason, inputIndex: 1 } }, { fault: { reason } }]);
const SILENT = [{ fault: { reason: 'share' } }, ...FAULTS] as const;
const HASH_TYPES = [
  { sighashType: 1 },
  ...[0, 2, 3, 0x81, 0x82, 0x83].map((sighashType) => ({ sighashType })),
] as const;

const NAME_FAULTS = [
  ...(['name', 'none', 'several', 'uri', 'malformed', 'size', 'work', 'unsupported'] as const),
  ...(['missing', 'unsigned', 'signature', 'key', 'key-tag', 'wildcard', 'denial', 'alias'] as const),
];
const WINDOW = { from: 1_796_000_000, until: 1_797_206_400 };

export const FINDING_SAMPLES: Findings = {
  'change-refuted': [
    { reason: 'other-key', origin },
    { reason: 'key-outside', origin },
    { reason: 'not-alone', origin },
    { reason: 'other-address', origin },
    { reason: 'among-others', origin },
    { reason: 'scan-key' },
    { reason: 'no-script', wallet, origin },
    { reason: 'other-script', wallet, index: 7 },
    { reason: 'other-script', wallet, index: 7, chain: 2 },
  ],
  'silent-foreign': NOTHING,
  'wallet-changed': [
    { wallet, fault: 'forged' },
    { wallet, fault: 'shares-key' },
    { wallet, fault: 'other-root' },
  ],
  'wallet-foreign': [
    { wallet },
    { wallet, isStrange: true },
    { wallet, fault: 'other-root' },
    { wallet, isUnusual: true },
  ],
  'key-contradicted': [
    { reason: 'own-key', origin },
    { reason: 'own-key', origin, source: wallet },
    { reason: 'depth', origin, depth: 1, steps: 1 },
    { reason: 'depth', origin, source: wallet, depth: 4, steps: 3 },
    { reason: 'two-keys', origin },
    { reason: 'two-keys', origin, source: wallet, other: '"Firma" 58be68cb' },
    { reason: 'two-fingerprints', fingerprint: '73c5da0a', otherFingerprint: '58be68cb', source: wallet },
    { reason: 'record', origin },
    { reason: 'record', origin, other: wallet },
  ],
  'pays-other': [{}, { value: 5000n }],
  burn: [{ value: 5000n }],
  'anyone-can-spend': [{ value: 5000n }],
  'network-mixed': [{}, { coinType: 0 }, { coinType: 1 }, { coinType: 2 }, { coinType: 60 }],
  'change-later': [
    { wallet, mine: 52_560 * BLOCK, others: 0 },
    { wallet, mine: Number.POSITIVE_INFINITY, others: 144 * BLOCK },
  ],
  'wallet-unregistered': [
    { wallet },
    { wallet, alone: 0 },
    { wallet, others: 0, alone: 144 * BLOCK },
    { wallet, others: 4320 * BLOCK, isLocked: true },
    { wallet, others: BLOCK, alone: 65_535 * BLOCK },
  ],
  'wallet-retired': [{ wallet }],
  'wallets-mixed': [{ wallet }],
  'path-unusual': [{ path: '84h/0h/0h/1/0', script: 'pkh' }],
  'message-mismatch': [
    { reason: 'two-texts' },
    { reason: 'other-input' },
    { reason: 'no-script' },
    { reason: 'other-transaction' },
    { reason: 'not-a-message' },
    { reason: 'other-commitment' },
    { reason: 'not-all-coins' },
    { reason: 'open-signatures' },
  ],
  'message-hidden': [
    { reason: 'message' },
    { reason: 'proof' },
    { reason: 'not-text' },
    { reason: 'long', length: 9000 },
  ],
  'fee-absurd': [
    { by: 'rate', fee: 5000n, isLeast: false, rate: 5000, limit: 1000, isMost: false },
    { by: 'rate', fee: 5000n, isLeast: true, rate: 5000, limit: 1000, isMost: true },
    { by: 'share', fee: 5000n, isLeast: false, percent: 60, of: 'payments' },
    { by: 'share', fee: 5000n, isLeast: true, percent: 60, of: 'coins' },
  ],
  'fee-negative': [{ excess: 1n }],
  'amount-mismatch': [
    { claimed: 1n, shown: 1n },
    { claimed: 1n, shown: 2n },
  ],
  'previous-transaction-mismatch': NOTHING,
  'legacy-unproven': [{ isHidden: false }, { isHidden: true }],
  'amount-impossible': NOTHING,
  'sighash-unnamed': HASH_TYPES,
  'sighash-undefined': [{ sighashType: 0x41 }, { sighashType: 0x80 }],
  'single-without-output': NOTHING,
  'signature-sighash': [
    { sighashType: 1, others: [2, 3, 0x82] },
    { sighashType: 0, others: [1] },
  ],
  'signature-invalid': [
    { of: 'final-fields' },
    { of: 'signature' },
    { of: 'signature', cause: { kind: 'high-s' } },
    { of: 'signature', cause: { kind: 'encoding' } },
    { of: 'signature', cause: { kind: 'legacy-digest' } },
    { of: 'signature', cause: { kind: 'segwit-digest' } },
    { of: 'signature', cause: { kind: 'untweaked' } },
    { of: 'signature', cause: { kind: 'type-missing', sighashType: 1 } },
    { of: 'signature', cause: { kind: 'type-other', sighashType: 0 } },
    { of: 'signature', cause: { kind: 'type-other', sighashType: 0x83 } },
  ],
  'script-mismatch': NOTHING,
  'taproot-mismatch': NOTHING,
  'leaf-unusual': [
    { oddity: 'version' },
    { oddity: 'unparsed' },
    { oddity: 'op-success' },
    { oddity: 'code-separator' },
  ],
  'key-uncompressed': NOTHING,
  'coin-repeated': NOTHING,
  'silent-payment-refuted': SILENT,
  'name-refuted': [
    { reason: 'address' },
    { reason: 'amount', asked: 5n, paid: 6n },
    ...NAME_FAULTS.map((fault) => ({ reason: 'proof', fault }) as const),
  ],
  'name-unproven': [
    { reason: 'not-checked' },
    { reason: 'too-many' },
    { reason: 'no-address' },
    ...NAME_FAULTS.map((fault) => ({ reason: 'unreadable', fault }) as const),
    ...(['no-clock', 'early', 'expired'] as const).map((reason) => ({ reason, ...WINDOW })),
  ],
  'silent-payment-unproven': SILENT,
  'silent-payment-receivers': SILENT,
  'amount-unproven': NOTHING,
  'coin-unknown': NOTHING,
  'change-unverified': [{}, { origin }],
  'search-cut': NOTHING,
  'owner-unknown': NOTHING,
  'coin-foreign': [{ inputs: [1] }, { inputs: [0, 1, 2, 5, 7, 9, 11, 13] }],
  'wallet-other': [
    { wallet, root: 'registered' },
    { wallet, root: 'listed' },
    { wallet, root: 'none' },
  ],
  'account-other': [{ path: '84h/0h/3h/1/0' }],
  'path-far': [{ index: 9 }, { index: 9, path: '84h/0h/0h/1/9' }, { index: 9, path: '84h/0h/500h/1/9', account: 500 }],
  'sighash-unusual': HASH_TYPES,
  'fee-high': [
    { by: 'amount', fee: 5000n, isLeast: false, limit: 4000 },
    { by: 'rate', fee: 5000n, isLeast: false, rate: 500, limit: 400, isMost: true },
    { by: 'share', fee: 5000n, isLeast: false, percent: 11.1, of: 'payments' },
  ],
  'fee-low': [{ fee: 1n, rate: 0.01 }],
  'script-unread': [
    { of: 'script', bytes: 40, isSigned: true, hasKeyPath: false },
    { of: 'script', bytes: 40, isSigned: false, hasKeyPath: false },
    { of: 'leaf', bytes: 40, isSigned: true, hasKeyPath: true },
    { of: 'leaf', bytes: 40, isSigned: false, hasKeyPath: true },
  ],
  'locktime-unusual': [
    { reason: 'age', age: { kind: 'blocks', value: 1 } },
    { reason: 'age', age: { kind: 'time', value: 1000 } },
    { reason: 'disabled', locktime: 5 },
    { reason: 'until', lock: { kind: 'height', value: 1_490_000 } },
    { reason: 'until', lock: { kind: 'time', value: 1_700_000_000 } },
    { reason: 'message', locktime: 5, sequence: 6 },
  ],
  'lock-unmet': [
    { reason: 'own-ways' },
    { reason: 'own-ways', age: 52_560 * BLOCK },
    { reason: 'all-ways', locks: [{ kind: 'older', lock: 144 }], needs: [{ kind: 'sequence', value: 144 }] },
    {
      reason: 'all-ways',
      locks: [
        { kind: 'older', lock: 0x40_0000 + 1000 },
        { kind: 'after', lock: 900_000 },
        { kind: 'after', lock: 1_700_000_000 },
      ],
      needs: [
        { kind: 'version', value: 2 },
        { kind: 'locktime', value: 900_000 },
        { kind: 'sequence-below', value: 0xffff_ffff },
      ],
    },
  ],
  'version-unusual': [{ version: 4 }],
  'nonce-repeated': NOTHING,
  'signature-foreign': NOTHING,
  'silent-payment-open': [{}, ...SILENT],
  'silent-payment-conditional': [{ reason: 'receivers' }, { reason: 'coins' }, { reason: 'signatures' }],
  dust: [{ value: 1n }],
};

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const PAYEES = [
  { kind: 'address', address },
  { kind: 'address', address, name: 'alice@example.com' },
  { kind: 'data', texts: ['Grüße\u202e', 'zwei'] },
  { kind: 'script', bytes: 1, asm: '1' },
  { kind: 'script', bytes: 600, hex: '51'.repeat(520) },
] as const;
const OWNERS = [
  { kind: 'account', root: 'key', path: '84h/0h/0h/1/5' },
  { kind: 'account', root: 'listed', path: '84h/0h/0h/1/5', title: wallet },
  { kind: 'wallet', root: 'registered', title: wallet, chain: 'receive', index: 5 },
  { kind: 'wallet', root: 'listed', title: wallet, chain: 'change', index: 5 },
  { kind: 'wallet', root: 'none', title: wallet, chain: 3, index: 5 },
  { kind: 'wallet', root: 'none', title: wallet, index: 5 },
  { kind: 'silent', root: 'key' },
  { kind: 'key', root: 'key' },
  { kind: 'none', root: 'none' },
] as const;
const ROLES = ['change', 'own', 'wallet', 'payment'] as const;
const TRUSTS = ['proven', 'claimed', 'unknown'] as const;

const fingerprint = Uint8Array.of(0x73, 0xc5, 0xda, 0x0a);
const keyOf = (byte: number): Uint8Array => Uint8Array.of(2, ...new Uint8Array(32).fill(byte));
const bare: SignerReview = { publicKey: keyOf(1) };
const claimed: SignerReview = { publicKey: keyOf(2), claimedOrigin: { fingerprint, path: [0x8000_0054, 0] } };
const verified: SignerReview = { publicKey: keyOf(3), verifiedOrigin: { fingerprint, path: [0x8000_0054, 1] } };
const xOnly: SignerReview = { publicKey: keyOf(3).slice(1), claimedOrigin: { fingerprint, path: [] } };
const leafHash = new Uint8Array(32).fill(0x1e);
const hash = new Uint8Array(32).fill(0x22);
const many = Array.from({ length: 12 }, (_, i): SignerReview => ({ publicKey: keyOf(i + 4) }));
const signature = { publicKey: bare.publicKey, sighashType: 1 };

const QUORUMS: readonly [QuorumProgress, ...QuorumProgress[]] = [
  { have: 0, required: 1, isKeyPath: false, signed: [], wanted: [bare] },
  { have: 1, required: 2, isKeyPath: false, signed: [bare], wanted: [claimed, verified] },
  { have: 1, isKeyPath: false, signed: [bare], wanted: many },
  { have: 2, required: 2, isKeyPath: false, signed: [bare, claimed], wanted: [] },
  { have: 0, required: 1, isKeyPath: true, signed: [], wanted: [xOnly] },
  {
    have: 0,
    required: 1,
    isKeyPath: false,
    signed: [],
    wanted: [bare],
    leafHash,
    needed: { kind: 'preimage', name: 'sha256', hash },
    isClosed: true,
    closedBy: [
      { kind: 'older', lock: 144 },
      { kind: 'after', lock: 900_000 },
    ],
  },
  {
    have: 0,
    isKeyPath: false,
    signed: [],
    wanted: [bare, claimed],
    leafHash,
    isClosed: true,
    needed: {
      kind: 'some',
      required: 2,
      of: [
        { kind: 'signature', signer: bare },
        { kind: 'preimage', name: 'hash160', hash },
        { kind: 'some', required: 1, of: [claimed, verified].map((signer) => ({ kind: 'signature', signer })) },
      ],
    },
    later: [
      { kind: 'older', lock: 144, signers: many, required: 1 },
      { kind: 'after', lock: 900_000, signers: [], required: 1 },
      { kind: 'older', lock: 1, signers: [], required: 2 },
    ],
  },
];

export const LINE_SAMPLES: Lines = {
  clean: NOTHING,
  'clean-listed': NOTHING,
  leaves: [
    { amount: 5n, stays: 0n, isClaimed: false },
    { amount: 5n, fee: 1n, stays: 3n, isClaimed: true },
  ],
  comes: [
    { amount: 5n, isClaimed: false },
    { amount: 5n, isClaimed: true },
  ],
  pays: [
    { amount: 5n, payees: 1, haveAddresses: true },
    { amount: 5n, payees: 2, haveAddresses: false },
  ],
  'pays-nothing': NOTHING,
  fee: [
    { fee: 5n, trust: 'proven' },
    { fee: 5n, rate: 1.5, share: { percent: 0.5, of: 'payments' }, trust: 'claimed' },
    { fee: 5n, rate: 1.5, share: { percent: 0.5, of: 'coins' }, trust: 'unknown' },
  ],
  'fee-unknown': NOTHING,
  change: [{ amount: 5n }],
  signs: [
    { kind: 'message', payee: PAYEES[0], text: 'Hallo\u001b[31m' },
    { kind: 'message', payee: PAYEES[0] },
    { kind: 'proof-of-reserves', text: 'Hallo' },
    { kind: 'proof-of-reserves' },
  ],
  'moves-nothing': NOTHING,
  signed: [
    { groups: [] },
    {
      groups: [
        { inputs: [0], signed: { kind: 'final' } },
        { inputs: [1, 2], signed: { kind: 'not-valid' } },
        { inputs: [3], signed: { kind: 'unknown' } },
        { inputs: [4], signed: { kind: 'counts', counts: [{ have: 1, required: 2 }, { have: 0 }], isClosed: true } },
      ],
    },
  ],
  mined: [
    { lock: { kind: 'none' }, isNever: false, isWaiting: false, isReplaceable: true },
    { lock: { kind: 'none' }, isNever: false, isWaiting: true, isReplaceable: false },
    { lock: { kind: 'height', value: 1_490_000 }, isNever: false, isWaiting: false, isReplaceable: true },
    { lock: { kind: 'time', value: 1_700_000_000 }, isNever: true, isWaiting: false, isReplaceable: true },
  ],
  spends: [{ inputs: 1 }, { inputs: 2 }, { amount: 5n, inputs: 2 }],
  'own-coins': [
    { owners: OWNERS.map((owner, i) => ({ owner, indexes: [0, 1, 2, 3, 4, 5, 6].slice(i % 3) })), signers: [] },
    { owners: OWNERS.slice(0, 1).map((owner) => ({ owner, indexes: [7] })), signers: ['73c5da0a', 'b8688df1'] },
  ],
  output: [
    { value: 5n, payee: PAYEES[0], role: 'payment' },
    ...PAYEES.map((payee) => ({ value: 5n, payee, role: 'payment' }) as const),
  ],
  role: [
    { role: 'change', stays: true, owner: OWNERS[0] },
    ...ROLES.flatMap((role) =>
      OWNERS.flatMap((owner) => [true, false].map((stays) => ({ role, stays, owner }) as const)),
    ),
  ],
  'silent-proven': NOTHING,
  'silent-conditional': NOTHING,
  'silent-open': NOTHING,
  'silent-claimed': [{}, { address: 'sp1qq' }],
  'name-proven': [
    { address, until: WINDOW.until, isWildcard: false },
    { address, until: WINDOW.until, isWildcard: true },
  ],
  'name-punycode': NOTHING,
  'compare-all': NOTHING,
  'output-refused': [{ checks: ['burn'] }, { checks: ['change-refuted', 'pays-other'] }],
  'output-open': NOTHING,
  input: [{}, { payee: PAYEES[0] }, { value: 5n, payee: PAYEES[0] }],
  owner: [
    { owner: OWNERS[0], trust: 'proven' },
    ...OWNERS.flatMap((owner) => TRUSTS.map((trust) => ({ owner, isOwn: owner.kind !== 'none', trust }) as const)),
  ],
  age: [
    { age: { kind: 'blocks', value: 1 } },
    { age: { kind: 'blocks', value: 52_560 } },
    { age: { kind: 'time', value: 1000 } },
  ],
  outpoint: [{ txid: 'ab'.repeat(32), vout: 1 }],
  final: NOTHING,
  'final-invalid': NOTHING,
  signers: [{ signers: [bare] }, { signers: [claimed, verified, xOnly] }],
  doubt: [
    { signature: { ...signature, state: 'invalid' } },
    { signature: { sighashType: 0, state: 'invalid' } },
    { signature: { ...signature, leafHash, state: 'unverifiable', reason: 'leaf-script' } },
    ...(
      [
        'coin',
        'other-coins',
        'redeem-script',
        'witness-script',
        'leaf-uncommitted',
        'code-separator',
        'key-unnamed',
        'key-foreign',
      ] as const
    ).map((reason) => ({ signature: { ...signature, state: 'unverifiable', reason } }) as const),
  ],
  quorum: [{ quorum: QUORUMS[0], isAlternative: false }, ...QUORUMS.map((quorum) => ({ quorum, isAlternative: true }))],
  'amounts-proven': [{ proofs: ['previous-transaction'] }, { proofs: ['previous-transaction', 'signatures'] }],
  'amounts-claimed': NOTHING,
  'fee-trust': [
    { reason: 'previous-transactions' },
    { reason: 'signatures' },
    { reason: 'claims' },
    { reason: 'open-signatures' },
  ],
};
