import {
  type Context,
  type Miniscript,
  type ParsedMiniscript,
  parseMiniscript,
} from '../../src/core/descriptors/miniscript/index.ts';
import { nobleEcc } from './library.ts';

/** Derives a key from its name; keys are single letters here, but any text gives a key. */
export const keyBytes = (name: string): Uint8Array => {
  const secret = new Uint8Array(32).fill(1);
  for (const [i, letter] of [...name].entries()) secret[31 - (i % 31)] = letter.charCodeAt(0);
  return nobleEcc.publicKey(secret);
};
/** Parses an expression whose keys are single letters. */
export const parse = (text: string, context: Context = 'wsh'): ParsedMiniscript<string> =>
  parseMiniscript(text, { context, parseKey: (key) => key });
/** Shows a key as it is. */
export const asIs = (key: string): string => key;

/** Parses an expression that must be well formed. */
export function rootOf(text: string, context: Context = 'wsh'): Miniscript<string> {
  const parsed = parse(text, context);
  if (parsed.kind === 'fault') throw new Error(`${text.slice(0, 100)}: ${parsed.reason} at ${parsed.offset}`);
  return parsed.root;
}

/** Replaces `#` by a hash of the right size. */
export const withHashes = (text: string): string =>
  text
    .replace(/(sha256|hash256)\(#/g, `$1(${'5a'.repeat(32)}`)
    .replace(/(ripemd160|hash160)\(#/g, `$1(${'5a'.repeat(20)}`);
