import { hashTypeName } from '../review/hashTypes.ts';
import type { NextStep } from './nextStep.ts';
import type { OpenReason } from './openReason.ts';

/** What to do, and the option or command of countersign that helps, where there is a command line. */
interface StepWords {
  readonly text: string;
  readonly tool?: string;
}

/** Words what helps an incomplete PSBT where another signature does not. */
export function nextStepWords(step: NextStep): StepWords {
  if (step.kind !== 'one-type') return STEPS[step.kind];
  const others = step.others.map(hashTypeName).join(' or ');
  return {
    text: `combine the copies again without those that have the hash type ${others}, and ask whoever signed with it to sign with ${hashTypeName(step.sighashType)}`,
    tool: 'countersign combine',
  };
}

const STEPS: Readonly<Record<Exclude<NextStep['kind'], 'one-type'>, StepWords>> = {
  combine: { text: 'combine it with the PSBT that was sent: this copy lacks records', tool: 'countersign combine' },
  unfinalize: { text: 'go back to the PSBT from before it was finalized, or create it again' },
  recreate: { text: 'create the PSBT again with the locktime or sequence that its coins need' },
  'wait-or-sign': {
    text: 'create the PSBT again with that locktime or sequence, or sign with the keys that it needs now',
  },
  'add-coins': {
    text: 'export the PSBT again with the UTXO records of its coins, or add their previous transactions',
    tool: 'utxoupdatepsbt',
  },
  'add-scripts': {
    text: 'add the scripts of its coins: sign with the wallet file, which has them',
    tool: '--descriptors-file',
  },
  'add-keys': {
    text: 'add the keys that its scripts name by hash only: sign again with the wallet file',
    tool: '--descriptors-file',
  },
  'add-preimage': { text: 'add the preimage, and sign again', tool: 'countersign sign --preimage-file FILE' },
  'sign-again': {
    text: 'ask the signer of what cannot count to sign the PSBT again as it was sent, if need be with another program or device',
  },
  'know-script': { text: 'pass it on to the wallet that knows its script, which has to finalize it' },
};

/** Why a signed transaction is not ready, to follow "but", and what to do with the PSBT of a name. */
interface OpenWords {
  readonly what: string;
  readonly next: (name: string) => string;
  readonly tool?: string;
}

const PASS_OR_FINALIZE: Omit<OpenWords, 'what'> = {
  next: (name) => `pass ${name} on to whoever completes it, or finalize it as it is`,
  tool: 'countersign finalize',
};

export const OPEN_WORDS: Readonly<Record<OpenReason, OpenWords>> = {
  'no-inputs': { what: 'it has no inputs', next: () => 'create it again with the coins that it is to spend' },
  'inputs-missing': {
    what: 'it pays more than it spends, so others must add inputs',
    next: (name) => `pass ${name} on to whoever adds inputs`,
  },
  overspends: {
    what: 'it pays more than it spends, which no node accepts',
    next: () => 'create the PSBT again with other amounts',
  },
  'outputs-open': {
    what: 'its signatures let others change where the money goes',
    ...PASS_OR_FINALIZE,
  },
  'inputs-open': { what: 'its signatures let others add inputs', ...PASS_OR_FINALIZE },
};
