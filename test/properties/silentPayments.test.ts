import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodePush,
  payToPubkeyHash,
  payToTaproot,
  payToWitness,
  wrapInScriptHash,
} from '../../src/core/script/build.ts';
import { type Account, accountFromWords, buildPsbt, reviewWith, signWith } from '../../src/kit/account/index.ts';
import { rounds } from '../support/campaign.ts';
import {
  BtcError,
  createReceiver,
  encodeTransaction,
  formatHex,
  formatSilentPaymentAddress,
  formatTxid,
  hash160,
  networks,
  nobleEcc,
  POLICY_DEFAULTS,
  type Policy,
  type Psbt,
  type PsbtInput,
  type PsbtReview,
  parseTxid,
  type SilentPaymentReceiver,
  type Transaction,
  type TxOut,
  txid,
  unsignedTransaction,
} from '../support/library.ts';

/**
 * Checks that a receiver finds what a review calls proven, however others changed the PSBT. A chain of its own says what
 * the coins are.
 */

const network = networks.regtest;
const WORDS = `${'abandon '.repeat(11)}about`;
const ACCOUNTS = ([44, 49, 84, 86] as const).map((purpose) =>
  accountFromWords(WORDS, { network: 'regtest', purpose, passphrase: String(purpose) }),
);
const ALLOW_ALL: Policy = Object.fromEntries(Object.keys(POLICY_DEFAULTS).map((check) => [check, 'allow']));
const NO_BYTES = new Uint8Array(0);
const secret = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** Receivers by the text of each of their addresses. Strangers hide behind the scan key of the first. */
const RECEIVERS: ReadonlyMap<string, SilentPaymentReceiver> = new Map(
  [
    { scan: 5, spend: 6, labels: [1, 2] },
    { scan: 7, spend: 6, labels: [] },
    ...[9, 10, 11, 12].map((spend) => ({ scan: 5, spend, labels: [] })),
  ].flatMap(({ scan, spend, labels }) => {
    const receiver = createReceiver({
      scanSecretKey: secret(scan),
      spendKey: nobleEcc.publicKey(secret(spend)),
      labels,
    });
    return [undefined, ...labels].map(
      (label) => [formatSilentPaymentAddress(receiver.address(label), network), receiver] as const,
    );
  }),
);
const ADDRESSES = [...RECEIVERS.keys()];

interface Coin {
  readonly previous: Transaction;
  readonly owner: Account;
  readonly index: number;
}

function coinOf(owner: Account, index: number): Coin {
  const outpoint = { txid: parseTxid(`0${index + 1}`.repeat(32)), vout: 0 };
  const previous: Transaction = {
    version: 2,
    locktime: 0,
    inputs: [{ outpoint, scriptSig: NO_BYTES, sequence: 0, witness: [] }],
    outputs: [{ value: 100_000_000n, scriptPubKey: owner.receive(index).scriptPubKey }],
  };
  return { previous, owner, index };
}

const SIGNATURE = new Uint8Array(71).fill(0x30);

/** Spends a coin as the chain would show it. */
function spendOf({ owner, index }: Coin): Pick<Transaction['inputs'][number], 'scriptSig' | 'witness'> {
  const { scriptPubKey, derived } = owner.receive(index);
  const key = derived.keys[0]?.publicKey ?? NO_BYTES;
  const program = payToWitness(0, hash160(key));
  const scripts = [payToPubkeyHash(hash160(key)), wrapInScriptHash(program), program].map(formatHex);
  switch (scripts.indexOf(formatHex(scriptPubKey))) {
    case 0:
      return { scriptSig: Uint8Array.of(...encodePush(SIGNATURE), ...encodePush(key)), witness: [] };
    case 1:
      return { scriptSig: encodePush(program), witness: [SIGNATURE, key] };
    case 2:
      return { scriptSig: NO_BYTES, witness: [SIGNATURE, key] };
    default:
      return { scriptSig: NO_BYTES, witness: [SIGNATURE.slice(0, 64)] };
  }
}

/** Computes all scripts, with shares of each owner, none of whom asks who the receivers are; then drops the signatures. */
function computed(coins: readonly Coin[], to: readonly string[]): Psbt {
  const [first] = coins;
  if (!first) throw new Error('no coins');
  let psbt = buildPsbt({
    inputs: coins.map(({ previous, owner, index }) => ({
      txid: formatTxid(txid(previous)),
      vout: 0,
      from: owner.receive(index),
      previousTransaction: encodeTransaction(previous),
    })),
    outputs: to.map((address) => ({ to: address, value: 10_000n })),
    change: first.owner.change(0),
    fee: 1000n,
    sameReceiver: to,
  });
  for (const { owner } of coins) {
    psbt = signWith(owner, psbt, { sameReceiver: to, finalize: false, policy: ALLOW_ALL }).psbt;
  }
  return { ...psbt, inputs: psbt.inputs.map(({ partialSigs: _, tapKeySig: __, sighashType: ___, ...input }) => input) };
}

