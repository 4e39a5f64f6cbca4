// All sighashes of a transaction, compared with other libraries.
import { OutScript, Transaction as ScureTransaction } from '@scure/btc-signer';
import { Transaction as BitcoinjsTransaction } from 'bitcoinjs-lib';
import { legacySighash, segwitV0Sighash, sighashMidstate, taprootSighash } from '../dist/core/sighash/index.js';
import { encodeTransaction } from '../dist/core/tx/index.js';
import { makeSpend } from './fixtures.mjs';
import { assert, beside, cell, line, median } from './measure.mjs';

const ALL = 1;
/**
 * Number of digests timed for other libraries, which hash everything again for each input; their time is extrapolated.
 */
const SAMPLE = 20;

/** Digest functions of each library for input `i`, by kind of prevout. */
const KINDS = {
  legacy: {
    scriptPubKey: (hash) => OutScript.encode({ type: 'pkh', hash: hash.slice(0, 20) }),
    ours: ({ tx, prevouts, midstate }, i) =>
      legacySighash({ tx, inputIndex: i, scriptCode: prevouts[i].scriptPubKey, sighashType: ALL, midstate }),
    scure: ({ scure, prevouts }, i) => scure.preimageLegacy(i, prevouts[i].scriptPubKey, ALL),
    bitcoinjs: ({ bitcoinjs, prevouts }, i) => bitcoinjs.hashForSignature(i, prevouts[i].scriptPubKey, ALL),
  },
  'segwit v0': {
    scriptPubKey: (hash) => OutScript.encode({ type: 'pkh', hash: hash.slice(0, 20) }),
    ours: ({ tx, prevouts, midstate }, i) => {
      const { scriptPubKey: scriptCode, value } = prevouts[i];
      return segwitV0Sighash({ tx, inputIndex: i, scriptCode, value, sighashType: ALL, midstate });
    },
    scure: ({ scure, prevouts }, i) => scure.preimageWitnessV0(i, prevouts[i].scriptPubKey, ALL, prevouts[i].value),
    bitcoinjs: ({ bitcoinjs, prevouts }, i) =>
      bitcoinjs.hashForWitnessV0(i, prevouts[i].scriptPubKey, prevouts[i].value, ALL),
  },
  taproot: {
    scriptPubKey: (hash) => Uint8Array.of(0x51, 32, ...hash),
    ours: ({ tx, prevouts, midstate }, i) => taprootSighash({ tx, prevouts, inputIndex: i, sighashType: 0, midstate }),
    scure: ({ scure, scripts, values }, i) => scure.preimageWitnessV1(i, scripts, 0, values),
    bitcoinjs: ({ bitcoinjs, scripts, values }, i) => bitcoinjs.hashForWitnessV1(i, scripts, values, 0),
  },
};

/** The same transaction for every library. */
function makeGiven(inputs, scriptPubKey) {
  const { tx, prevouts } = makeSpend(inputs, scriptPubKey);
  const bytes = encodeTransaction(tx);
  return {
    tx,
    prevouts,
    scripts: prevouts.map((prevout) => prevout.scriptPubKey),
    values: prevouts.map((prevout) => prevout.value),
    scure: ScureTransaction.fromRaw(bytes, { allowUnknownOutputs: true, disableScriptCheck: true }),
    bitcoinjs: BitcoinjsTransaction.fromBuffer(bytes),
  };
}

const sameBytes = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

export function benchSighash() {
  console.log('| all sighashes of | countersign, ms | per input, µs | @scure/btc-signer | bitcoinjs-lib |');
  console.log('|---|---|---|---|---|');
  for (const [kind, { scriptPubKey, ours, scure, bitcoinjs }] of Object.entries(KINDS)) {
    for (const inputs of [1, 100, 1000, 5000]) {
      const given = makeGiven(inputs, scriptPubKey);
      const all = () => {
        const shared = { ...given, midstate: sighashMidstate(given.tx, given.prevouts) };
        for (let i = 0; i < inputs; i += 1) ours(shared, i);
      };
      const step = Math.max(1, Math.floor(inputs / SAMPLE));
      const sampled = Array.from({ length: Math.min(inputs, SAMPLE) }, (_, i) => i * step);
      const shared = { ...given, midstate: sighashMidstate(given.tx, given.prevouts) };
      for (const i of sampled.slice(0, 3)) {
        assert(sameBytes(ours(shared, i), scure(given, i)), `${kind}: scure's digest`);
        assert(sameBytes(ours(shared, i), bitcoinjs(given, i)), `${kind}: bitcoinjs's digest`);
      }
      const timePeer = (digest) => {
        const sample = () => {
          for (const i of sampled) digest(given, i);
        };
        return (median(sample) * inputs) / sampled.length;
      };
      const ms = median(all);
      const perInput = ((ms / inputs) * 1000).toFixed(1);
      const peers = [scure, bitcoinjs].map((digest) => beside(timePeer(digest), ms));
      console.log(line(`${inputs} inputs, ${kind}`, cell(ms), perInput, ...peers));
    }
  }
}
