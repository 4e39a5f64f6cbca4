import { hashTypeName } from '../../core/review/hashTypes.ts';
import type { InputReview } from '../../core/review/inputReview.ts';
import {
  POLICY_DEFAULTS,
  type Policy,
  type PolicyAction,
  type PolicyCheck,
  refusalsIn,
} from '../../core/review/policy.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { formatReview } from '../../core/review/text/reviewText.ts';
import { allowsColours } from '../terminal/colours.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError, unknownName } from '../terminal/usageError.ts';

export interface Approval {
  readonly yes: boolean;
  readonly sighash?: string | undefined;
}

/** Shows a review, and asks unless the policy refuses. Without a terminal, only `--yes` confirms. */
export async function isConfirmed(review: PsbtReview, line: Approval, io: Io): Promise<boolean> {
  io.writeError(formatReview(review, { hasColours: io.isWatched && allowsColours(io) }));
  if (refusalsIn(review.findings).length > 0) {
    io.writeError(`not signed: ${refusalAdvice(review, line)}\n`);
    return false;
  }
  if (line.yes) return true;
  if (io.isInteractive) return askPerson(io);
  io.writeError('not signed: no terminal to confirm on; pass --yes once you have reviewed it\n');
  return false;
}

const MADE_AGAIN = 'the PSBT is faulty or forged: create it again in a wallet that you trust';

/** Advice on findings that no option gets past. */
const REMEDIES: Readonly<Partial<Record<PolicyCheck, string>>> = {
  'legacy-unproven':
    'the previous transactions are missing: add them (utxoupdatepsbt), or export the PSBT again with them',
  'amount-mismatch': MADE_AGAIN,
  'previous-transaction-mismatch': MADE_AGAIN,
  'script-mismatch': MADE_AGAIN,
  'taproot-mismatch': MADE_AGAIN,
  'sighash-undefined': MADE_AGAIN,
  'single-without-output': MADE_AGAIN,
  'key-uncompressed': MADE_AGAIN,
  'coin-repeated': MADE_AGAIN,
  'amount-impossible': MADE_AGAIN,
  'change-refuted': 'an output names keys that it does not pay to: create the PSBT again in a wallet that you trust',
  'wallet-foreign':
    'use only wallet files that you trust, or leave that wallet out of --descriptors-file: what it receives then counts as a payment to others; for one that you made, add --policy wallet-foreign=warn',
  'silent-payment-receivers':
    'if one receiver gave you all addresses with the same scan key, name each with --same-receiver; if not, create the PSBT again without the others',
  'signature-invalid': 'a signature is invalid: ask its signer to sign again',
};

function refusalAdvice({ inputs, findings }: PsbtReview, { sighash }: Approval): string {
  const refused = refusalsIn(findings);
  const checks = new Set(refused.map(({ check }) => check));
  const inputsWith = (name: PolicyCheck): readonly InputReview[] =>
    inputs.filter(({ inputIndex }) =>
      refused.some((finding) => finding.check === name && finding.inputIndex === inputIndex),
    );
  const remedies = [...checks].flatMap((check) => REMEDIES[check] ?? []);
  const toSign = inputsWith('signature-sighash').some((input) => input.hasOwnKey && isUnsigned(input));
  if (toSign) {
    remedies.push(
      'all signatures of an input must have the same type: sign with the type of the others, or ask them to sign again',
    );
  }
  if (remedies.length > 0) return [...new Set(remedies)].join('; ');
  const types = checks.delete('sighash-unnamed') ? typeOptions(inputsWith('sighash-unnamed'), inputs, sighash) : [];
  const options = [...types, ...[...checks].map((check) => `--policy ${check}=warn`)];
  return `create the PSBT again. To accept the refused findings, add ${options.join(' ')}`;
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
  const type = unnamed.find(({ hasOwnKey }) => hasOwnKey)?.sighashType;
  if (type === undefined) return [allowed];
  const others = named === undefined ? unnamed : inputs.filter(isUnsigned);
  const option = `${sighashOption(type)}${named === undefined ? '' : ` in place of ${named}`}`;
  return others.some(({ sighashType }) => sighashType !== type) ? [allowed, option] : [option];
}

export function sighashOption(sighashType: number): string {
  const name = hashTypeName(sighashType);
  return `--sighash ${name.includes('|') ? `"${name}"` : name}`;
}

async function askPerson(io: Io): Promise<boolean> {
  const answer = await io.ask('Sign it? Type yes: ');
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
