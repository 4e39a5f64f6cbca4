import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { taggedHash } from '../crypto/hash.ts';
import { encodePush } from '../script/build.ts';
import { OP_0, OP_RETURN } from '../script/opcodes.ts';
import { txid } from './txid.ts';
import type { Outpoint, Transaction, TxIn, Txid, TxOut } from './types.ts';

const NO_SCRIPT = new Uint8Array(0);
const NO_OUTPOINT: Outpoint = { txid: new Uint8Array(32) as Txid, vout: 0xffff_ffff };

export const UNSPENDABLE: TxOut = { value: 0n, scriptPubKey: Uint8Array.of(OP_RETURN) };

const messageHash = /* @__PURE__ */ taggedHash('BIP0322-signed-message');

export const unsignedInput = (outpoint: Outpoint, sequence = 0): TxIn => ({
  outpoint,
  scriptSig: NO_SCRIPT,
  sequence,
  witness: [],
});

/** Takes a text, or its bytes. @see BIP322 "Full", `to_spend` */
export function messageToSpend(message: string | Uint8Array, scriptPubKey: Uint8Array): Transaction {
  const bytes = typeof message === 'string' ? encodeUtf8(message) : message;
  return toSpend(concatBytes(Uint8Array.of(OP_0), encodePush(messageHash(bytes))), scriptPubKey);
}

const toSpend = (scriptSig: Uint8Array, scriptPubKey: Uint8Array): Transaction => ({
  version: 0,
  inputs: [{ ...unsignedInput(NO_OUTPOINT), scriptSig }],
  outputs: [{ value: 0n, scriptPubKey }],
  locktime: 0,
});

/** `OP_0` and a push of 32 bytes. */
const HASH_START = /* @__PURE__ */ Uint8Array.of(OP_0, 32);

/** Tells whether a transaction is the `to_spend` of some message, which no chain can hold. */
export function isToSpend({ inputs, outputs, ...tx }: Transaction): boolean {
  const [{ scriptSig = NO_SCRIPT } = {}] = inputs;
  const [{ scriptPubKey = NO_SCRIPT } = {}] = outputs;
  const isHash = scriptSig.length === 34 && equalBytes(scriptSig.subarray(0, 2), HASH_START);
  return isHash && equalBytes(txid({ inputs, outputs, ...tx }), txid(toSpend(scriptSig, scriptPubKey)));
}

export const messageOutpoint = (spent: Transaction): Outpoint => ({ txid: txid(spent), vout: 0 });

/** @see BIP322 "Full", `to_sign` */
export const paysNothing = ({ outputs: [output, ...others] }: Transaction): boolean =>
  output !== undefined &&
  others.length === 0 &&
  output.value === 0n &&
  equalBytes(output.scriptPubKey, UNSPENDABLE.scriptPubKey);
