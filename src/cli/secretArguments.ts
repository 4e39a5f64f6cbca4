import { mayHoldPrivateKey, seedWordsAdvice } from '../encoding/redaction.ts';
import type { JsonValue } from '../rpc/json/jsonValue.ts';
import { stringifyJsonValue } from '../rpc/json/stringify.ts';
import type { RpcParam } from '../rpc/method.ts';
import { isPassphrase } from './passphrases.ts';

/** Parameters that hold descriptors, which are secret only if they contain a private key. */
const DESCRIPTORS: ReadonlySet<string> = new Set(['descriptor', 'descriptors', 'requests']);

/**
 * Returns a warning if an argument on the command line is a secret, since others can read it there; `undefined` if not.
 *
 * - `index`: position of the parameter, from 0
 * - `text`: its argument
 */
export function shownSecretWarning({ name, isSecret }: RpcParam, index: number, text: string): string | undefined {
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

/** How many characters of the arguments, as JSON, are searched for seed words. */
const LONGEST_SEARCHED = 100_000;

/** Appends advice to an error text if seed words were given for keys or descriptors, unless it has the advice already. */
export function withAdvice(text: string, given: JsonValue): string {
  const advice = seedWordsAdvice(stringifyJsonValue(given).slice(0, LONGEST_SEARCHED));
  return advice === undefined || text.includes(advice) ? text : `${text}\n${advice}`;
}
