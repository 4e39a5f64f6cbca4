import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createSignatureCache, type SignatureCache, withSignatureCache } from '../crypto/signatureCache.ts';
import { type SighashMidstate, sighashMidstate } from '../sighash/midstate.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import type { AssemblerOfInput } from './musig2Signing.ts';
import type { SessionOptions } from './sessionOptions.ts';

/** An output being spent; `value` in satoshi, left out if it is unknown. */
export interface SpentOutput {
  readonly scriptPubKey: Uint8Array;
  readonly value?: bigint;
}

/** Data that the inputs of a transaction share, computed once. */
export interface TxContext {
  readonly tx: Transaction;
  /** `undefined` unless all are known with their amounts. */
  readonly prevouts: readonly TxOut[] | undefined;
  readonly midstate: SighashMidstate;
  /** Verifies no signature twice. */
  readonly ecc: Ecc;
  readonly cache: SignatureCache;
  /** For PSBTs only. */
  readonly assembler?: AssemblerOfInput | undefined;
}

export function createTxContext(
  tx: Transaction,
  spent: readonly (SpentOutput | undefined)[],
  { ecc = nobleEcc, cache = createSignatureCache() }: SessionOptions,
): TxContext {
  const prevouts = spent.every(isKnown) ? spent : undefined;
  return { tx, prevouts, midstate: sighashMidstate(tx, prevouts), ecc: withSignatureCache(ecc, cache), cache };
}

const isKnown = (prevout: SpentOutput | undefined): prevout is TxOut => prevout?.value !== undefined;
