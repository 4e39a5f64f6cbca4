import type { RpcParam } from '../rpc/method.ts';
import { isPassphrase } from './passphrases.ts';

/** Parameters that hold descriptors, which are secret only with a private key in them. */
const DESCRIPTORS: ReadonlySet<string> = new Set(['descriptor', 'descriptors', 'requests']);
/** An extended private key, or what is as long as one in wallet import format. */
const PRIVATE = /prv[0-9A-Za-z]{20}|(?<![0-9A-Za-z])[0-9A-Za-z]{51,52}(?![0-9A-Za-z])/;

/**
 * The warning for a secret that stood on the command line, where others can read it; `undefined` for anything else.
 *
 * - `index`: the parameter's, from 0
 * - `text`: what was given for it there
 */
export function shownSecretWarning({ name, isSecret }: RpcParam, index: number, text: string): string | undefined {
  if (!isSecret || (DESCRIPTORS.has(name) && !PRIVATE.test(text))) return undefined;
  const what = isPassphrase({ name, isSecret }) ? 'passphrases' : 'keys';
  return `warning: others can read ${what} on a command line; rather use ${insteadOf(name, index)}\n`;
}

function insteadOf(name: string, index: number): string {
  if (name === 'oldpassphrase' || name === 'newpassphrase') return 'the hidden prompt, which comes without arguments';
  if (index === 0) return '--file FILE, or "-" and standard input';
  if (name === 'passphrase') return '"encryptwallet --file FILE" afterwards';
  return 'files (--keys-file, --descriptors-file) or --keys-prompt';
}
