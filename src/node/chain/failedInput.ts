import type { ScriptFlags } from '../../core/interpreter/flags.ts';
import type { ScriptFailure } from '../../core/interpreter/result.ts';
import { verifyTransaction } from '../../core/interpreter/verifyTransaction.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';
import type { Chain } from './chainState.ts';
import { isWaived } from './waivers.ts';

interface FailedInput {
  readonly index: number;
  readonly failure: ScriptFailure;
}

/**
 * Returns the first input whose script fails and is not waived. Scripts that have succeeded under all these flags do not run
 * again: those of a mempool transaction succeed in its block. `coins`: one per input.
 * @see Bitcoin Core `CheckInputScripts`, `ValidationCache::m_script_execution_cache`
 */
export function failedInput(
  chain: Chain,
  { tx, coins }: { readonly tx: Transaction; readonly coins: readonly TxOut[] },
  { flags, knowsAnchors }: { readonly flags: ScriptFlags; readonly knowsAnchors?: boolean },
): FailedInput | undefined {
  const { verified, validation } = chain;
  const before = verified.get(tx);
  if (before && [...flags].every((flag) => before.has(flag))) return undefined;
  const { isValid, inputs } = verifyTransaction(tx, coins, {
    flags,
    ecc: validation.ecc,
    ...(knowsAnchors !== undefined && { knowsAnchors }),
  });
  if (isValid) verified.set(tx, flags);
  for (const [index, outcome] of inputs.entries()) {
    const coin = coins[index];
    const isFault = outcome.kind === 'invalid' && !(coin && isWaived(chain, coin.scriptPubKey));
    if (isFault) return { index, failure: outcome };
  }
  return undefined;
}
