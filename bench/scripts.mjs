// Verifying signed inputs with each curve backend, compared with bitcore-lib's interpreter.
import bitcore from 'bitcore-lib';
import { createSignatureCache, nobleEcc, withSignatureCache } from '../dist/core/crypto/index.js';
import { nativeSecp256k1Ecc } from '../dist/core/crypto/nativeSecp256k1.js';
import { tinySecp256k1Ecc } from '../dist/core/crypto/tinySecp256k1.js';
import { verifyTransaction } from '../dist/core/interpreter/index.js';
import { encodeTransaction } from '../dist/core/tx/index.js';
import { makeSignedSpend, SPEND_KINDS } from './fixtures.mjs';
import { assert, beside, cell, line, median } from './measure.mjs';

const { Script, Transaction } = bitcore;
const { Interpreter } = Script;
const INPUTS = 20;

/**
 * Flags not used, so that both do the same work: bitcore-lib's CLEANSTACK, which refuses every spend, and SIGPUSHONLY.
 */
const LEFT_OUT = ['SCRIPT_VERIFY_SIGPUSHONLY', 'SCRIPT_VERIFY_CLEANSTACK'];
const FLAGS = Object.entries(Interpreter)
  .filter(([name]) => name.startsWith('SCRIPT_VERIFY_') && !LEFT_OUT.includes(name))
  .reduce((flags, [, flag]) => flags | flag, 0);

/** Verifies all inputs with bitcore-lib. */
function makeBitcore({ tx, prevouts }) {
  const parsed = new Transaction(Buffer.from(encodeTransaction(tx)));
  const scripts = prevouts.map(({ scriptPubKey }) => new Script(Buffer.from(scriptPubKey)));
  const values = prevouts.map(({ value }) => Number(value));
  for (const [i, input] of parsed.inputs.entries()) {
    input.output = new Transaction.Output({ script: scripts[i], satoshis: values[i] });
  }
  const witnesses = tx.inputs.map(({ witness }) => witness.map((item) => Buffer.from(item)));
  return () =>
    parsed.inputs.every(({ script }, i) =>
      // bitcore-lib empties the witness passed to it.
      new Interpreter().verify(script, scripts[i], parsed, i, FLAGS, [...witnesses[i]], values[i]),
    );
}

/** Measures milliseconds per input. */
const perInput = (verify) => median(() => assert(verify(), 'a valid spend')) / INPUTS;

export function benchScripts() {
  console.log(
    '| verify one input | countersign, ms | bitcore-lib | with tiny-secp256k1 | with secp256k1 (native) | seen before |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const kind of SPEND_KINDS) {
    const spend = makeSignedSpend(kind, INPUTS);
    const ours = (ecc) => () => verifyTransaction(spend.tx, spend.prevouts, { ecc }).isValid;
    const ms = perInput(ours(nobleEcc));
    const remembering = withSignatureCache(nobleEcc, createSignatureCache());
    const others = [tinySecp256k1Ecc, nativeSecp256k1Ecc, remembering].map((ecc) => cell(perInput(ours(ecc))));
    console.log(line(kind, cell(ms), beside(perInput(makeBitcore(spend)), ms), ...others));
  }
}
