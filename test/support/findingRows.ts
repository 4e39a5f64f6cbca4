import { networks, OP, type Psbt, type PsbtInput, parseHex, parsePath } from './library.ts';
import {
  ALICE,
  make,
  PAYEE,
  parse,
  payment,
  type SignerFacts,
  sign,
  WALLETS,
  withInput,
  withOutput,
  without,
} from './psbts.ts';

// PSBTs that are wrong in one respect, and the sentences of their findings.

type Row = readonly [what: string, psbt: Psbt, texts: readonly string[], options?: SignerFacts];

const changed = (psbt: Psbt, more: Partial<PsbtInput>): Psbt => withInput(psbt, 0, (input) => ({ ...input, ...more }));
/** Spends coins that only a `witnessUtxo` shows. */
export const claiming = (name: keyof typeof WALLETS, count = 1): Psbt =>
  make({
    inputs: Array.from({ length: count }, () => ({ of: WALLETS[name], shownBy: 'output' as const })),
    outputs: [{ to: PAYEE, value: BigInt(count) * 1_000_000n - 2000n }],
  });
const paying = (to: Uint8Array, value = 998_000n, more: Partial<Parameters<typeof make>[0]> = {}): Psbt =>
  make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to, value }], ...more });
const waiting = (sequence: number, locktime = 0): Psbt =>
  paying(PAYEE, 998_000n, { inputs: [{ of: WALLETS.wpkh, sequence }], locktime });

const SEED: SignerFacts = { keys: [ALICE.held] };
const honest = paying(PAYEE);
const [, second] = payment(['wpkh', 'wpkh']).inputs;
const keyOf = (byte: string): Uint8Array => parseHex(`02${byte.repeat(32)}`);

/** Claims keys of one account at so many indexes. */
const claims = (count: number, from = 0): Pick<PsbtInput, 'bip32Derivations'> => ({
  bip32Derivations: Array.from({ length: count }, (_, i) => ({
    pubkey: keyOf((i + 16).toString(16)),
    fingerprint: ALICE.fingerprint,
    path: [...parsePath('m/84h/1h/0h/1'), from + i],
  })),
});

const contradictions = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, i) => `key-contradicted: Output 0 names another key than yours at [58be68cb/84h/1h/0h/1/${i}].`,
  );