type Mutation = (psbt: Psbt, at: number) => Psbt;

const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte));
const pick = <T>(list: readonly T[], at: number): T => {
  const item = list[at % list.length];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
};
const ofInput =
  (change: (input: PsbtInput, at: number) => PsbtInput): Mutation =>
  (psbt, at) => ({
    ...psbt,
    inputs: psbt.inputs.map((input, i) => (i === at % psbt.inputs.length ? change(input, at) : input)),
  });
const ofOutput =
  (change: (output: Psbt['outputs'][number], psbt: Psbt, at: number) => Psbt['outputs'][number]): Mutation =>
  (psbt, at) => ({
    ...psbt,
    outputs: psbt.outputs.map((output, i) => (i === at % psbt.outputs.length ? change(output, psbt, at) : output)),
  });
type Shares = Pick<PsbtInput, 'spEcdhShares' | 'spDleqProofs'>;
const withProofs = (map: Shares, change: (proof: Uint8Array) => Uint8Array): Shares => ({
  ...map,
  spDleqProofs: (map.spDleqProofs ?? []).map((each) => ({ ...each, proof: change(each.proof) })),
});
const without = <T extends object>(map: T, ...names: readonly (keyof T)[]): T =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !names.some((each) => each === name))) as T;
/** Shows a coin without its previous transaction. */
const claiming = (input: PsbtInput, scriptPubKey?: Uint8Array): PsbtInput => {
  const coin = input.nonWitnessUtxo?.outputs[0] ?? input.witnessUtxo;
  return coin
    ? { ...without(input, 'nonWitnessUtxo'), witnessUtxo: { ...coin, ...(scriptPubKey && { scriptPubKey }) } }
    : input;
};

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  nothing: (psbt) => psbt,
  'a coin that is only claimed': ofInput((input) => claiming(input)),
  'coins that are only claimed': (psbt) => ({ ...psbt, inputs: psbt.inputs.map((input) => claiming(input)) }),
  'a coin of another script': ofInput((input) => claiming(input, payToWitness(1, secret(1)))),
  'a coin of another key': ofInput((input, at) => ({
    ...claiming(input, payToWitness(0, hash160(nobleEcc.publicKey(secret(at + 1))))),
    bip32Derivations: [{ pubkey: nobleEcc.publicKey(secret(at + 1)), fingerprint: new Uint8Array(4), path: [] }],
  })),
  'a coin that counts for nothing': ofInput((input) => claiming(input, payToWitness(0, secret(3)))),
  'an input without its key': ofInput((input) => without(input, 'bip32Derivations', 'tapInternalKey')),
  'an input without a share': ofInput((input) => without(input, 'spEcdhShares')),
  'an input without a proof': ofInput((input) => without(input, 'spDleqProofs')),
  'a false proof': ofInput((input) => ({ ...input, ...withProofs(input, flip) })),
  'a false share': ofInput((input, at) => ({
    ...input,
    spEcdhShares: (input.spEcdhShares ?? []).map((each) => ({ ...each, share: nobleEcc.publicKey(secret(at + 1)) })),
  })),
  'shares of another input': (psbt, at) => {
    const { spEcdhShares, spDleqProofs } = pick(psbt.inputs, at + 1);
    return ofInput((input) => ({
      ...input,
      ...(spEcdhShares && { spEcdhShares }),
      ...(spDleqProofs && { spDleqProofs }),
    }))(psbt, at);
  },
  'shares of an input for all': (psbt, at) => {
    const { spEcdhShares = [], spDleqProofs = [] } = pick(psbt.inputs, at);
    return { ...psbt, global: { ...psbt.global, spEcdhShares, spDleqProofs } };
  },
  'a false proof for all': (psbt) => ({ ...psbt, global: { ...psbt.global, ...withProofs(psbt.global, flip) } }),
  'another hash type': ofInput((input, at) => ({ ...input, sighashType: pick([0, 2, 3, 0x81, 0x83], at) })),
  'a signature that leaves inputs open': ofInput((input) => ({
    ...input,
    partialSigs: [{ pubkey: nobleEcc.publicKey(secret(1)), signature: Uint8Array.of(...SIGNATURE, 0x81) }],
  })),
  'inputs that may be added': (psbt) => ({ ...psbt, global: { ...psbt.global, txModifiable: 1 } }),
  'one input less': (psbt, at) => ({
    ...psbt,
    inputs: psbt.inputs.filter((_, i) => psbt.inputs.length === 1 || i !== at % psbt.inputs.length),
  }),
  'inputs in another order': (psbt) => ({ ...psbt, inputs: [...psbt.inputs].reverse() }),
  'outputs in another order': (psbt) => ({ ...psbt, outputs: [...psbt.outputs].reverse() }),
  'one output less': (psbt, at) => ({
    ...psbt,
    outputs: psbt.outputs.filter((_, i) => i !== at % psbt.outputs.length),
  }),
  'an output twice': (psbt, at) => ({ ...psbt, outputs: [...psbt.outputs, pick(psbt.outputs, at)] }),
  'scripts of two outputs exchanged': (psbt, at) => {
    const scripts = [pick(psbt.outputs, at), pick(psbt.outputs, at + 1)].map(({ script = NO_BYTES }) => script);
    const [a, b] = [at % psbt.outputs.length, (at + 1) % psbt.outputs.length];
    const outputs = psbt.outputs.map((output, i) =>
      i === a
        ? { ...output, script: scripts[1] ?? NO_BYTES }
        : i === b
          ? { ...output, script: scripts[0] ?? NO_BYTES }
          : output,
    );
    return { ...psbt, outputs };
  },
  'another script': ofOutput((output, _, at) => ({ ...output, script: payToTaproot(secret(at + 1)) })),
  'an output without its script': ofOutput((output) => (output.spV0Info ? without(output, 'script') : output)),
  'an output without its address': ofOutput((output) => without(output, 'spV0Info')),
  'the address of another output': ofOutput((output, psbt, at) => {
    const { spV0Info } = pick(psbt.outputs, at + 1);
    return { ...output, ...(spV0Info && { spV0Info }) };
  }),
  'the spend key of a stranger': ofOutput((output, _, at) =>
    output.spV0Info
      ? { ...output, spV0Info: { ...output.spV0Info, spendKey: nobleEcc.publicKey(secret(9 + (at % 4))) } }
      : output,
  ),
  'the label of change': ofOutput((output) => (output.spV0Info ? { ...output, spV0Label: 0 } : output)),
};

