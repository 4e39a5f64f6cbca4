import type { OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createSignatureCache, type SignatureCache, withSignatureCache } from '../crypto/signatureCache.ts';
import { type SighashMidstate, sighashMidstate } from '../sighash/midstate.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import type { AssemblerOfInput } from './musig2Signing.ts';

/** An output being spent; `value` in satoshi, left out if it is unknown. */
export interface SpentOutput {
  readonly scriptPubKey: Uint8Array;
  readonly value?: bigint;
}

/** The curve backend, and the signature cache that it uses. */
export interface SessionOptions {
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Remembers valid signatures between calls. Default a new cache. */
  readonly cache?: SignatureCache;
}

export const SESSION_OPTIONS: OptionNames<SessionOptions> = { ecc: true, cache: true };

/** A transaction that is being signed or verified: data that its inputs share, computed once. */
export interface TxContext {
  readonly tx: Transaction;
  /** The outputs being spent, if all are known with their amounts. */
  readonly prevouts: readonly TxOut[] | undefined;
  readonly midstate: SighashMidstate;
  /** Verifies no signature twice. */
  readonly ecc: Ecc;
  /** Assembles aggregate signatures: for PSBTs only, which hold contributions to them. */
  readonly assembler?: AssemblerOfInput | undefined;
}

/** Creates the context of a transaction. `spent` holds one output per input, in order. */
export function createTxContext(
  tx: Transaction,
  spent: readonly (SpentOutput | undefined)[],
  { ecc = nobleEcc, cache = createSignatureCache() }: SessionOptions,
): TxContext {
  const prevouts = spent.every(isKnown) ? spent : undefined;
  return { tx, prevouts, midstate: sighashMidstate(tx, prevouts), ecc: withSignatureCache(ecc, cache) };
}

const isKnown = (prevout: SpentOutput | undefined): prevout is TxOut => prevout?.value !== undefined;
