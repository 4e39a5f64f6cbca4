import { concatBytes } from '../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { taggedHash } from '../../core/crypto/hash.ts';
import { pushOf } from '../../core/script/build.ts';
import { OP_0, OP_RETURN } from '../../core/script/opcodes.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxIn, Txid, TxOut } from '../../core/tx/types.ts';

/**
 * The forms of a signed message:
 *
 * - `legacy`: the recoverable signature of one key: of a P2PKH address as nodes make it, or of a segwit address as hardware
 *   wallets do (BIP137)
 * - `simple`: the witness of a segwit input
 * - `full`: a transaction that spends the message
 * - `proof-of-funds`: the same with coins of the signer's, in a finalized PSBT
 *
 * @see BIP322 "Types of Signatures"
 */
export type MessageFormat = 'legacy' | 'simple' | 'full' | 'proof-of-funds';

/** The text before the base64 of each form that has one. */
export const PREFIXES: Readonly<Record<Exclude<MessageFormat, 'legacy'>, string>> = {
  simple: 'smp',
  full: 'ful',
  'proof-of-funds': 'pof',
};

const NO_SCRIPT = new Uint8Array(0);
const NO_OUTPOINT: Outpoint = { txid: new Uint8Array(32) as Txid, vout: 0xffff_ffff };

/** The only output of a transaction that signs: worth nothing, and unspendable. */
export const UNSPENDABLE: TxOut = { value: 0n, scriptPubKey: Uint8Array.of(OP_RETURN) };

const messageHash = /* @__PURE__ */ taggedHash('BIP0322-signed-message');

/** Returns an input that is not signed. */
export const unsignedInput = (outpoint: Outpoint, sequence = 0): TxIn => ({
  outpoint,
  scriptSig: NO_SCRIPT,
  sequence,
  witness: [],
});

/**
 * Builds the transaction whose output a signature of the message spends.
 *
 * - `scriptPubKey`: the script of the address that signs
 *
 * @see BIP322 "Full", `to_spend`
 */
export function messageToSpend(message: string, scriptPubKey: Uint8Array): Transaction {
  const scriptSig = concatBytes(Uint8Array.of(OP_0), pushOf(messageHash(encodeUtf8(message))));
  return {
    version: 0,
    inputs: [{ ...unsignedInput(NO_OUTPOINT), scriptSig }],
    outputs: [{ value: 0n, scriptPubKey }],
    locktime: 0,
  };
}

/** Returns the outpoint that a signature of the message spends. */
export const messageOutpoint = (toSpend: Transaction): Outpoint => ({ txid: txid(toSpend), vout: 0 });
