import { bytesKey } from '../bytes/compare.ts';
import { assertKnownOptions } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { type Aggregates, createAggregates } from '../signing/aggregates.ts';
import { aggregateAssembler } from '../signing/musig2Signing.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../signing/sessionOptions.ts';
import type { InputDigests } from '../signing/signatureCreator.ts';
import { inputDigests } from '../signing/signInput.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { createTxContext, type TxContext } from '../signing/txContext.ts';
import { type InputCoin, inputCoins } from './format/inputCoin.ts';
import { type AnyPsbt, readPsbt } from './format/parsePsbt.ts';
import type { Psbt, PsbtInput } from './format/types.ts';
import { assertMapCounts, unsignedTransaction } from './format/version.ts';

/** A PSBT's transaction, with data that its inputs share. */
export interface PsbtSession extends TxContext {
  readonly coins: readonly (InputCoin | undefined)[];
  readonly aggregates: Aggregates;
}

/** One input of a session, whose records a role may have changed since. */
export interface SessionInput {
  readonly session: PsbtSession;
  readonly input: PsbtInput;
  readonly index: number;
}

/** Opens a session. @throws `argument/invalid`, `psbt/locktime-conflict`, `psbt/field-required`, `psbt/map-count` */
export function openSession(given: AnyPsbt, options: SessionOptions = {}): PsbtSession {
  const psbt = readPsbt(given);
  assertKnownOptions(options, SESSION_OPTIONS);
  return beginSession(psbt, options);
}

/** Like `openSession`, for a role with further options. */
export function beginSession(psbt: Psbt, options: SessionOptions = {}): PsbtSession {
  const tx = unsignedTransaction(psbt);
  assertMapCounts(psbt);
  const coins = inputCoins(psbt);
  const prevouts = coins.map((spent) => spent?.coin);
  const context = createTxContext(tx, prevouts, { ...options, ecc: cachedTweaks(options.ecc ?? nobleEcc) });
  const aggregates = createAggregates(context.ecc, coins.length);
  return { ...context, coins, aggregates, assembler: aggregateAssembler({ ecc: context.ecc, aggregates }) };
}

export function computeDigests(session: PsbtSession, index: number, sighashType: number): InputDigests | undefined {
  const coin = session.coins[index]?.coin;
  return coin && inputDigests({ ...session, inputIndex: index, coin, rules: CURRENT_RULES }, sighashType);
}

/** Every role computes the output key of each input. */
function cachedTweaks(ecc: Ecc): Ecc {
  const cache = new Map<string, ReturnType<Ecc['tweakPublicKey']>>();
  return {
    ...ecc,
    tweakPublicKey: (publicKey, tweak) => {
      const name = bytesKey(publicKey) + bytesKey(tweak);
      if (!cache.has(name)) cache.set(name, ecc.tweakPublicKey(publicKey, tweak));
      return cache.get(name);
    },
  };
}
