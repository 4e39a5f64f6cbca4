import type { Rpc } from '../../../answers/createRpc.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { stringifyJsonValue } from '../../../answers/json/stringify.ts';
import type { RpcSignature } from '../../../answers/method/method.ts';
import { mayHoldPrivateKey, seedWordsAdvice } from '../../../core/encoding/redaction.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { ShownParam } from './arguments.ts';

/** Tells whether a parameter holds the passphrase of a wallet. */
const isPassphrase = ({ name, isSecret }: Omit<ShownParam, 'type'>): boolean =>
  isSecret === true && name.endsWith('passphrase');

const QUESTIONS: Readonly<Record<string, string>> = {
  oldpassphrase: 'Old passphrase (not shown): ',
  newpassphrase: 'New passphrase (not shown): ',
};

/**
 * Prompts for the passphrases missing from the arguments of a method, without echo, if nothing else is missing and there
 * is a terminal. Asks for every passphrase twice, except for the old one in `walletpassphrasechange`.
 *
 * - `given`: how many arguments were given
 * @returns the answers, by parameter
 * @throws UsageError if the two entries of a passphrase differ
 */
export async function askPassphrases(
  { params }: RpcSignature,
  given: number,
  io: Io,
): Promise<ReadonlyMap<string, JsonValue>> {
  const answers = new Map<string, JsonValue>();
  const missing = params.slice(given);
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

/** Parameters that hold descriptors, which are secret only if they contain a private key. */
const DESCRIPTORS: ReadonlySet<string> = new Set(['descriptor', 'descriptors', 'requests']);

/** Warns of a password in the URL of a database. */
export const PASSWORD_WARNING =
  'warning: others can read the password on the command line; instead, use PGPASSWORD or ~/.pgpass\n';

/**
 * Returns a warning if an argument on the command line is a secret, since others can read it there; `undefined` if not.
 *
 * - `index`: position of the parameter, from 0
 * - `text`: its argument
 */
export function shownSecretWarning({ name, isSecret }: ShownParam, index: number, text: string): string | undefined {
  if (!isSecret || (DESCRIPTORS.has(name) && !mayHoldPrivateKey(text))) return undefined;
  const what = isPassphrase({ name, isSecret }) ? 'passphrases' : 'keys';
  return `warning: others can read ${what} on the command line; instead, use ${insteadOf(name, index)}\n`;
}

function insteadOf(name: string, index: number): string {
  if (name === 'oldpassphrase' || name === 'newpassphrase') return 'the hidden prompt (leave out the arguments)';
  if (index === 0) return '--file FILE, or "-" for standard input';
  if (name === 'passphrase') return '"encryptwallet --file FILE" afterwards';
  return 'files (--keys-file, --descriptors-file) or --keys-prompt';
}

/** Appends advice to an error text if seed words were given for keys or descriptors, unless it has the advice already. */
export function withAdvice(text: string, given: JsonValue): string {
  const advice = seedWordsAdvice(stringifyJsonValue(given));
  return advice === undefined || text.includes(advice) ? text : `${text}\n${advice}`;
}

const KEPT_IN_MEMORY =
  'note: this process may still hold copies of the keys and the passphrase in its memory: restart it now that the wallet is encrypted\n';

/** Warns after each `encryptwallet` that JavaScript cannot wipe memory; for processes that keep running. */
export function withMemoryNote<R extends Pick<Rpc, 'callJson'>>(rpc: R, io: Io): R {
  return {
    ...rpc,
    callJson: (name, params, wallet, json) => {
      const answer = rpc.callJson(name, params, wallet, json);
      if (name === 'encryptwallet') io.writeError(KEPT_IN_MEMORY);
      return answer;
    },
  };
}
