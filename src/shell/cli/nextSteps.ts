import { findNextStep, type NextStep } from '../../core/job/nextStep.ts';
import type { InputProgress } from '../../core/job/progress.ts';
import { hashTypeName } from '../../core/review/hashTypes.ts';

/** Advises on what no further signature helps with; `undefined` if only signatures are missing. */
export function nextStepAdvice(inputs: readonly InputProgress[]): string | undefined {
  const step = findNextStep(inputs);
  if (step?.kind !== 'one-type') return step && ADVICE[step.kind];
  const others = step.others.map(hashTypeName).join(' or ');
  return `combine the copies again without those that have the hash type ${others} (countersign combine), and ask whoever signed with it to sign with ${hashTypeName(step.sighashType)}`;
}

const ADVICE: Readonly<Record<Exclude<NextStep['kind'], 'one-type'>, string>> = {
  combine: 'combine it with the PSBT that was sent (countersign combine)',
  unfinalize: 'go back to the PSBT from before it was finalized, or create it again',
  recreate: 'create the PSBT again with the locktime or sequence that its coins need',
  'wait-or-sign': 'create the PSBT again with that locktime or sequence, or sign with the keys that it needs now',
  'add-coins':
    'export the PSBT again with the UTXO records of its coins, or add their previous transactions (utxoupdatepsbt)',
  'add-scripts': 'add the scripts of its coins: sign with the descriptors of the wallet (--descriptors-file)',
  'add-keys':
    'add the keys that its scripts name by hash only: sign again with the descriptors of the wallet (--descriptors-file)',
  'add-preimage': 'add the preimage: sign again with --preimage-file FILE (countersign sign)',
  'sign-again':
    'ask the signer of what cannot count to sign the PSBT again as it was sent, if need be with another program or device',
  'know-script': 'pass it on to the wallet that knows its script, which has to finalize it',
};