const ofInputs: readonly Row[] = [
  ['nothing about an honest payment', honest, []],
  [
    'another previous transaction',
    changed(honest, second?.nonWitnessUtxo ? { nonWitnessUtxo: second.nonWitnessUtxo } : {}),
    ['previous-transaction-mismatch: Input 0 comes with a previous transaction other than the one it spends.'],
  ],
  [
    'a false amount',
    changed(honest, { witnessUtxo: { value: 1n, scriptPubKey: PAYEE } }),
    ['amount-mismatch: Input 0 claims a coin of 0.00000001, but its previous transaction shows another: 0.01000000.'],
  ],
  [
    'a false script',
    changed(honest, { witnessUtxo: { value: 1_000_000n, scriptPubKey: PAYEE } }),
    ['amount-mismatch: Input 0 claims a coin of 0.01000000, but its previous transaction shows another script.'],
  ],
  [
    'an unknown coin',
    withInput(honest, 0, (input) => without(input, 'nonWitnessUtxo', 'witnessUtxo')),
    [
      'coin-unknown: The amount and script of the coin that input 0 spends are not shown: add its previous transaction.',
    ],
  ],
  [
    'a legacy coin without proof',
    claiming('pkh'),
    [
      'legacy-unproven: Input 0 spends a legacy coin without showing its previous transaction: the signature does not commit to the amount.',
    ],
  ],
  [
    'amounts without proof',
    claiming('wpkh', 2),
    [0, 1].map(
      (i) =>
        `amount-unproven: The amount of input ${i} is only claimed, and not all signatures commit to it: the true fee may be far higher. Only its previous transaction can prove it.`,
    ),
  ],
  [
    'an undefined hash type',
    changed(honest, { sighashType: 0x41 }),
    ['sighash-undefined: Input 0 asks for the undefined hash type 0x41.'],
  ],
  [
    'a hash type that only the PSBT names',
    changed(honest, { sighashType: 0x81 }),
    [
      'sighash-unnamed: Input 0 asks for signatures of type ALL|ANYONECANPAY, which commit to all outputs, but to no other input: others can add inputs. You have not named that type.',
    ],
  ],
  [
    'DEFAULT, named for a key that signs with ALL',
    changed(honest, { sighashType: 0 }),
    [
      'sighash-unnamed: Input 0 asks for signatures of type DEFAULT, which commit to everything. You have not named that type.',
    ],
  ],
  [
    'NONE',
    honest,
    ['sighash-unusual: Signatures of input 0 (NONE) commit to no output: whoever gets one can send the coin anywhere.'],
    { sighashType: 2 },
  ],
  [
    'SINGLE',
    honest,
    ['sighash-unusual: Signatures of input 0 (SINGLE) commit to output 0 only: others can change all other outputs.'],
    { sighashType: 3 },
  ],
  [
    'ANYONECANPAY',
    honest,
    [
      'sighash-unusual: Signatures of input 0 (ALL|ANYONECANPAY) commit to all outputs, but to no other input: others can add inputs.',
    ],
    { sighashType: 0x81 },
  ],
  [
    'SINGLE without an output',
    withInput(claiming('tr', 2), 1, (input) => ({ ...input, sighashType: 3 })),
    [
      'sighash-unnamed: Input 1 asks for signatures of type SINGLE, which commit to output 1 only: others can change all other outputs. You have not named that type.',
      'single-without-output: SINGLE signs the output with the index of its input, but there is no output 1.',
    ],
  ],
  [
    'signatures of another hash type',
    changed(sign(honest, { sighashType: 0x82 }).psbt, { sighashType: 1 }),
    [
      'signature-sighash: Input 0 holds a signature with a hash type other than ALL. Signatures of input 0 (NONE|ANYONECANPAY) commit to no output and no other input: whoever gets one can send the coin anywhere.',
    ],
  ],
  [
    'a foreign script',
    changed(claiming('multi'), { witnessScript: Uint8Array.of(OP['1']) }),
    ['script-mismatch: Input 0 comes with a script that its coin does not commit to.'],
  ],
  [
    'a foreign internal key',
    changed(claiming('tr'), { tapInternalKey: new Uint8Array(32).fill(2) }),
    ['taproot-mismatch: Input 0 comes with a key or leaf that its coin does not commit to.'],
  ],
  [
    'a final witness that does not spend',
    changed(honest, { finalScriptWitness: [Uint8Array.of(1)] }),
    ['signature-invalid: The final scriptSig and witness of input 0 do not spend its coin.'],
  ],
  [
    'a final witness of an unknown coin, of which nothing is known',
    withInput(changed(honest, { finalScriptWitness: [Uint8Array.of(1)] }), 0, (input) =>
      without(input, 'nonWitnessUtxo', 'witnessUtxo'),
    ),
    [
      'coin-unknown: The amount and script of the coin that input 0 spends are not shown: add its previous transaction.',
    ],
  ],
  [
    'keys at more indexes than are searched',
    changed(honest, claims(9)),
    [
      'search-cut: Input 0 names more keys than the review searches in this PSBT: it may be yours without being shown as yours, or claim keys of yours falsely.',
    ],
  ],
  ['no relative lock of zero', waiting(0), []],
  ['a relative lock', waiting(144), ['locktime-unusual: Input 0 cannot be mined until its coin is 144 blocks old.']],
  [
    'a relative lock in time',
    waiting(0x40_0000 | 1000),
    ['locktime-unusual: Input 0 cannot be mined until its coin is 5.9 days old.'],
  ],
];

