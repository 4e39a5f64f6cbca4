import { assertText } from '../bytes/assertText.ts';
import { formatHex } from '../bytes/hex.ts';
import { assertList } from '../bytes/knownOptions.ts';
import { quoted, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';

/** The master key of a key, and the path from there. @see BIP174 */
export interface KeyOrigin {
  /** First 4 bytes of the master key's hash160. */
  readonly fingerprint: Uint8Array;
  /** Child numbers; hardened ones have bit 31 set. */
  readonly path: readonly number[];
}

/** The bit of a hardened child number. */
export const HARDENED = 0x8000_0000;

/** Tells whether deriving a child takes the private key. */
export function isHardened(child: number): boolean {
  return child >= HARDENED;
}

/**
 * Formats a path as `/84h/0`.
 *
 * @example
 * ```ts
 * import { formatPath, parsePath } from 'countersign';
 *
 * formatPath(parsePath('m/84h/0h/0h/0/5')); // /84h/0h/0h/0/5
 * ```
 */
export function formatPath(path: readonly number[], hardenedMark: string = 'h'): string {
  assertList('path', path);
  return path.map((child) => (isHardened(child) ? `/${child - HARDENED}${hardenedMark}` : `/${child}`)).join('');
}

/** Formats an origin as descriptors write it: `[73c5da0a/84h/0h/0h]`. @see BIP380 "Key Expressions" */
export const formatOrigin = ({ fingerprint, path }: KeyOrigin, hardenedMark?: string): string =>
  `[${formatHex(fingerprint)}${formatPath(path, hardenedMark)}]`;

/** The number of steps from a master key to an account: purpose, coin type, account. @see BIP44 */
export const ACCOUNT_DEPTH = 3;

export interface PathStep {
  readonly child: number;
  readonly mark?: "'" | 'h';
}

/** Parses a step such as `84h`. @throws `path/invalid` @see Bitcoin Core `ParseKeyPathElement` */
export function parsePathStep(text: string): PathStep {
  const mark = text.endsWith("'") ? "'" : text.endsWith('h') ? 'h' : undefined;
  const digits = mark ? text.slice(0, -1) : text;
  if (!/^[0-9]+$/.test(digits) || Number(digits) > 0xffff_ffff) {
    throw new BtcError(
      'path/invalid',
      { step: withoutSecrets(text), reason: 'not a number' },
      `The path step ${quoted(text)} is not a number, with h after it if the step is hardened`,
    );
  }
  const number = Number(digits);
  if (isHardened(number)) {
    throw new BtcError(
      'path/invalid',
      { step: withoutSecrets(text), reason: 'out of range' },
      `The path step ${quoted(text)} exceeds ${HARDENED - 1}: mark a hardened step with h instead`,
    );
  }
  return mark ? { child: number + HARDENED, mark } : { child: number };
}

/**
 * Parses a path such as `m/84h/0h/0h/0/5`; the `m` is optional.
 * @throws `path/invalid`
 *
 * @example
 * ```ts
 * import { parsePath } from 'countersign';
 *
 * parsePath("m/84'/0h/1").join(); // 2147483732,2147483648,1
 * ```
 */
export function parsePath(text: string): readonly number[] {
  assertText('path', text);
  const steps = text.split('/');
  if (steps[0] === 'm' || steps[0] === '') steps.shift();
  return steps.map((step) => parsePathStep(step).child);
}
