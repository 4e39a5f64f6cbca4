import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Dialect } from '../../answers/dialect/dialect.ts';
import { parseBase64 } from '../../core/bytes/base64.ts';
import { httpRules } from './httpRules.ts';

export interface Credential {
  readonly user: string;
  readonly salt: string;
  /** HMAC-SHA256 of the password, keyed with the salt as text. */
  readonly hash: Uint8Array;
}

const RPCAUTH = /^(?<user>[^:]*):(?<salt>[^:$]*)\$(?<hash>[0-9a-f]{64})$/;

/** Parses Core's `-rpcauth`, with lower-case hex only. */
export function parseRpcauth(text: string): Credential | undefined {
  const { user, salt, hash } = RPCAUTH.exec(text)?.groups ?? {};
  if (user === undefined || salt === undefined || hash === undefined) return undefined;
  return { user, salt, hash: Buffer.from(hash, 'hex') };
}

export function createCredential(user: string, password: string): Credential {
  const salt = randomBytes(16).toString('hex');
  return { user, salt, hash: hmac(salt, Buffer.from(password)) };
}

/**
 * Returns the user whose password is right. The time taken reveals nothing of names and passwords.
 * @see RFC 7617; Bitcoin Core `RPCAuthorized`
 */
export function authorizedUser(
  header: string,
  credentials: readonly Credential[],
  generation: Dialect['generation'],
): string | undefined {
  const login = header.startsWith(SCHEME) ? decodeLogin(header.slice(SCHEME.length).trim(), generation) : undefined;
  const colon = login?.indexOf(COLON) ?? -1;
  if (!login || colon < 0) return undefined;
  const user = login.subarray(0, colon);
  const password = login.subarray(colon + 1);
  let authorized: string | undefined;
  for (const { user: name, salt, hash } of credentials) {
    const isUser = timingSafeEqual(hmac(salt, user), hmac(salt, Buffer.from(name)));
    const isPassword = timingSafeEqual(hmac(salt, password), hash);
    if (isUser && isPassword) authorized = name;
  }
  return authorized;
}

/** Core compares it case-sensitively. */
const SCHEME = 'Basic ';
const COLON = 0x3a;

function decodeLogin(text: string, generation: Dialect['generation']): Uint8Array | undefined {
  if (httpRules[generation].takesBrokenBase64) return Buffer.from(/^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? '', 'base64');
  try {
    return parseBase64(text);
  } catch {
    // Invalid base64 is a wrong login.
    return undefined;
  }
}

const hmac = (salt: string, data: Uint8Array): Uint8Array => createHmac('sha256', salt).update(data).digest();