const ofOutputs: readonly Row[] = [
  [
    'destroyed coins',
    paying(Uint8Array.of(OP.RETURN)),
    ['burn: Output 0 destroys 0.00998000 BTC: it can never be spent.'],
  ],
  [
    'coins for anyone',
    paying(Uint8Array.of(OP['1'])),
    ['anyone-can-spend: Output 0 gives 0.00998000 BTC away: anyone can spend it.'],
  ],
  [
    'dust, and the fee that is left',
    paying(PAYEE, 1n),
    [
      'dust: Output 0 is dust: it would cost more to spend than it is worth.',
      'fee-absurd: The fee of 0.00999999 BTC is 9091 sat/vB, above 1000.',
    ],
  ],
  [
    'more than exists',
    paying(PAYEE, 21_000_001n * 100_000_000n),
    [
      'amount-impossible: Output 0 pays an amount that cannot exist.',
      'fee-negative: The transaction pays 21000000.99000000 BTC more than it spends.',
      'amount-impossible: The amounts add up to more than can exist.',
    ],
  ],
  [
    'less than nothing',
    withOutput(honest, 0, (output) => ({ ...output, amount: -1n })),
    [
      'amount-impossible: Output 0 pays an amount that cannot exist.',
      'fee-absurd: The fee of 0.01000001 BTC is 9091 sat/vB, above 1000.',
    ],
  ],
  [
    'nothing, which is dust',
    make({
      inputs: [{ of: WALLETS.wpkh }],
      outputs: [
        { to: PAYEE, value: 0n },
        { to: PAYEE, value: 998_000n },
      ],
    }),
    ['dust: Output 0 is dust: it would cost more to spend than it is worth.'],
  ],
  [
    'a foreign script',
    withOutput(payment(['multi']), 1, (output) => ({ ...output, witnessScript: Uint8Array.of(OP['1']) })),
    ['script-mismatch: Output 1 comes with a script that it does not pay to.'],
    { descriptors: [parse(WALLETS.multi)] },
  ],
  [
    'a foreign internal key',
    withOutput(payment(['tree']), 1, (output) => ({ ...output, tapInternalKey: keyOf('11').slice(1) })),
    ['taproot-mismatch: Output 1 comes with an internal key and a tree that it does not pay to.'],
    { descriptors: [parse(WALLETS.tree)] },
  ],
  [
    'keys at more indexes than are searched',
    withOutput(honest, 0, (output) => ({ ...output, ...claims(9) })),
    [
      'change-refuted: Output 0 claims to be yours, which is false: your key at [58be68cb/84h/1h/0h/1/0] is another one. The money would go to a stranger.',
      'search-cut: Output 0 names more keys than the review searches in this PSBT: it may be yours without being shown as yours, or claim keys of yours falsely.',
      ...contradictions(9),
    ],
    SEED,
  ],
  [
    'keys at as many indexes as are searched',
    withOutput(honest, 0, (output) => ({ ...output, ...claims(8) })),
    [
      'change-refuted: Output 0 claims to be yours, which is false: your key at [58be68cb/84h/1h/0h/1/0] is another one. The money would go to a stranger.',
      ...contradictions(8),
    ],
    SEED,
  ],
  [
    'change at the last index that is near',
    make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: WALLETS.wpkh, index: 200, value: 990_000n }] }),
    [],
    SEED,
  ],
  [
    'change at a hardened index',
    withOutput(honest, 0, (output) => ({ ...output, ...claims(1, 0x8000_0000) })),
    [
      'change-refuted: Output 0 claims to be yours, which is false: your key at [58be68cb/84h/1h/0h/1/0h] is another one. The money would go to a stranger.',
      'key-contradicted: Output 0 names another key than yours at [58be68cb/84h/1h/0h/1/0h].',
    ],
    SEED,
  ],
  [
    'no claim under a fingerprint of zeros, which contradicts nothing',
    withOutput(honest, 0, (output) => ({
      ...output,
      bip32Derivations: [{ pubkey: keyOf('11'), fingerprint: new Uint8Array(4), path: [100_001] }],
    })),
    [],
    SEED,
  ],
  [
    'a silent payment',
    withOutput(honest, 0, (output) => ({
      ...output,
      spV0Info: { scanKey: ALICE.keyAt('m/352h/0'), spendKey: ALICE.keyAt('m/352h/1') },
    })),
    [
      'silent-payment-unproven: Output 0 claims to pay a silent payment address: input 0 has no share yet: signing with its key adds one.',
    ],
  ],
  [
    'change without a key or wallet at hand',
    payment(['wpkh']),
    ['change-unverified: Output 1 claims to be change, but no key or wallet is at hand to verify it.'],
  ],
  [
    'no claim that the keys at hand do not prove, beside coins of others',
    payment(['wpkh']),
    [],
    { descriptors: [parse(WALLETS.tr)] },
  ],
  [
    'change of a quorum whose wallet file is not given',
    payment(['multi']),
    [
      'change-unverified: Output 1 names your key at [58be68cb/48h/1h/0h/1/0] among others, but no wallet at hand derives it: give the wallet file of the coins being spent.',
      'owner-unknown: No wallet at hand derives the coin of input 0, but a key at hand can sign for it: the coin counts as yours.',
    ],
    SEED,
  ],
  [
    'change to another kind of script',
    make({ inputs: [{ of: WALLETS.tr }], outputs: [{ to: WALLETS.pkh, value: 990_000n }] }),
    [],
    SEED,
  ],
  [
    'change to a kind of script that its path does not have',
    make({
      inputs: [{ of: WALLETS.wpkh }],
      outputs: [{ to: WALLETS.wpkh.replace('wpkh', 'pkh'), value: 990_000n }],
    }),
    ['path-unusual: Output 0 pays to your key at the odd path 84h/1h/0h/1/0 (pkh), where no restored wallet looks.'],
    SEED,
  ],
  [
    'money for another account',
    make({
      inputs: [{ of: WALLETS.wpkh }],
      outputs: [{ to: `wpkh(${ALICE.xpub('m/84h/1h/3h')}/<0;1>/*)`, value: 990_000n }],
    }),
    [
      'account-other: Output 0 pays to your other account 84h/1h/3h/1/0, of which no coin is spent: a restored wallet finds it only if all accounts before it were used.',
    ],
    SEED,
  ],
  [
    'own change at a far index',
    make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: WALLETS.wpkh, index: 200_000, value: 990_000n }] }),
    [
      'path-far: Output 0 is yours, but at index 200000 (84h/1h/0h/1/200000), where a restored wallet may not find it: write the path down.',
    ],
    { descriptors: [parse(WALLETS.wpkh)] },
  ],
];

