import { invalidOption } from '../../core/bytes/knownOptions.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';

/** Who calls: a cookie file, or a name with its password; neither for a node that takes no login. */
export interface Login {
  /** The path of the node's cookie file, which the client reads anew when the node has replaced it. */
  readonly cookieFile?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** The function returns `name:password`. @throws BtcError `argument/invalid` */
export function createLogin({ cookieFile, user, password }: Login): () => Promise<string | undefined> {
  for (const [name, value] of Object.entries({ cookieFile, user, password })) {
    if (value !== undefined && typeof value !== 'string') throw invalidOption(name, 'must be a text');
  }
  if (cookieFile !== undefined) {
    if (user !== undefined || password !== undefined)
      throw invalidOption('cookieFile', 'contradicts user and password');
    return () => readCookie(cookieFile);
  }
  if ((user === undefined) !== (password === undefined))
    throw invalidOption('user', 'needs the option password beside it');
  if (user === undefined) return async () => undefined;
  if (user.includes(':')) throw invalidOption('user', 'must be without ":"');
  return async () => `${user}:${password}`;
}

async function readCookie(path: string): Promise<string> {
  // An import would stop bundlers for browsers.
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (!files) throw invalidOption('cookieFile', 'needs Node, Bun or Deno: pass user and password');
  const text = (await files.readFile(path, 'utf8').catch(() => '')).trim();
  if (LOGIN.test(text)) return text;
  // A node writes it when it starts, and removes it when it stops.
  const message = `The cookie file ${shownPath(path)} cannot be read, or holds no login: is the node running?`;
  throw new BtcError('client/failed', { isPassing: true }, message);
}

const LOGIN = /^[^:\s]+:\S+$/;
