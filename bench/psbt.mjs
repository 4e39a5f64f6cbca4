// From an unsigned PSBT to the signed transaction, compared with other libraries; and the cost of a review.
import { Transaction as ScureTransaction } from '@scure/btc-signer';
import { initEccLib, Psbt } from 'bitcoinjs-lib';
import * as tiny from 'tiny-secp256k1';
import { createSignatureCache, nobleEcc } from '../dist/core/crypto/index.js';
import { nativeSecp256k1Ecc } from '../dist/core/crypto/nativeSecp256k1.js';
import { tinySecp256k1Ecc } from '../dist/core/crypto/tinySecp256k1.js';
import { createHolder } from '../dist/core/holder/index.js';
import { verifyTransaction } from '../dist/core/interpreter/index.js';
import { deriveForPsbt, signPsbt } from '../dist/core/job/index.js';
import { networks } from '../dist/core/network/index.js';
import {
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  keySigner,
  parsePsbt,
  signingRequests,
} from '../dist/core/psbt/index.js';
import { assertAccepted, reviewPsbt } from '../dist/core/report/index.js';
import { createDescriptorProvider, createSigningProvider } from '../dist/core/signing/index.js';
import { decodeTransaction, encodeTransaction, txid } from '../dist/core/tx/index.js';
import { processPsbt } from './internals.built.mjs';
import { assert, cell, line, median, timeOnce } from './measure.mjs';
import { makePsbtTask, PSBT_KINDS } from './psbtTasks.mjs';
import { ecdsaSigner, keyPathSigner, leafSigner } from './tinySigners.mjs';

initEccLib(tiny);

const ECCS = { noble: nobleEcc, 'tiny-secp256k1': tinySecp256k1Ecc, 'secp256k1 (native)': nativeSecp256k1Ecc };

function providerOfKeys({ secretKeys }, ecc) {
  const keys = secretKeys.flat().map((secretKey) => ({ secretKey, isCompressed: true }));
  return createSigningProvider({ keys, scripts: [] }, { ecc });
}

/** Reviews, signs with the given keys, finalizes and extracts; the roles share a signature cache. */
function withSignPsbt(task, ecc) {
  const shared = { ecc, cache: createSignatureCache() };
  const psbt = parsePsbt(task.bytes);
  const signed = signPsbt(psbt, keySigner(providerOfKeys(task, ecc), shared), shared);
  return encodeTransaction(extractTransaction(finalizePsbt(signed.psbt, shared).psbt, shared));
}

/** Like `descriptorprocesspsbt`, but derives only the indexes in the PSBT. */
function withProcessPsbt({ bytes, descriptor }, ecc) {
  const shared = { ecc, cache: createSignatureCache() };
  const psbt = parsePsbt(bytes);
  const provider = createDescriptorProvider(deriveForPsbt(psbt, [descriptor], { ecc }));
  const processed = processPsbt(psbt, { ...shared, provider, signs: 'keys', finalizes: true });
  return encodeTransaction(extractTransaction(processed.psbt, shared));
}

/** Grinds for a low r (two attempts on average) and signs Schnorr without entropy, as countersign does. */
function withScure({ bytes, secretKeys }) {
  const tx = ScureTransaction.fromPSBT(bytes, { lowR: true });
  for (const [i, keys] of secretKeys.entries()) {
    for (const key of keys) tx.signIdx(key, i, undefined, new Uint8Array(32));
  }
  tx.finalize();
  return tx.extract();
}

/** Uses the same nonces as countersign, so that the transactions are equal byte for byte. */
function withBitcoinjs({ bytes, secretKeys }) {
  const psbt = Psbt.fromBuffer(bytes);
  for (const [i, keys] of secretKeys.entries()) {
    const { tapInternalKey, tapLeafScript } = psbt.data.inputs[i];
    const signerOf = tapLeafScript ? leafSigner : tapInternalKey ? keyPathSigner : ecdsaSigner;
    for (const key of keys) psbt.signInput(i, signerOf(key));
  }
  psbt.finalizeAllInputs();
  return psbt.extractTransaction().toBuffer();
}

