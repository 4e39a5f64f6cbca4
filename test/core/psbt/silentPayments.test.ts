import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payToTaproot, payToWitness } from '../../../src/core/script/build.ts';
import {
  type Account,
  accountFromDescriptors,
  accountFromWords,
  buildPsbt,
  reviewWith,
  signWith,
  silentPaymentsFromWords,
} from '../../../src/kit/account/index.ts';
import { campaign } from '../../support/campaign.ts';
import {
  addSilentPaymentShares,
  combinePsbts,
  concatBytes,
  createReceiver,
  decodeTransaction,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatHex,
  formatPsbt,
  formatSilentPaymentAddress,
  formatTxid,
  hash160,
  networks,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  parseHex,
  parsePath,
  parsePsbt,
  parseSilentPaymentAddress,
  shareSigner,
  signingRequests,
  txid,
  verifySilentPayments,
} from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const network = networks.regtest;
const WORDS = `${'abandon '.repeat(11)}about`;
const purposes = [44, 49, 84, 86] as const;
/** Each with its own master key, as a master key signs for all accounts below it. */
const ACCOUNTS = purposes.map((purpose) =>
  accountFromWords(WORDS, { network: 'regtest', purpose, passphrase: String(purpose) }),
);
const [LEGACY, NESTED, SEGWIT, TAPROOT] = ACCOUNTS as [Account, Account, Account, Account];

const STRANGER = formatHex(nobleEcc.publicKey(new Uint8Array(32).fill(9)));

const RECEIVER = createReceiver({
  scanSecretKey: new Uint8Array(32).fill(5),
  spendKey: nobleEcc.publicKey(new Uint8Array(32).fill(6)),
  labels: [1, 2],
});
const OTHER = createReceiver({
  scanSecretKey: new Uint8Array(32).fill(7),
  spendKey: nobleEcc.publicKey(new Uint8Array(32).fill(6)),
});
const textOf = (receiver: typeof RECEIVER, label?: number): string =>
  formatSilentPaymentAddress(receiver.address(label), network);

/** The addresses that a payer has from one receiver. */
const LABELED = [textOf(RECEIVER), textOf(RECEIVER, 1), textOf(RECEIVER, 2)];

/** A coin of 1 BTC, with the transaction that created it. */
function coinOf(owner: Account, index = 0) {
  const from = owner.receive(index);
  const previousTransaction = encodeTransaction({
    version: 2,
    locktime: 0,
    inputs: [{ outpoint: { txid: txid(EMPTY), vout: index }, scriptSig: new Uint8Array(0), sequence: 0, witness: [] }],
    outputs: [{ value: 100_000_000n, scriptPubKey: from.scriptPubKey }],
  });
  return { txid: formatTxid(txid(decodeTransaction(previousTransaction))), vout: 0, from, previousTransaction };
}
const EMPTY = { version: 2, locktime: 0, inputs: [], outputs: [] };

const build = (owners: readonly Account[], to: readonly string[]): Psbt =>
  buildPsbt({
    inputs: owners.map((owner, index) => coinOf(owner, index)),
    outputs: to.map((address) => ({ to: address, value: 10_000n })),
    change: SEGWIT.change(0),
    fee: 1000n,
    sameReceiver: to,
  });

/** Hands a PSBT as text from owner to owner until it is complete. */
function signByTurns(psbt: Psbt, owners: readonly Account[]): ReturnType<typeof signWith> {
  let text = formatPsbt(psbt);
  for (const owner of [...owners, ...owners]) {
    const before = parsePsbt(text);
    const result = signWith(owner, text, { sameReceiver: LABELED });
    const isOpen = result.psbt.outputs.some(({ spV0Info, script }) => spV0Info && !script);
    // No signature before all scripts are there.
    if (isOpen) expect(result.psbt.inputs.some(({ partialSigs, tapKeySig }) => partialSigs || tapKeySig)).toBe(false);
    if (before.outputs.every(({ script }) => script)) expect(result.psbt.outputs).toEqual(before.outputs);
    text = formatPsbt(result.psbt);
    if (result.isComplete) return result;
  }
  throw new Error('not complete');
}

