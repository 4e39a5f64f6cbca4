import type { Rpc } from '../../../answers/createRpc.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { stringifyJsonValue } from '../../../answers/json/stringify.ts';
import type { RpcSignature } from '../../../answers/method/method.ts';
import { mayHoldPrivateKey, seedWordsAdvice } from '../../../core/encoding/redaction.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { ShownParam } from './arguments.ts';

interface SecretParam {
  readonly name: string;
  readonly isSecret?: true | undefined;
}

const isPassphrase = ({ name, isSecret }: SecretParam): boolean => isSecret === true && name.endsWith('passphrase');

const QUESTIONS: Readonly<Record<string, string>> = {
  oldpassphrase: 'Old passphrase (not shown): ',
  newpassphrase: 'New passphrase (not shown): ',
};

/** Prompts if only passphrases are missing: twice for each except `oldpassphrase`. `given` counts the arguments. */
export async function askPassphrases(
  { params }: RpcSignature,
  argumentCount: number,
  io: Io,
): Promise<ReadonlyMap<string, JsonValue>> {
  const answers = new Map<string, JsonValue>();
  const missing = params.slice(argumentCount);
  if (!io.isInteractive || !missing.every(isPassphrase)) return answers;
  for (const { name } of missing) {
    const value = await io.ask(QUESTIONS[name] ?? 'Passphrase (not shown): ', { isHidden: true });
    if (name !== 'oldpassphrase' && value !== (await io.ask('Repeat it (not shown): ', { isHidden: true }))) {
      throw new UsageError('the two passphrases differ: nothing was changed');
    }
    answers.set(name, { type: 'string', value });
  }
  return answers;
}

/** Parameters that are secret only with a private key in them. */
const DESCRIPTORS: ReadonlySet<string> = new Set(['descriptor', 'descriptors', 'requests']);

export const PASSWORD_WARNING =
  'warning: others can read the password on the command line; instead, use PGPASSWORD or ~/.pgpass\n';

export const mayHoldSecret = ({ name, isSecret }: SecretParam, text: string): boolean =>
  isSecret === true && (!DESCRIPTORS.has(name) || mayHoldPrivateKey(text));

/** Warns of a secret on the command line, where others can read it. */
export function shownSecretWarning({ name, isSecret }: ShownParam, index: number, text: string): string | undefined {
  if (!mayHoldSecret({ name, isSecret }, text)) return undefined;
  const what = isPassphrase({ name, isSecret }) ? 'passphrases' : 'keys';
  return `warning: others can read ${what} on the command line; instead, use ${saferSource(name, index)}\n`;
}

function saferSource(name: string, index: number): string {
  if (name === 'oldpassphrase' || name === 'newpassphrase') return 'the hidden prompt (leave out the arguments)';
  if (index === 0) return '--file FILE, or "-" for standard input';
  if (name === 'passphrase') return '"encryptwallet --file FILE" afterwards';
  return 'files (--keys-file, --descriptors-file) or --keys-prompt';
}

/** Appends advice if seed words stand for keys or descriptors. */
export function withAdvice(text: string, params: JsonValue): string {
  const advice = seedWordsAdvice(stringifyJsonValue(params));
  return advice === undefined || text.includes(advice) ? text : `${text}\n${advice}`;
}

const KEPT_IN_MEMORY =
  'note: this process may still hold copies of the keys and the passphrase in its memory: restart it now that the wallet is encrypted\n';

/** Warns that JavaScript cannot wipe memory, for processes that keep running. */
export function withMemoryNote<R extends Pick<Rpc, 'callJson'>>(rpc: R, io: Io): R {
  return {
    ...rpc,
    callJson: (name, params, wallet, form) => {
      const answer = rpc.callJson(name, params, wallet, form);
      if (name === 'encryptwallet') io.writeError(KEPT_IN_MEMORY);
      return answer;
    },
  };
}