function reviewed(me: Account, psbt: Psbt): PsbtReview | undefined {
  try {
    return reviewWith(me, psbt);
  } catch (error) {
    expect(error).toBeInstanceOf(BtcError);
    return undefined;
  }
}

/** Returns what receivers see once all have signed, and the coins that it spends in truth. */
function confirmed(psbt: Psbt, coins: readonly Coin[]): { readonly tx: Transaction; readonly spent: readonly TxOut[] } {
  const byTxid = new Map(coins.map((coin) => [formatHex(txid(coin.previous)), coin]));
  // Scripts of other receivers that are not computed yet do not matter.
  const outputs = psbt.outputs.map((output) => ({ script: payToTaproot(secret(1)), ...output }));
  const tx = unsignedTransaction({ ...psbt, outputs });
  const spends = tx.inputs.map((input) => {
    const coin = byTxid.get(formatHex(input.outpoint.txid));
    if (!coin) throw new Error('no such coin');
    return { input: { ...input, ...spendOf(coin) }, spent: coin.previous.outputs[0] as TxOut };
  });
  return { tx: { ...tx, inputs: spends.map(({ input }) => input) }, spent: spends.map(({ spent }) => spent) };
}

/** Places that mutations are applied at, by their names. */
type Variant = readonly (readonly [name: string, at: number])[];

/** Checks that what a review calls proven is found; counts the payments by their status. */
function expectFound(psbt: Psbt, coins: readonly Coin[], counts: Map<string, number>): void {
  const [first] = coins;
  const review = first && psbt.inputs.length > 0 ? reviewed(first.owner, psbt) : undefined;
  for (const { outputIndex, silentPayment } of review?.outputs ?? []) {
    if (!silentPayment) continue;
    const { status, address = '' } = silentPayment;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status !== 'proven') continue;
    const { tx, spent } = confirmed(psbt, coins);
    const found = RECEIVERS.get(address)?.findPayments(tx, spent);
    expect(found?.map(({ vout }) => vout)).toContain(outputIndex);
  }
}

test('a payment that a review calls proven is found by its receiver', () => {
  const counts = new Map<string, number>();
  const names = fc.constantFrom(...Object.keys(MUTATIONS));
  const variants: fc.Arbitrary<Variant> = fc.array(fc.tuple(names, fc.nat(20)), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...ACCOUNTS), { minLength: 1, maxLength: 3 }),
      fc.array(fc.constantFrom(...ADDRESSES), { minLength: 1, maxLength: 3 }),
      fc.array(variants, { minLength: 8, maxLength: 8 }),
      (owners, to, all) => {
        const coins = owners.map(coinOf);
        const base = computed(coins, to);
        for (const variant of all) {
          const psbt = variant.reduce((at, [name, place]) => MUTATIONS[name]?.(at, place) ?? at, base);
          expectFound(psbt, coins, counts);
        }
      },
    ),
    { numRuns: rounds(160) },
  );
  for (const status of ['proven', 'conditional', 'claimed', 'refuted']) expect(counts.get(status)).toBeGreaterThan(5);
}, 300_000);
