import { inputCoin } from '../../../src/core/psbt/format/inputCoin.ts';
import {
  addInput,
  addOutput,
  analyzePsbt,
  combinePsbts,
  createDeriver,
  createDescriptorProvider,
  createHolder,
  createPsbt,
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatReview,
  heldKeysIn,
  isPartialSignatureValid,
  joinPsbts,
  keySigner,
  musig2Shares,
  networks,
  nobleEcc,
  POLICY_DEFAULTS,
  type Policy,
  type Psbt,
  type PsbtInput,
  parseTxid,
  psbtSighash,
  removeInput,
  removeOutput,
  reviewPsbt,
  reviewToJson,
  type Signer,
  signPsbt,
  singlePaths,
  toPsbtV0,
  updatePsbt,
  verifyTransaction,
} from '../../support/library.ts';
import { parse, WALLETS } from '../../support/psbts.ts';
import { mutatePsbt } from '../psbtRecords.ts';
import { MUSIG2_PSBTS, OWN_PSBTS } from '../psbtSeeds.ts';
import { word } from '../shapes.ts';
import type { Source } from '../source.ts';
import { attempt, bytesTarget, holds, type Json, jsonTarget, outcomeOf, same, type Target, textOf } from '../target.ts';
import { anyPsbt } from './psbts.ts';

const network = networks.regtest;
const DECODES = ['psbt/', 'bytes/', 'tx/'];
/** What roles refuse in a PSBT that was decoded. */
const LACKS = ['psbt/locktime-conflict', 'psbt/field-required', 'psbt/silent-payment', 'psbt/map-count'];

const descriptors = [WALLETS.wpkh, WALLETS.tree, WALLETS.multi].map(parse);
const derived = descriptors.flatMap(singlePaths).flatMap((single) => [0, 1].map(createDeriver(single)));
const provider = createDescriptorProvider(derived);
const holder = createHolder({
  network,
  ecc: nobleEcc,
  keys: heldKeysIn(descriptors),
  wallets: descriptors.map((descriptor) => ({ descriptor })),
});
const signer: Signer = keySigner(provider);
/** Signs whatever a review finds. */
const ALLOWS_ALL: Policy = Object.fromEntries(Object.keys(POLICY_DEFAULTS).map((check) => [check, 'allow']));

const decoded = (bytes: Uint8Array): Psbt | undefined => attempt(DECODES, () => decodePsbtBytes(bytes));
const near = (source: Source): Uint8Array =>
  source.once(8) ? anyPsbt(source) : mutatePsbt(source, source.pick(OWN_PSBTS), source.pick(OWN_PSBTS));

/** Requires a role's result to be a PSBT that can be sent. */
function checkSent(psbt: Psbt, role: string): void {
  const encoded = encodePsbt(psbt);
  same(textOf(decodePsbtBytes(encoded)), textOf(psbt), `what the ${role} returns survives encoding`);
}

function runUpdate(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  const updated = psbt && attempt(LACKS, () => updatePsbt(psbt, { provider }));
  if (!updated) return;
  checkSent(updated, 'updater');
  // As in Core, each update mirrors the trees of outputs.
  const again = updatePsbt(updatePsbt(updated, { provider }), { provider });
  same(textOf(again), textOf(updated), 'updating again adds nothing');
}

function runFinalize(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  const finished = psbt && attempt(LACKS, () => finalizePsbt(psbt));
  if (!psbt || !finished) return;
  checkSent(finished.psbt, 'finalizer');
  const again = finalizePsbt(finished.psbt);
  holds(again.isComplete === finished.isComplete, 'finalizing again finds the same');
  same(textOf(again.psbt), textOf(finished.psbt), 'finalizing again changes nothing');
  const outcome = outcomeOf([...LACKS, 'psbt/not-final'], () => extractTransaction(finished.psbt));
  holds(!finished.isComplete || outcome.refusal === undefined, 'a complete PSBT can be extracted');
  if (outcome.refusal) return;
  const tx = outcome.result;
  // Without inputs, the formats with and without witnesses look the same.
  if (tx.inputs.length === 0) return;
  same(textOf(decodeTransaction(encodeTransaction(tx))), textOf(tx), 'the extracted transaction can be sent');
  const prevouts = psbt.inputs.map((_, i) => inputCoin(finished.psbt, i)?.coin);
  const known = prevouts.flatMap((coin) => coin ?? []);
  if (known.length === tx.inputs.length && known.length > 0) {
    holds(verifyTransaction(tx, known).isValid, 'the extracted transaction spends its coins');
  }
}

