// Decoding, compared with other libraries.
import { Point } from '@noble/secp256k1';
import { RawTx, Transaction as ScureTransaction } from '@scure/btc-signer';
import { Transaction as BitcoinjsTransaction, Psbt } from 'bitcoinjs-lib';
import { parsePsbt } from '../dist/index.js';
import { answerText, createRpc, decodePsbt, decodeRawTransaction, stringifyRpc } from '../dist/rpc.js';
import { makePsbt, makeTransaction } from './fixtures.mjs';
import { isValidPublicKey } from './internals.built.mjs';
import { assert, median, row } from './measure.mjs';

const base64Of = (bytes) => Buffer.from(bytes).toString('base64');
const hexOf = (bytes) => Buffer.from(bytes).toString('hex');

const rpc = createRpc();

/** Makes a call that answers a JSON-RPC request of one argument with text, as `serve` and `batch` do. */
function requestOf(method, argument) {
  const request = JSON.stringify({ method, params: [argument] });
  return () => answerText(rpc, request);
}

/** Checks, before timing, that all libraries read the same counts, amounts and fee. */
function assertSamePsbt(base64, bytes) {
  const answer = decodePsbt([base64]);
  const scure = ScureTransaction.fromPSBT(bytes);
  const bitcoinjs = Psbt.fromBase64(base64);
  assert(answer.inputs.length === scure.inputsLength && answer.inputs.length === bitcoinjs.inputCount, 'inputs');
  answer.inputs.forEach((input, i) => {
    const sats = BigInt(Math.round(input.witness_utxo.amount * 1e8));
    assert(scure.getInput(i).witnessUtxo.amount === sats, 'amount');
    assert(bitcoinjs.data.inputs[i].witnessUtxo.value === sats, 'amount');
  });
  assert(JSON.parse(stringifyRpc(answer)).fee === answer.fee, 'fee');
  assert(requestOf('decodepsbt', base64)().includes(stringifyRpc(answer)), 'text');
}

export function benchDecode() {
  benchDecodePsbt();
  benchPlainData();
  benchDecodeTransaction();
  benchPublicKeys();
}

function benchDecodePsbt() {
  console.log('| decodepsbt to JSON text | countersign, ms | @scure/btc-signer fromPSBT | bitcoinjs-lib fromBase64 |');
  console.log('|---|---|---|---|');
  for (const [what, inputs, options] of [
    ['1 input', 1, {}],
    ['20 inputs', 20, {}],
    ['200 inputs', 200, {}],
    ['200 inputs, 2-of-3 P2WSH', 200, { cosigners: 3 }],
    ['1 MB: 2750 inputs', 2750, {}],
    ['1020 inputs, 2-of-3 P2WSH', 1020, { cosigners: 3 }],
    ['1 MB: 200 inputs, previous transactions of 150 outputs', 200, { previousOutputs: 150 }],
  ]) {
    const bytes = makePsbt(inputs, options);
    const base64 = base64Of(bytes);
    assertSamePsbt(base64, bytes);
    const ours = median(requestOf('decodepsbt', base64));
    const scure = median(() => ScureTransaction.fromPSBT(bytes));
    const bitcoinjs = median(() => Psbt.fromBase64(base64));
    console.log(row(`${what} (${(bytes.length / 1000).toFixed(1)} kB)`, ours, scure, bitcoinjs));
  }
}

function benchPlainData() {
  console.log('\n| decode to plain data, no JSON | countersign, ms | @scure/btc-signer fromPSBT |');
  console.log('|---|---|---|');
  for (const inputs of [1, 20, 200, 2750]) {
    const bytes = makePsbt(inputs);
    const ours = median(() => parsePsbt(bytes));
    console.log(
      row(
        `${inputs} inputs`,
        ours,
        median(() => ScureTransaction.fromPSBT(bytes)),
      ),
    );
  }
}

function benchDecodeTransaction() {
  console.log(
    '\n| decoderawtransaction to JSON text | countersign, ms | @scure/btc-signer RawTx | bitcoinjs-lib fromHex, getId |',
  );
  console.log('|---|---|---|---|');
  for (const inputs of [1, 20, 200, 2000]) {
    const bytes = makeTransaction(inputs);
    const hex = hexOf(bytes);
    assert(decodeRawTransaction([hex]).txid === BitcoinjsTransaction.fromHex(hex).getId(), 'txid');
    const ours = median(requestOf('decoderawtransaction', hex));
    const scure = median(() => RawTx.decode(bytes));
    const bitcoinjs = median(() => BitcoinjsTransaction.fromHex(hex).getId());
    console.log(row(`${inputs} inputs (${(bytes.length / 1000).toFixed(1)} kB)`, ours, scure, bitcoinjs));
  }
}

function benchPublicKeys() {
  console.log('\n| 1000 public keys on the curve? | countersign, ms | @noble/secp256k1 |');
  console.log('|---|---|---|');
  const keys = parsePsbt(makePsbt(1000)).inputs.map((input) => input.partialSigs[0].pubkey);
  const ours = median(() => assert(keys.every(isValidPublicKey), 'keys'));
  console.log(
    row(
      'compressed',
      ours,
      median(() =>
        assert(
          keys.every((key) => Point.fromBytes(key).assertValidity()),
          'keys',
        ),
      ),
    ),
  );
}
