import type { JsonValue } from '../rpc/jsonValue.ts';
import type { RpcParam } from '../rpc/method.ts';
import { stringifyJsonValue } from '../rpc/stringify.ts';
import { mayHoldPrivateKey, seedWordsAdvice } from '../text/secrets.ts';
import { isPassphrase } from './passphrases.ts';

/** Parameters that hold descriptors, which are secret only with a private key in them. */
const DESCRIPTORS: ReadonlySet<string> = new Set(['descriptor', 'descriptors', 'requests']);

/**
 * Warns of a secret that stood on the command line, where others can read it; `undefined` for anything else.
 *
 * - `index`: the parameter's, from 0
 * - `text`: what was given for it there
 */
export function shownSecretWarning({ name, isSecret }: RpcParam, index: number, text: string): string | undefined {
  if (!isSecret || (DESCRIPTORS.has(name) && !mayHoldPrivateKey(text))) return undefined;
  const what = isPassphrase({ name, isSecret }) ? 'passphrases' : 'keys';
  return `warning: others can read ${what} on a command line; rather use ${insteadOf(name, index)}\n`;
}

function insteadOf(name: string, index: number): string {
  if (name === 'oldpassphrase' || name === 'newpassphrase') return 'the hidden prompt, which comes without arguments';
  if (index === 0) return '--file FILE, or "-" and standard input';
  if (name === 'passphrase') return '"encryptwallet --file FILE" afterwards';
  return 'files (--keys-file, --descriptors-file) or --keys-prompt';
}

/** The longest JSON text of parameters that is searched for seed words. */
const LONGEST_SEARCHED = 100_000;

/** A text for the person, with advice where seed words were given for keys or descriptors and it has none yet. */
export function withAdvice(text: string, given: JsonValue): string {
  const advice = seedWordsAdvice(stringifyJsonValue(given).slice(0, LONGEST_SEARCHED));
  return advice === undefined || text.includes(advice) ? text : `${text}\n${advice}`;
}
