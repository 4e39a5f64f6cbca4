import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { writeReason } from '../terminal/systemReason.ts';
import { UsageError } from '../terminal/usageError.ts';
import { type Credential, createCredential } from './auth.ts';

/** @see Bitcoin Core `COOKIEAUTH_USER` */
const COOKIE_USER = '__cookie__';
const OWNER_ONLY = 0o600;

export interface Cookie {
  readonly path: string;
  readonly credential: Credential;
  readonly write: () => Promise<void>;
  /** Keeps the file if another run has replaced it. */
  readonly remove: () => Promise<void>;
}

const ADVICE = 'name another file with --rpccookiefile, or use --norpccookiefile with --rpcuser or --rpcauth';

/**
 * Writes to a temporary file first, so that no reader sees half a cookie.
 *
 * - `advice`: what to do if it cannot be written
 */
export function createCookie(file: string, advice: string = ADVICE): Cookie {
  const path = resolve(file);
  const password = randomBytes(32).toString('hex');
  const text = `${COOKIE_USER}:${password}`;
  return {
    path,
    credential: createCredential(COOKIE_USER, password),
    write: async () => {
      try {
        await writeOwn(path, text);
      } catch (error) {
        throw new UsageError(`cannot write ${shownPath(path)}: ${writeReason(error, 'unknown error')}; ${advice}`);
      }
    },
    remove: async () => {
      const current = await readFile(path, 'utf8').catch(() => undefined);
      if (current === text) await rm(path, { force: true });
    },
  };
}

async function writeOwn(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true });
  // Created exclusively ("x"), so that it is neither a link nor another user's file.
  const file = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text).finally(() => file.close());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
