import { ENGLISH } from '../../core/report/english.ts';
import { worstFirst } from '../../core/report/findingText.ts';
import { formatQuestion, formatReview } from '../../core/report/reviewText.ts';
import { formatParagraphs } from '../../core/report/textLines.ts';
import type { PolicyAction, PolicyCheck } from '../../core/review/finding.ts';
import { hashTypeName } from '../../core/review/hashTypes.ts';
import type { InputReview } from '../../core/review/inputReview.ts';
import { POLICY_DEFAULTS, type Policy, refusalsIn } from '../../core/review/policy.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { allowsColours } from '../terminal/colours.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError, unknownName } from '../terminal/usageError.ts';
import { withTool } from './nextSteps.ts';
import { writeNote } from './output/writeNote.ts';

export interface Approval {
  readonly yes: boolean;
  readonly sighash?: string | undefined;
}

/** Shows a review, and asks unless the policy refuses. Without a terminal, only `--yes` confirms. */
export async function isConfirmed(review: PsbtReview, line: Approval, io: Io): Promise<boolean> {
  io.writeError(formatReview(review, { hasColours: io.isWatched && allowsColours(io) }));
  if (review.isRefused) {
    writeNote(`not signed. ${refusalAdvice(review, line)}`, io);
    return false;
  }
  if (line.yes) return true;
  if (io.isInteractive) return askPerson(formatQuestion(review), io);
  writeNote('not signed: no terminal to confirm on; pass --yes once you have reviewed it', io);
  return false;
}

const remedyOf = ({ remedy, tool }: { readonly remedy: string; readonly tool?: string }): string =>
  `${withTool(remedy.replace(/\.$/, ''), tool)}.`;

/** Refusals that a person may mean: what they do is plain to see, and no file can forge it. */
const MEANT: ReadonlySet<PolicyCheck> = new Set<PolicyCheck>([
  'anyone-can-spend',
  'burn',
  'fee-absurd',
  'fee-negative',
  'leaf-unusual',
  'sighash-unnamed',
]);

/** Says what to do in place of signing, and how to accept what may be meant. */
function refusalAdvice({ inputs, findings }: PsbtReview, { sighash }: Approval): string {
  const refused = refusalsIn(findings);
  // What a false key makes of a wallet needs no other remedy.
  const checks = refused.some(({ check }) => check === 'key-contradicted')
    ? (['key-contradicted'] as const)
    : [...new Set(worstFirst(refused).map(({ check }) => check))];
  const remedies = new Set(checks.map((check) => remedyOf(ENGLISH.checks[check])));
  if (!checks.every((check) => MEANT.has(check))) return [...remedies].join(' ');
  const unnamed = inputs.filter(({ inputIndex }) =>
    refused.some((finding) => finding.check === 'sighash-unnamed' && finding.inputIndex === inputIndex),
  );
  const types = unnamed.length > 0 ? typeOptions(unnamed, inputs, sighash) : [];
  const others = checks.filter((check) => check !== 'sighash-unnamed').map((check) => `--policy ${check}=warn`);
  return `${[...remedies].join(' ')} To accept what is refused, add ${[...types, ...others].join(' ')}`;
}

const isUnsigned = ({ isFinal, missingSignatures }: InputReview): boolean => !isFinal && missingSignatures.length > 0;

/**
 * Names the first hash type that the keys at hand would sign with; inputs of other types stay unsigned until the result
 * is signed again.
 */
function typeOptions(
  unnamed: readonly InputReview[],
  inputs: readonly InputReview[],
  named: string | undefined,
): readonly string[] {
  const allowed = '--policy sighash-unnamed=warn';
  const type = unnamed.find(({ canSign }) => canSign)?.sighashType;
  if (type === undefined) return [allowed];
  const others = named === undefined ? unnamed : inputs.filter(isUnsigned);
  const option = `${sighashOption(type)}${named === undefined ? '' : ` in place of ${named}`}`;
  return others.some(({ sighashType }) => sighashType !== type) ? [allowed, option] : [option];
}

export function sighashOption(sighashType: number): string {
  const name = hashTypeName(sighashType);
  return `--sighash ${name.includes('|') ? `"${name}"` : name}`;
}

async function askPerson(question: string, io: Io): Promise<boolean> {
  const answer = await io.ask(`${formatParagraphs([{ start: '', text: `${question} Type yes:` }], false).join('\n')} `);
  if (answer.trim().toLowerCase() === 'yes') return true;
  io.writeError('not signed: the answer was not "yes"\n');
  return false;
}

const ACTIONS: readonly PolicyAction[] = ['refuse', 'warn', 'allow'];

export function parsePolicyRules(rules: readonly string[]): Policy {
  const names = Object.keys(POLICY_DEFAULTS);
  return Object.fromEntries(
    rules.map((rule) => {
      const [name = '', ...rest] = rule.split('=');
      const action = rest.join('=');
      if (!names.includes(name)) throw new UsageError(`--policy: ${unknownName('check', name, names)}`);
      const policyAction = ACTIONS.find((candidate) => candidate === action);
      if (!policyAction) throw new UsageError(`--policy ${name}=...: the action must be one of ${ACTIONS.join(', ')}`);
      return [name as PolicyCheck, policyAction];
    }),
  );
}
