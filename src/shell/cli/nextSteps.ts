import { nextStepWords } from '../../core/job/jobWords.ts';
import { findNextStep } from '../../core/job/nextStep.ts';
import type { InputProgress } from '../../core/job/progress.ts';

/** Advises on what no further signature helps with; `undefined` if only signatures are missing. */
export function nextStepAdvice(inputs: readonly InputProgress[]): string | undefined {
  const step = findNextStep(inputs);
  if (!step) return undefined;
  const { text, tool } = nextStepWords(step);
  return withTool(text, tool);
}

/** Adds what helps on the command line. */
export const withTool = (text: string, tool: string | undefined): string =>
  tool === undefined ? text : `${text} (${tool})`;