describe('a silent payment from a PSBT', () => {
  test('of one signer has one share, and is found by its receiver', () => {
    for (const owner of ACCOUNTS) {
      const { psbt, hex, isComplete } = signWith(owner, build([owner, owner], [textOf(RECEIVER, 2)]));
      expect(isComplete).toBe(true);
      expect([psbt.global.spEcdhShares?.length, psbt.inputs[0]?.spEcdhShares]).toEqual([1, undefined]);
      const spent = [0, 1].map((index) => ({ scriptPubKey: owner.receive(index).scriptPubKey }));
      const found = RECEIVER.findPayments(decodeTransaction(parseHex(hex ?? '')), spent);
      expect(found).toMatchObject([{ vout: 0, label: 2 }]);
    }
  });

  test('of several signers, in any order, is found by its receiver and by nobody else', () => {
    const owners = fc.uniqueArray(fc.constantFrom(...ACCOUNTS), { minLength: 2, maxLength: 4 });
    const payees = fc.array(
      fc.constantFrom(textOf(RECEIVER), textOf(RECEIVER, 1), textOf(RECEIVER, 2), textOf(OTHER)),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(owners, payees, fc.infiniteStream(fc.nat(3)), (signers, to, order) => {
        const psbt = build(signers, to);
        const turns = [...signers].sort(() => (order.next().value % 2) - 0.5);
        const { psbt: signed } = signByTurns(psbt, turns);
        const tx = extractTransaction(signed);
        const spent = signers.map((owner, index) => ({ scriptPubKey: owner.receive(index).scriptPubKey }));
        const vouts = (receiver: typeof RECEIVER) => receiver.findPayments(tx, spent).map(({ vout }) => vout);
        const places = (isTheirs: (address: string) => boolean) => to.flatMap((text, i) => (isTheirs(text) ? i : []));
        expect(vouts(RECEIVER).sort()).toEqual(places((text) => text !== textOf(OTHER)));
        expect(vouts(OTHER).sort()).toEqual(places((text) => text === textOf(OTHER)));
      }),
      campaign(40),
    );
  });

  test('of signers who work on copies is complete once these are combined', () => {
    const base = build([SEGWIT, TAPROOT], [textOf(RECEIVER), textOf(OTHER)]);
    const signAll = (psbt: Psbt): Psbt =>
      combinePsbts(
        [SEGWIT, TAPROOT].map((owner) => parsePsbt(formatPsbt(signWith(owner, psbt, { finalize: false }).psbt))),
      ).psbt;
    const shared = signAll(base);
    expect(shared.inputs.map(({ spEcdhShares }) => spEcdhShares?.length)).toEqual([2, 2]);
    // A copy with computed scripts belongs to the others.
    const computed = signWith(SEGWIT, shared, { finalize: false }).psbt;
    expect(combinePsbts([base, shared, computed]).psbt.outputs).toEqual(computed.outputs);
    const { psbt: signed, isComplete } = finalizePsbt(signAll(shared));
    expect(isComplete).toBe(true);
    expect(extractTransaction(signed).outputs.map(({ scriptPubKey }) => scriptPubKey.length)).toEqual([34, 34, 22]);
  });

  test('counts coins of other kinds for nothing, and needs no share of theirs', () => {
    const script = accountFromDescriptors(`wsh(pk(${STRANGER}))`, { network: 'regtest' });
    const psbt = build([SEGWIT, script], [textOf(RECEIVER)]);
    const { psbt: signed } = signWith(SEGWIT, psbt, { finalize: false });
    expect(verifySilentPayments(signed)).toMatchObject([{ status: 'proven' }]);
    expect(signed.inputs[0]?.partialSigs).toHaveLength(1);
  });

  test('cannot be built without a coin whose key counts', () => {
    const script = accountFromDescriptors(`wsh(pk(${STRANGER}))`, { network: 'regtest' });
    const refusal = refusalOf(() => build([script], [textOf(RECEIVER)]));
    expect(refusal).toMatchObject({ code: 'psbt/silent-payment', data: { outputIndex: 0, reason: 'no-key' } });
  });

  test('needs version 2', () => {
    const options = {
      inputs: [coinOf(SEGWIT)],
      outputs: { [textOf(RECEIVER)]: 10_000n },
      change: SEGWIT.change(0),
      fee: 9n,
    };
    expect(buildPsbt(options).global.version).toBe(2);
    expect(refusalOf(() => buildPsbt({ ...options, version: 0 }))).toMatchObject({ data: { member: 'version' } });
  });

  test('commits to everything: taproot signs with SIGHASH_ALL', () => {
    const { psbt } = signWith(TAPROOT, build([TAPROOT], [textOf(RECEIVER)]), { finalize: false });
    expect(psbt.inputs[0]).toMatchObject({ sighashType: 1, tapKeySig: expect.objectContaining({ length: 65 }) });
    const refusal = refusalOf(() => signWith(TAPROOT, build([TAPROOT], [textOf(RECEIVER)]), { sighashType: 0x81 }));
    expect(refusal).toMatchObject({ code: 'psbt/silent-payment', data: { reason: 'sighash' } });
  });
});