function runSign(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  if (!psbt) return;
  const options = { holder, policy: ALLOWS_ALL };
  const signed = attempt([...LACKS, 'policy/refused', 'descriptor/'], () => signPsbt(psbt, signer, options));
  if (!signed) return;
  checkSent(signed.psbt, 'signer');
  const again = signPsbt(signed.psbt, signer, options);
  same(textOf(again.psbt), textOf(signed.psbt), 'signing again adds nothing');
}

function runReview(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  const review = psbt && attempt([...LACKS, 'descriptor/'], () => reviewPsbt(psbt, { holder }));
  if (!psbt || !review) return;
  const text = formatReview(review);
  holds(!/prv[0-9A-Za-z]{16}/.test(text), 'a review shows no private key');
  holds(
    !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e]/.test(text),
    'a review has no control characters',
  );
  textOf(reviewToJson(review));
  const again = reviewPsbt(decodePsbtBytes(encodePsbt(psbt)), { holder });
  same(formatReview(again), text, 'a sent PSBT is reviewed the same');
}

function runAnalyze(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  const analysis = psbt && attempt(LACKS, () => analyzePsbt(psbt, { maxMoney: network.maxMoney }));
  if (!psbt || !analysis) return;
  const { next } = analysis;
  const isFinal = attempt(LACKS, () => finalizePsbt(psbt))?.isComplete ?? false;
  if (isFinal && psbt.inputs.length > 0) {
    holds(['finalizer', 'extractor', 'creator', 'updater', 'signer'].includes(next), 'the next role is one');
  }
}

function runMusig2(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  const shares = psbt && attempt(LACKS, () => musig2Shares(psbt));
  if (!psbt || !shares) return;
  for (const share of shares.slice(0, 6)) {
    const isValid = isPartialSignatureValid(psbt, share);
    holds(!isValid || share.hasSigned, 'only a signature that is there is valid');
  }
  const before = shares.length > 0 && shares.every((share) => isPartialSignatureValid(psbt, share));
  const finished = attempt(LACKS, () => finalizePsbt(psbt));
  if (before && finished) attempt(['psbt/not-final', ...LACKS], () => extractTransaction(finished.psbt));
}

/** Requires digests of every input to be the same after encoding. */
function runSighash(bytes: Uint8Array): void {
  const psbt = decoded(bytes);
  if (!psbt) return;
  const codes = [...LACKS, 'sighash/', 'psbt/no-coin'];
  for (const [inputIndex] of psbt.inputs.slice(0, 3).entries()) {
    const digest = attempt(codes, () => psbtSighash(psbt, inputIndex));
    if (!digest) continue;
    same(
      textOf(psbtSighash(decodePsbtBytes(encodePsbt(psbt)), inputIndex)),
      textOf(digest),
      'a sent PSBT has the same digests',
    );
  }
}

/** Splits the bytes of two PSBTs that stand one after the other. */
function two(bytes: Uint8Array): readonly Psbt[] {
  const size = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const parts = [bytes.slice(2, 2 + size), bytes.slice(2 + size)];
  return parts.flatMap((part) => decoded(part) ?? []);
}
function pair(source: Source): Uint8Array {
  const seed = source.pick(OWN_PSBTS);
  const first = source.once(4) ? near(source) : mutatePsbt(source, seed, source.pick(OWN_PSBTS));
  const second = source.once(3) ? near(source) : mutatePsbt(source, seed, source.pick(OWN_PSBTS));
  return Uint8Array.from([first.length >> 8, first.length & 0xff, ...first, ...second]);
}

const sorted = (bytes: Uint8Array): string => [...Buffer.from(bytes).toString('hex')].sort().join('');