const ofTransactions: readonly Row[] = [
  [
    'a negative fee',
    paying(PAYEE, 1_000_001n),
    ['fee-negative: The transaction pays 0.00000001 BTC more than it spends.'],
  ],
  [
    'a coin that two inputs spend',
    { ...honest, inputs: [...honest.inputs, ...honest.inputs] },
    [
      'fee-absurd: The fee of 0.01002000 BTC is 5661 sat/vB, above 1000.',
      'coin-repeated: The transaction spends a coin twice, which no node accepts.',
    ],
  ],
  ['nothing about usual versions', paying(PAYEE, 998_000n, { txVersion: 1 }), []],
  ['another high fee', paying(PAYEE, 900_000n), ['fee-high: The fee of 0.00100000 BTC is 11.1 % of the payments.']],
  ['a high fee', paying(PAYEE, 940_000n), ['fee-high: The fee of 0.00060000 BTC is 6.4 % of the payments.']],
  [
    'a fee that no node relays',
    paying(PAYEE, 1_000_000n),
    ['fee-low: The fee of 0.00000000 BTC is 0.00 sat/vB: no node relays it.'],
  ],
  [
    'the keys of another network',
    paying(PAYEE),
    ['network-mixed: Keys of the PSBT are for a test network, but you review it for Bitcoin: choose its network.'],
    { network: networks.main },
  ],
  ['an odd version', paying(PAYEE, 998_000n, { txVersion: 4 }), ['version-unusual: The transaction version is 4.']],
  [
    'a locktime that is off',
    waiting(0xffff_ffff, 5),
    ['locktime-unusual: The transaction has a locktime, but no input enables it.'],
  ],
];

/** By what the findings are about. */
export const FINDING_ROWS = [
  ['an input', ofInputs],
  ['an output', ofOutputs],
  ['a transaction', ofTransactions],
] as const;