/** A PSBT whose script is computed, and nothing signed. */
const COMPUTED = (() => {
  const { psbt } = signWith(SEGWIT, build([SEGWIT, TAPROOT], [textOf(RECEIVER)]));
  const { psbt: shared } = signWith(TAPROOT, psbt, { finalize: false });
  return { ...shared, inputs: shared.inputs.map(withoutSignatures) };
})();

function withoutSignatures({ partialSigs: _p, tapKeySig: _k, sighashType: _s, ...input }: PsbtInput): PsbtInput {
  return input;
}

const withInput = (index: number, change: (input: PsbtInput) => PsbtInput): Psbt => ({
  ...COMPUTED,
  inputs: COMPUTED.inputs.map((input, i) => (i === index ? change(input) : input)),
});

const withOutput = (change: Partial<Psbt['outputs'][number]>): Psbt => ({
  ...COMPUTED,
  outputs: COMPUTED.outputs.map((output, i) => (i === 0 ? { ...output, ...change } : output)),
});

const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte));

const UNSPENDABLE = parseHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0');
const CONTROL_BLOCK = concatBytes(Uint8Array.of(0xc0), UNSPENDABLE);

type Fault = readonly [name: string, psbt: Psbt, status: string, reason: string, inputIndex: number | undefined];

const FAULTS: readonly Fault[] = [
  [
    'a script that does not follow',
    withOutput({ script: SEGWIT.receive(9).scriptPubKey }),
    'refuted',
    'script',
    undefined,
  ],
  ['another address', withOutput({ spV0Info: RECEIVER.address(1) }), 'refuted', 'script', undefined],
  ['the scan key of another', withOutput({ spV0Info: OTHER.address() }), 'claimed', 'share', 0],
  ['no share', withInput(1, ({ spEcdhShares: _, ...input }) => input), 'claimed', 'share', 1],
  ['no proof', withInput(1, ({ spDleqProofs: _, ...input }) => input), 'claimed', 'no-proof', 1],
  [
    'a false proof',
    withInput(
      0,
      withProof((proof) => flipped(proof)),
    ),
    'refuted',
    'proof',
    0,
  ],
  [
    'a short proof',
    withInput(
      0,
      withProof((proof) => proof.slice(1)),
    ),
    'refuted',
    'proof',
    0,
  ],
  [
    'a share of another',
    withInput(
      0,
      withShare(() => nobleEcc.publicKey(new Uint8Array(32).fill(3))),
    ),
    'refuted',
    'proof',
    0,
  ],
  [
    'a share that is not a point',
    withInput(
      0,
      withShare(() => new Uint8Array(33)),
    ),
    'refuted',
    'proof',
    0,
  ],
  ['no key', withInput(0, ({ bip32Derivations: _, ...input }) => input), 'claimed', 'key', 0],
  [
    'a key that is not that of the coin',
    withInput(0, (input) => ({
      ...input,
      bip32Derivations: derivationsOf(nobleEcc.publicKey(new Uint8Array(32).fill(3))),
    })),
    'claimed',
    'key',
    0,
  ],
  ['no coin', withInput(0, ({ witnessUtxo: _w, nonWitnessUtxo: _n, ...input }) => input), 'claimed', 'coin', 0],
  [
    'a coin of a later witness version',
    withInput(0, ({ nonWitnessUtxo: _, ...input }) =>
      withScript(input, concatBytes(Uint8Array.of(0x52, 32), new Uint8Array(32))),
    ),
    'refuted',
    'input',
    0,
  ],
  [
    'a hash type that leaves something open',
    withInput(1, (input) => ({ ...input, sighashType: 0x81 })),
    'refuted',
    'sighash',
    1,
  ],
  [
    'SIGHASH_DEFAULT, which the BIP forbids, too',
    withInput(1, (input) => ({ ...input, sighashType: 0 })),
    'refuted',
    'sighash',
    1,
  ],
  [
    'modifiable inputs',
    { ...COMPUTED, global: { ...COMPUTED.global, txModifiable: 1 } },
    'refuted',
    'modifiable',
    undefined,
  ],
  [
    'an internal key that claims that nobody has the key',
    withInput(1, (input) => ({ ...input, tapInternalKey: UNSPENDABLE, spEcdhShares: [], spDleqProofs: [] })),
    'claimed',
    'share',
    1,
  ],
  [
    'final fields that do not spend the coin',
    withInput(1, ({ tapInternalKey: _, ...input }) => ({
      ...input,
      finalScriptWitness: [new Uint8Array(1), CONTROL_BLOCK],
    })),
    'claimed',
    'key',
    1,
  ],
];