function runCombine(bytes: Uint8Array): void {
  const psbts = two(bytes);
  const [first, second] = psbts;
  if (!first || !second) return;
  const outcome = attempt(['psbt/different', ...LACKS], () => combinePsbts(psbts));
  const reversed = attempt(['psbt/different', ...LACKS], () => combinePsbts([second, first]));
  holds((outcome === undefined) === (reversed === undefined), 'either order can be combined, or none');
  if (!outcome || !reversed) return;
  checkSent(outcome.psbt, 'combiner');
  same(textOf(combinePsbts([outcome.psbt, second]).psbt), textOf(outcome.psbt), 'combining again adds nothing');
  if (outcome.conflicts.length === 0) {
    same(
      sorted(encodePsbt(reversed.psbt)),
      sorted(encodePsbt(outcome.psbt)),
      'without conflicts the order is of no matter',
    );
  }
}

function runJoin(bytes: Uint8Array): void {
  const psbts = two(bytes).flatMap((psbt) => attempt(LACKS, () => toPsbtV0(psbt)) ?? []);
  if (psbts.length < 2) return;
  const joined = attempt(['psbt/duplicate-input', 'psbt/not-v0', ...LACKS], () => joinPsbts(psbts));
  if (!joined) return;
  checkSent(joined, 'joiner');
  const [first, second] = psbts;
  holds(joined.inputs.length === (first?.inputs.length ?? 0) + (second?.inputs.length ?? 0), 'all inputs are joined');
}

const TXID = parseTxid('11'.repeat(32));

/** Steps of a constructor: what to add or remove, and where. */
const constructing = (source: Source) => ({
  modifiable: source.pick(['inputs', 'outputs', 'both']),
  steps: Array.from({ length: source.next(12) }, () => [source.next(4), source.next(4), word(source)]),
});

/** The locks that an input of a number requires. */
const LOCKS: readonly PsbtInput[] = [{}, { requiredHeightLocktime: 2 }, { requiredTimeLocktime: 500_000_000 }];

/** Carries out a step: what to do, at which input or output, and a number. */
function construct(psbt: Psbt, [kind = 0, at = 0, number = 0]: readonly number[]): Psbt {
  if (kind === 0) return addInput(psbt, { txid: TXID, vout: number }, LOCKS[at] ?? {});
  if (kind === 1) return addOutput(psbt, { value: BigInt(number), scriptPubKey: Uint8Array.of(0x51) });
  if (kind === 2) return at < psbt.inputs.length ? removeInput(psbt, at) : psbt;
  return at < psbt.outputs.length ? removeOutput(psbt, at) : psbt;
}

const isU32 = (number: unknown): number is number =>
  Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) <= 0xffff_ffff;

function runConstruct(input: Json): void {
  if (typeof input !== 'object' || input === null) return;
  const { modifiable, steps } = input as Readonly<Record<string, unknown>>;
  const flags = (['inputs', 'outputs', 'both'] as const).find((one) => one === modifiable);
  if (!Array.isArray(steps) || !flags) return;
  let psbt = createPsbt({ version: 2, inputs: [], outputs: [], locktime: 0 }, { version: 2, modifiable: flags });
  for (const step of steps as readonly unknown[]) {
    if (!Array.isArray(step) || !step.every(isU32)) return;
    const before = psbt;
    const changed = attempt(['psbt/not-modifiable', 'psbt/locktime-conflict'], () => construct(before, step));
    if (!changed) continue;
    checkSent(changed, 'constructor');
    toPsbtV0(changed);
    psbt = changed;
  }
}

export const ROLE_TARGETS: readonly Target[] = [
  bytesTarget('psbt-update', { generate: near, run: runUpdate }),
  bytesTarget('psbt-sign', { generate: near, run: runSign }),
  bytesTarget('psbt-finalize', { generate: near, run: runFinalize }),
  bytesTarget('psbt-review', { generate: near, run: runReview }),
  bytesTarget('psbt-analyze', { generate: near, run: runAnalyze }),
  bytesTarget('psbt-sighash', { generate: near, run: runSighash }),
  bytesTarget('psbt-musig2', {
    generate: (source) => mutatePsbt(source, source.pick(MUSIG2_PSBTS), source.pick(MUSIG2_PSBTS)),
    run: runMusig2,
  }),
  bytesTarget('psbt-combine', { generate: pair, run: runCombine }),
  bytesTarget('psbt-join', { generate: pair, run: runJoin }),
  jsonTarget('psbt-construct', { generate: constructing, run: runConstruct }),
];
