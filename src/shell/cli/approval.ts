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
import { writeNote } from './output/writeNote.ts';

export interface Approval {
  readonly yes: boolean;
  readonly sighash?: string | undefined;
}

/** Shows a review, and asks unless the policy refuses. Without a terminal, only `--yes` confirms. */
export async function isConfirmed(review: PsbtReview, line: Approval, io: Io): Promise<boolean> {
  io.writeError(formatReview(review, { hasColours: io.isWatched && allowsColours(io) }));
  if (refusalsIn(review.findings).length > 0) {
    writeNote(`not signed: ${refusalAdvice(review, line)}`, io);
    return false;
  }
  if (line.yes) return true;
  if (io.isInteractive) return askPerson(io);
  writeNote('not signed: no terminal to confirm on; pass --yes once you have reviewed it', io);
  return false;
}

const MADE_AGAIN = 'the PSBT is faulty or forged: create it again in a wallet that you trust';

/** What to do about a finding before one thinks of accepting it. */
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
  'change-refuted':
    'an output names keys that it does not pay to: create the PSBT again in a wallet that you trust, or if the output is of a wallet that you share, register that wallet once (countersign register)',
  'change-unverified':
    'pass the wallet file of the coins being spent with --descriptors-file, once you have registered it (countersign register)',
  'change-later':
    'leave no change in that wallet: create the PSBT again so that all of it goes to another wallet of yours',
  'key-contradicted':
    'a file or the PSBT names a false key: export the wallet file again, compare each key with its owner, and pay nothing to its addresses',
  'network-mixed': 'pass the network of the keys with --network: what looks like a test may be real money',
  'path-unusual':
    'create the PSBT again with a change address of your wallet; if that place is a wallet of yours, register it once (countersign register)',
  'pays-other': 'name with --pays all that you mean to pay, or create the PSBT again without the rest',
  'message-mismatch': 'the PSBT shows another message than it signs: ask for the request again',
  'message-hidden': 'the PSBT signs a message that it does not show: ask for one that shows it',
  'search-cut':
    'the PSBT names too many keys to review: create it again in a wallet that you trust, with fewer outputs',
  'silent-foreign': 'the address has your scan key, and the spend key of a stranger: ask for the address again',
  'wallet-foreign':
    'register the wallet once, if it is yours (countersign register); else ask where its file comes from',
  'wallet-unregistered': 'register the wallet once (countersign register), and pass the file that this writes',
  'wallet-changed':
    'compare each key of the wallet file with its owner; if the wallet is one that you mean to use, register it (countersign register), else ask where the file comes from',
  'wallet-retired': 'pay to the wallet that has replaced it: create the PSBT again',
  'wallets-mixed':
    'create the PSBT again with coins of one wallet only, or with change to the wallet that is yours alone',
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
  // What a false key makes of a wallet needs no other remedy.
  const remedies = (checks.has('key-contradicted') ? (['key-contradicted'] as const) : [...checks]).flatMap(
    (check) => REMEDIES[check] ?? [],
  );
  const toSign = inputsWith('signature-sighash').some((input) => input.canSign && isUnsigned(input));
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