function withProof(change: (proof: Uint8Array) => Uint8Array) {
  return (input: PsbtInput): PsbtInput => ({
    ...input,
    spDleqProofs: input.spDleqProofs?.map((each) => ({ ...each, proof: change(each.proof) })) ?? [],
  });
}
function withShare(change: (share: Uint8Array) => Uint8Array) {
  return (input: PsbtInput): PsbtInput => ({
    ...input,
    spEcdhShares: input.spEcdhShares?.map((each) => ({ ...each, share: change(each.share) })) ?? [],
  });
}
function derivationsOf(pubkey: Uint8Array) {
  return [{ pubkey, fingerprint: new Uint8Array(4), path: [] }];
}
function withScript(input: PsbtInput, scriptPubKey: Uint8Array): PsbtInput {
  return { ...input, witnessUtxo: { value: 100_000_000n, scriptPubKey } };
}

describe('a PSBT with a computed script', () => {
  test('is proven by the shares of both inputs', () => {
    expect(COMPUTED.inputs.map(({ spEcdhShares }) => spEcdhShares?.length)).toEqual([1, 1]);
    expect(verifySilentPayments(COMPUTED)).toMatchObject([{ outputIndex: 0, status: 'proven' }]);
    expect(reviewWith(SEGWIT, COMPUTED).outputs[0]?.silentPayment).toEqual({
      address: textOf(RECEIVER),
      status: 'proven',
    });
  });

  test.each(FAULTS)('and %s is not signed', (_, psbt, status, reason, inputIndex) => {
    const fault = { reason, ...(inputIndex !== undefined && { inputIndex }) };
    expect(verifySilentPayments(psbt)).toMatchObject([{ status, fault }]);
    const requests = signingRequests(psbt);
    expect(refusalOf(() => requests.next())).toMatchObject({
      code: 'psbt/silent-payment',
      data: { outputIndex: 0, ...fault },
    });
    const check = status === 'refuted' ? 'silent-payment-refuted' : 'silent-payment-unproven';
    // An owner would add what its own input lacks.
    expect(reviewWith(NESTED, psbt).findings).toContainEqual(
      expect.objectContaining({ check, action: 'refuse', outputIndex: 0 }),
    );
  });

  test('is not extracted if a share was changed after it was signed', () => {
    const { psbt } = signByTurns(build([SEGWIT, TAPROOT], [textOf(RECEIVER)]), [SEGWIT, TAPROOT]);
    const [first = {}, ...others] = psbt.inputs;
    const changed = { ...psbt, inputs: [withShare(() => new Uint8Array(33))(first), ...others] };
    expect(refusalOf(() => extractTransaction(changed)).code).toBe('psbt/silent-payment');
  });
});

describe('a PSBT whose script is not computed', () => {
  test('is reviewed, and not signed', () => {
    const psbt = build([SEGWIT, LEGACY], [textOf(RECEIVER)]);
    const review = reviewWith(NESTED, psbt);
    expect(review.outputs[0]).toMatchObject({ silentPayment: { status: 'open' }, scriptPubKey: new Uint8Array(0) });
    expect(review.findings).toContainEqual(expect.objectContaining({ check: 'silent-payment-open', action: 'warn' }));
    expect(refusalOf(() => signingRequests(psbt))).toMatchObject({ data: { outputIndex: 0, reason: 'no-script' } });
  });

  test('keeps the shares of others, and is left alone if one is false', () => {
    const { psbt } = signWith(SEGWIT, build([SEGWIT, LEGACY], [textOf(RECEIVER)]));
    expect(signWith(LEGACY, psbt).psbt.inputs[0]?.spEcdhShares).toEqual(psbt.inputs[0]?.spEcdhShares);
    const [first = {}, ...others] = psbt.inputs;
    const changed = { ...psbt, inputs: [withProof(flipped)(first), ...others] };
    expect(refusalOf(() => signWith(LEGACY, changed))).toMatchObject({ code: 'policy/refused' });
  });
});

