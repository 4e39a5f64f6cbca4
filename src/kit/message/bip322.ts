import { concatBytes } from '../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { taggedHash } from '../../core/crypto/hash.ts';
import { encodePush } from '../../core/script/build.ts';
import { OP_0, OP_RETURN } from '../../core/script/opcodes.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxIn, Txid, TxOut } from '../../core/tx/types.ts';

/**
 * The form of a signed message:
 *
 * - `legacy`: a recoverable signature, of Core for P2PKH, or of hardware wallets for segwit (BIP137)
 * - `simple`: the witness of a segwit input
 * - `full`: a transaction that spends the message
 * - `proof-of-funds`: the same with further coins, in a finalized PSBT
 *
 * @see BIP322 "Types of Signatures"
 */
export type MessageFormat = 'legacy' | 'simple' | 'full' | 'proof-of-funds';

export const PREFIXES: Readonly<Record<Exclude<MessageFormat, 'legacy'>, string>> = {
  simple: 'smp',
  full: 'ful',
  'proof-of-funds': 'pof',
};

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

/** @see BIP322 "Full", `to_spend` */
export function messageToSpend(message: string, scriptPubKey: Uint8Array): Transaction {
  const scriptSig = concatBytes(Uint8Array.of(OP_0), encodePush(messageHash(encodeUtf8(message))));
  return {
    version: 0,
    inputs: [{ ...unsignedInput(NO_OUTPOINT), scriptSig }],
    outputs: [{ value: 0n, scriptPubKey }],
    locktime: 0,
  };
}

export const messageOutpoint = (toSpend: Transaction): Outpoint => ({ txid: txid(toSpend), vout: 0 });