/**
 * Checks, before timing, that all libraries sign the same transaction validly, and with the same nonces, except scure,
 * which counts from zero.
 */
function assertSameTransaction(task) {
  const expected = withSignPsbt(task, nativeSecp256k1Ecc);
  const tx = decodeTransaction(expected);
  assert(verifyTransaction(tx, task.prevouts, { ecc: nativeSecp256k1Ecc }).isValid, 'valid');
  const same = [...Object.values(ECCS).map((ecc) => withProcessPsbt(task, ecc)), withBitcoinjs(task)];
  for (const bytes of same) assert(Buffer.compare(bytes, expected) === 0, 'the same transaction');
  const scures = decodeTransaction(withScure(task));
  assert(Buffer.compare(txid(scures), txid(tx)) === 0, 'the same txid');
  assert(verifyTransaction(scures, task.prevouts, { ecc: nativeSecp256k1Ecc }).isValid, 'valid');
}

/** Measures a run in milliseconds; long runs only once: other libraries take half a minute for a thousand inputs. */
function time(work) {
  const once = timeOnce(work);
  return once > 1500 ? once : median(work, { budgetMs: 1000 });
}

const PEERS = { '@scure/btc-signer': withScure, 'bitcoinjs-lib + tiny-secp256k1': withBitcoinjs };

/** Milliseconds by name of the signer. */
function timesOf(task) {
  const times = {};
  for (const [path, work] of Object.entries({ signPsbt: withSignPsbt, processPsbt: withProcessPsbt })) {
    for (const [name, ecc] of Object.entries(ECCS)) times[`${path}, ${name}`] = time(() => work(task, ecc));
  }
  for (const [name, work] of Object.entries(PEERS)) times[name] = time(() => work(task));
  return times;
}

export function benchPsbt() {
  const measured = PSBT_KINDS.flatMap((kind) => {
    assertSameTransaction(makePsbtTask(kind, 20));
    return [1, 100, 1000].map((inputs) => ({ kind, inputs, times: timesOf(makePsbtTask(kind, inputs)) }));
  });
  printRates(measured);
  printGrowth(measured);
  printSteps();
  printReviews();
}

/**
 * Compares each library with countersign over the same curve backend: scure with noble, bitcoinjs-lib with
 * tiny-secp256k1.
 */
function printRates(measured) {
  const header = ['inputs a second', ...Object.keys(ECCS), ...Object.keys(PEERS)];
  console.log(line(...header));
  console.log(line(...header.map(() => '---')));
  for (const { kind, inputs, times } of measured) {
    for (const path of ['signPsbt', 'processPsbt']) {
      const rate = (name) => (1000 * inputs) / times[name];
      const ours = Object.keys(ECCS).map((name) => rate(`${path}, ${name}`));
      const peers = Object.keys(PEERS).map((name, i) => `${cell(rate(name))} (${(ours[i] / rate(name)).toFixed(1)}×)`);
      console.log(line(`${inputs} of ${kind}, ${path}`, ...ours.map(cell), ...peers));
    }
  }
}

function printGrowth(measured) {
  const who = Object.keys(measured[0].times);
  console.log(`\n${line('time an input at 1000, to that at 100', ...who)}`);
  console.log(line('---', ...who.map(() => '---')));
  for (const { kind, inputs, times } of measured) {
    if (inputs !== 1000) continue;
    const fewer = measured.find((other) => other.kind === kind && other.inputs === 100).times;
    console.log(line(kind, ...who.map((name) => `${(times[name] / 10 / fewer[name]).toFixed(2)}×`)));
  }
}

