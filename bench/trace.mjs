// What it costs to watch scripts: tapscripts of n, 2n and 4n bytes, verified, traced to the end, and traced for 1000 steps.
import { nobleEcc } from '../dist/core/crypto/index.js';
import { MANDATORY_FLAGS, traceInput, verifyInput } from '../dist/core/interpreter/index.js';
import { OP, tapLeafHash, tapTweakHash } from '../dist/core/script/index.js';
import { assert, cell, line, timeOnce } from './measure.mjs';

const SIZES = [1_000_000, 2_000_000, 4_000_000];
const ROUNDS = 3;

const repeated = (size, unit) => Uint8Array.from({ length: size }, (_, i) => unit[i % unit.length]);
const filled = (count, byte) => new Uint8Array(count).fill(byte);

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Spends a leaf with these items. */
function spendOf(script, items) {
  const internalKey = nobleEcc.publicKey(filled(32, 3)).slice(1);
  const output = nobleEcc.tweakPublicKey(internalKey, tapTweakHash(internalKey, tapLeafHash(script)));
  const witness = [...items, script, joined([0xc0 | output.parity], internalKey)];
  const outpoint = { txid: filled(32, 1), vout: 0 };
  const inputs = [{ outpoint, scriptSig: filled(0, 0), sequence: 0xffffffff, witness }];
  const prevouts = [{ value: 5n, scriptPubKey: joined([OP['1'], 32], output.publicKey) }];
  return { tx: { version: 2, locktime: 0, inputs, outputs: [] }, inputIndex: 0, prevouts, flags: MANDATORY_FLAGS };
}

const DEPTH = 980;
const items = Array.from({ length: DEPTH + 1 }, (_, i) => filled(80, (i % 255) + 1));
/** Each ends with one true item. */
const SCRIPTS = {
  'one item': (size) => spendOf(joined(repeated(size - 1, [OP.NOP]), [OP['1']]), []),
  'pushes on 981 items': (size) =>
    spendOf(joined(repeated((size >> 1) * 2, [OP.DUP, OP.DROP]), filled(DEPTH, OP.DROP)), items),
  'rolls among 981 items': (size) =>
    spendOf(joined(repeated((size >> 2) * 4, [2, DEPTH & 0xff, DEPTH >> 8, OP.ROLL]), filled(DEPTH, OP.DROP)), items),
};

/** Of the fastest of a few rounds. */
const least = (work) => Math.min(...Array.from({ length: ROUNDS }, () => timeOnce(work)));

export function benchTrace() {
  console.log('| a tapscript | bytes | verified, ms | traced | for each step, µs | first 1000 steps | kept, MB |');
  console.log('|---|---|---|---|---|---|---|');
  for (const [name, make] of Object.entries(SCRIPTS)) {
    for (const size of SIZES) {
      const spend = make(size);
      assert(verifyInput(spend).kind === 'valid', 'a valid spend');
      let steps = 0;
      const traced = () => {
        ({ steps } = traceInput(spend, () => true));
      };
      const verified = least(() => verifyInput(spend));
      globalThis.gc?.();
      const before = process.memoryUsage().heapUsed;
      const ms = least(traced);
      globalThis.gc?.();
      const kept = (process.memoryUsage().heapUsed - before) / 1e6;
      const first = least(() => {
        let seen = 0;
        traceInput(spend, () => {
          seen += 1;
          return seen < 1000;
        });
      });
      console.log(line(name, size, cell(verified), cell(ms), cell((ms * 1000) / steps), cell(first), kept.toFixed(1)));
    }
  }
}
