import { meetsLockTime, meetsSequence } from '../interpreter/timelock.ts';
import { ecdsaDigests } from '../interpreter/transactionChecker.ts';
import { classifyScript } from '../script/template.ts';
import { isTaprootSighashType, outputModeOf, SIGHASH } from '../sighash/sighashType.ts';
import { taprootSighash } from '../sighash/taproot.ts';
import type { LocalSigning } from '../signing/signatureCreator.ts';
import type { PsbtSession } from './session.ts';

/** What signatures of one input sign, for one hash type. */
export interface InputDigests
  extends Pick<LocalSigning, 'ecc' | 'ecdsaType' | 'schnorrType' | 'digestOf' | 'schnorrDigest' | 'isMet' | 'musig2'> {
  readonly inputIndex: number;
  /** Whether the type is SINGLE and there is no output of the input's number: legacy digests are the number one. */
  readonly isLoneSingle: boolean;
}

/** The digests of an input; `undefined` where its coin is not known. */
export function inputDigests(
  { tx, coins, prevouts, midstate, ecc, aggregates }: PsbtSession,
  inputIndex: number,
  sighashType: number,
): InputDigests | undefined {
  const [input, coin] = [tx.inputs[inputIndex], coins[inputIndex]?.coin];
  if (!input || !coin) return undefined;
  const shared = { tx, inputIndex, midstate };
  const template = classifyScript(coin.scriptPubKey);
  const isLoneSingle = outputModeOf(sighashType) === 'single' && inputIndex >= tx.outputs.length;
  return {
    inputIndex,
    ecc,
    ecdsaType: sighashType || SIGHASH.ALL,
    schnorrType: sighashType,
    digestOf: ecdsaDigests({ ...shared, value: coin.value }),
    schnorrDigest: (leafHash) =>
      prevouts && !isLoneSingle && isTaprootSighashType(sighashType)
        ? taprootSighash({ ...shared, prevouts, sighashType, ...(leafHash && { tapscript: { leafHash } }) })
        : undefined,
    isMet: (kind, lock) => (kind === 'older' ? meetsSequence : meetsLockTime)(tx, input, lock),
    isLoneSingle,
    ...(template.type === 'witness_v1_taproot' && { musig2: { aggregates, outputKey: template.program } }),
  };
}
