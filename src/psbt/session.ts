import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createSignatureCache, type SignatureCache, withSignatureCache } from '../crypto/signatureCache.ts';
import { type SighashMidstate, sighashMidstate } from '../sighash/midstate.ts';
import { type Aggregates, createAggregates } from '../signing/aggregates.ts';
import type { Transaction, TxOut } from '../tx/types.ts';
import { type InputCoin, inputCoin } from './format/inputCoin.ts';
import type { Psbt } from './format/types.ts';
import { assertMapCounts, unsignedTransaction } from './format/version.ts';

/** What holds for all inputs of a PSBT while a role is at work: computed once. */
export interface PsbtSession {
  readonly tx: Transaction;
  readonly coins: readonly (InputCoin | undefined)[];
  /** The outputs being spent, if all are known. */
  readonly prevouts: readonly TxOut[] | undefined;
  readonly midstate: SighashMidstate;
  readonly ecc: Ecc;
  readonly aggregates: Aggregates;
}

/** Who does a role's arithmetic, and what he remembers. */
export interface SessionOptions {
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Remembers which signatures are valid, from call to call. Default a new one. */
  readonly cache?: SignatureCache;
}

/** Output keys are asked for by every role that looks at an input. */
function rememberTweaks(ecc: Ecc): Ecc {
  const known = new Map<string, ReturnType<Ecc['tweakPublicKey']>>();
  return {
    ...ecc,
    tweakPublicKey: (publicKey, tweak) => {
      const key = bytesKey(publicKey) + bytesKey(tweak);
      if (!known.has(key)) known.set(key, ecc.tweakPublicKey(publicKey, tweak));
      return known.get(key);
    },
  };
}

/** Opens a session. @throws `psbt/locktime-conflict`, `psbt/field-required`, `psbt/map-count` */
export function openSession(psbt: Psbt, { ecc = nobleEcc, cache }: SessionOptions = {}): PsbtSession {
  const tx = unsignedTransaction(psbt);
  assertMapCounts(psbt);
  const coins = psbt.inputs.map((_, index) => inputCoin(psbt, index));
  const known = coins.flatMap((found) => found?.coin ?? []);
  const prevouts = known.length === coins.length ? known : undefined;
  const remembering = rememberTweaks(withSignatureCache(ecc, cache ?? createSignatureCache()));
  return {
    tx,
    coins,
    prevouts,
    midstate: sighashMidstate(tx, prevouts),
    ecc: remembering,
    aggregates: createAggregates(remembering, coins.length),
  };
}
