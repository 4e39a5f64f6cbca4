import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseBase64 } from '../../bytes/base64.ts';
import type { Dialect } from '../../rpc/dialect.ts';

/** Who may ask: a name, and a password of which only the HMAC is kept. */
export interface Credential {
  readonly user: string;
  readonly salt: string;
  /** HMAC-SHA256 of the password under the salt's text: 32 bytes. */
  readonly hash: Uint8Array;
}

const RPCAUTH = /^(?<user>[^:]*):(?<salt>[^:$]*)\$(?<hash>[0-9a-f]{64})$/;

/**
 * Parses `user:salt$hash`, as a node's `-rpcauth` and its `rpcauth.py` have it; the hash in lower case.
 * @returns `undefined` for anything else
 */
export function parseRpcauth(text: string): Credential | undefined {
  const { user, salt, hash } = RPCAUTH.exec(text)?.groups ?? {};
  if (user === undefined || salt === undefined || hash === undefined) return undefined;
  return { user, salt, hash: Buffer.from(hash, 'hex') };
}

/** A credential whose password is known, under a random salt. */
export function credentialOf(user: string, password: string): Credential {
  const salt = randomBytes(16).toString('hex');
  return { user, salt, hash: hmac(salt, Buffer.from(password)) };
}

/**
 * The user whom an `Authorization` header names, with the right password. How long it takes tells nothing of how much of
 * a name or password is right.
 * @returns `undefined` where no credential fits
 * @see RFC 7617; Bitcoin Core `RPCAuthorized`
 */
export function authorizedUser(
  header: string,
  credentials: readonly Credential[],
  generation: Dialect['generation'],
): string | undefined {
  const given = header.startsWith(SCHEME) ? decodeLogin(header.slice(SCHEME.length).trim(), generation) : undefined;
  const colon = given?.indexOf(COLON) ?? -1;
  if (!given || colon < 0) return undefined;
  const user = given.subarray(0, colon);
  const password = given.subarray(colon + 1);
  let known: string | undefined;
  for (const { user: name, salt, hash } of credentials) {
    const isUser = timingSafeEqual(hmac(salt, user), hmac(salt, Buffer.from(name)));
    const isPassword = timingSafeEqual(hmac(salt, password), hash);
    if (isUser && isPassword) known = name;
  }
  return known;
}

/** The scheme is a word in exactly these letters, for a node. */
const SCHEME = 'Basic ';
const COLON = 0x3a;

/** 0.21 reads base64 as far as it goes; newer nodes want all of it, with its padding. */
function decodeLogin(text: string, generation: Dialect['generation']): Uint8Array | undefined {
  if (generation === 'core-0.21') return Buffer.from(/^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? '', 'base64');
  try {
    return parseBase64(text);
  } catch {
    // Not base64, so nobody's name and password.
    return undefined;
  }
}

const hmac = (salt: string, data: Uint8Array): Uint8Array => createHmac('sha256', salt).update(data).digest();