/** Prepares the input of each step. */
function stepsOf(task, ecc) {
  const fresh = () => ({ ecc, cache: createSignatureCache() });
  const psbt = parsePsbt(task.bytes);
  const provider = providerOfKeys(task, ecc);
  const sign = (shared) => {
    const signer = keySigner(provider, shared);
    const requests = signingRequests(psbt, shared);
    let step = requests.next();
    while (!step.done) step = requests.next(signer(step.value));
    return step.value.psbt;
  };
  const seen = fresh();
  const signed = sign(seen);
  const final = finalizePsbt(signed, seen).psbt;
  const tx = extractTransaction(final, seen);
  const descriptors = () => createDescriptorProvider(deriveForPsbt(psbt, [task.descriptor], { ecc }));
  const derived = descriptors();
  return {
    decode: () => parsePsbt(task.bytes),
    'public keys': () => providerOfKeys(task, ecc),
    review: () =>
      assertAccepted(reviewPsbt(psbt, { ...fresh(), holder: createHolder({ network: networks.main, ecc }) })),
    sign: () => sign(fresh()),
    'finalize, verified before': () => finalizePsbt(signed, seen),
    'extract, verified before': () => extractTransaction(final, seen),
    encode: () => encodeTransaction(tx),
    'finalize, alone': () => finalizePsbt(signed, fresh()),
    'extract, alone': () => extractTransaction(final, fresh()),
    'derive descriptors': descriptors,
    processPsbt: () => processPsbt(psbt, { ...fresh(), provider: derived, signs: 'keys', finalizes: true }),
  };
}

function printSteps() {
  const steps = Object.keys(stepsOf(makePsbtTask('wpkh', 1), nativeSecp256k1Ecc));
  console.log(`\n${line('µs an input, of 1000, native secp256k1', ...steps)}`);
  console.log(line('---', ...steps.map(() => '---')));
  for (const kind of PSBT_KINDS) {
    const works = Object.values(stepsOf(makePsbtTask(kind, 1000), nativeSecp256k1Ecc));
    console.log(line(kind, ...works.map((work) => cell(median(work, { budgetMs: 1000 })))));
  }
}

/** Makes only the signature checks of a review. */
function signatureChecks(psbt, ecc) {
  const asked = [];
  const { verifyEcdsa } = ecc;
  const recording = { ...ecc, verifyEcdsa: (...given) => asked.push(given) > 0 && verifyEcdsa(...given) };
  reviewPsbt(psbt, { ecc: recording });
  return { count: asked.length, run: () => asked.every((given) => verifyEcdsa(...given)) };
}

const REVIEWED = 200;

function printReviews() {
  const header = ['arithmetic', 'decode, ms', 'review, ms', 'signature checks, ms', '(review - checks) / decode'];
  console.log(`\n${line(`review of ${REVIEWED} inputs`, ...header, 'review with nothing to check / decode')}`);
  console.log('|---|---|---|---|---|---|---|');
  for (const kind of PSBT_KINDS.filter((name) => !name.startsWith('tr'))) {
    const task = makePsbtTask(kind, REVIEWED);
    const unsigned = parsePsbt(task.bytes);
    const ecc = nativeSecp256k1Ecc;
    const { psbt: signed } = signPsbt(unsigned, keySigner(providerOfKeys(task, ecc), { ecc }), { ecc });
    printReview(`${kind}, unsigned`, unsigned);
    printReview(`${kind}, signed`, signed);
  }
}

function printReview(what, psbt) {
  const bytes = encodePsbt(psbt);
  const decode = median(() => parsePsbt(bytes));
  const reviewWith = (ecc) => median(() => reviewPsbt(psbt, { ecc }));
  const unchecked = reviewWith({ ...nativeSecp256k1Ecc, verifyEcdsa: () => true });
  for (const name of ['noble', 'secp256k1 (native)']) {
    const { count, run } = signatureChecks(psbt, ECCS[name]);
    assert(run(), 'valid signatures');
    const checks = count > 0 ? median(run) : 0;
    const review = reviewWith(ECCS[name]);
    const ratios = [review - checks, unchecked].map((ms) => `${(ms / decode).toFixed(1)}×`);
    console.log(
      line(what, name, cell(decode), cell(review), `${count > 0 ? cell(checks) : '–'} (${count})`, ...ratios),
    );
  }
}