describe('an attacker who writes the PSBT', () => {
  const WALLET = silentPaymentsFromWords(WORDS, { network: 'regtest' });
  const MASTER = accountFromWords(WORDS, { network: 'regtest' });
  const address = () => parseSilentPaymentAddress(WALLET.address(), network);

  test('gets no product with a scan key', () => {
    const { scanKey } = address();
    const input: PsbtInput = {
      previousTxid: txid(EMPTY),
      outputIndex: 0,
      witnessUtxo: { value: 100_000n, scriptPubKey: payToWitness(0, hash160(scanKey)) },
      bip32Derivations: [{ pubkey: scanKey, fingerprint: parseHex('73c5da0a'), path: parsePath("m/352'/1'/0'/1'/0") }],
    };
    const psbt: Psbt = {
      global: { version: 2, txVersion: 2 },
      inputs: [input],
      outputs: [{ amount: 90_000n, spV0Info: OTHER.address() }],
    };
    for (const victim of [MASTER, WALLET]) {
      const refusal = refusalOf(() => signWith(victim, psbt));
      expect(refusal.code).toBe('account/nothing-signed');
    }
  });

  test('does not hide what the transaction of version 0 pays', () => {
    const unsignedTx = {
      ...EMPTY,
      inputs: COMPUTED.inputs.map(({ previousTxid = txid(EMPTY), outputIndex = 0 }) => ({
        outpoint: { txid: previousTxid, vout: outputIndex },
        scriptSig: new Uint8Array(0),
        sequence: 0,
        witness: [],
      })),
      outputs: COMPUTED.outputs.map(({ amount = 0n }) => ({
        value: amount,
        scriptPubKey: SEGWIT.receive(9).scriptPubKey,
      })),
    };
    const psbt = { ...COMPUTED, global: { ...COMPUTED.global, unsignedTx } };
    expect(verifySilentPayments(psbt)).toMatchObject([{ status: 'refuted', fault: { reason: 'script' } }]);
  });

  test('does not add a key that cancels others out: one proof for all needs their internal keys', () => {
    const one = withInput(0, ({ spEcdhShares: _s, spDleqProofs: _p, ...input }) => input);
    const inputs = one.inputs.map(({ spEcdhShares: _s, spDleqProofs: _p, tapInternalKey: _k, ...input }) => input);
    const secretKeys = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
    const keys = secretKeys.map((secretKey) => nobleEcc.publicKey(secretKey));
    const own = [
      keyHashInput(keys[0]),
      { witnessUtxo: { value: 1n, scriptPubKey: payToTaproot(keys[1]?.slice(1) ?? new Uint8Array(32)) } },
    ].map((records, i) => ({ previousTxid: inputs[i]?.previousTxid ?? txid(EMPTY), outputIndex: 0, ...records }));
    const open = {
      ...COMPUTED,
      inputs: own,
      outputs: COMPUTED.outputs.map(({ script: _, ...output }, i) =>
        i === 0 ? output : { ...output, script: _ ?? new Uint8Array(0) },
      ),
    };
    const signer = shareSigner({
      key: (hash) => knownKey(0, hash160(keys[0] ?? hash), hash),
      xOnlyKey: (x) => knownKey(1, keys[1]?.slice(1) ?? x, x),
    });
    const shared = addSilentPaymentShares(open, signer);
    // Each input has a share of its own, since the taproot coin does not show its internal key.
    expect(shared.global.spEcdhShares).toBeUndefined();
    expect(verifySilentPayments(shared)).toMatchObject([{ status: 'proven' }]);
    const whole = { ...shared, global: { ...shared.global, ...pick(shared.inputs[0]) } };
    expect(verifySilentPayments(whole)[0]?.status).not.toBe('proven');

    function knownKey(i: number, wanted: Uint8Array, given: Uint8Array) {
      const [secretKey, publicKey] = [secretKeys[i], keys[i]];
      return secretKey && publicKey && formatHex(wanted) === formatHex(given) ? { secretKey, publicKey } : undefined;
    }
  });

  test('cannot ask for shares without end', () => {
    const receivers = Array.from({ length: 40 }, (_, i) => {
      const scanSecretKey = new Uint8Array(32).fill(i + 1);
      return createReceiver({ scanSecretKey, spendKey: nobleEcc.publicKey(scanSecretKey) });
    });
    const psbt = build(
      [SEGWIT, TAPROOT],
      receivers.map((receiver) => textOf(receiver)),
    );
    const [first = {}, second = {}] = psbt.inputs;
    const many = { ...psbt, inputs: [...Array.from({ length: 40 }, () => first), second] };
    expect(refusalOf(() => signWith(SEGWIT, many)).code).toBe('silent-payment/count');
  });
});

const keyHashInput = (pubkey: Uint8Array = new Uint8Array(33)): PsbtInput => ({
  witnessUtxo: { value: 1n, scriptPubKey: payToWitness(0, hash160(pubkey)) },
  bip32Derivations: derivationsOf(pubkey),
});
const pick = ({ spEcdhShares = [], spDleqProofs = [] }: PsbtInput = {}) => ({ spEcdhShares, spDleqProofs });
