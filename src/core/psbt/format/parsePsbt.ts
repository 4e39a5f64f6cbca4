import { formatBase64 } from '../../bytes/base64.ts';
import { formatHex } from '../../bytes/hex.ts';
import { BtcError } from '../../errors.ts';
import { assertPsbt } from './assertPsbt.ts';
import { decodePsbtBytes, type PsbtDecodeOptions } from './decodePsbt.ts';
import { encodePsbt } from './encodePsbt.ts';
import { findPsbt, unreadForm } from './psbtBytes.ts';
import type { Psbt } from './types.ts';

/**
 * Parses a PSBT as bytes, base64, hex, or JSON that holds one (`psbt`, `funded_psbt`, `signed_psbt` or `result`); text
 * also as bytes. Ignores white space, quotes around the text, and missing padding.
 * @throws `psbt/unrecognized` for other content; `psbt/*`, `bytes/*`, `base64/invalid`, `hex/invalid`
 * @example
 * ```ts
 * import { formatPsbt, parsePsbt } from 'countersign';
 *
 * const base64 = 'cHNidP8BAAoCAAAAAAAAAAAAAA==';
 * formatPsbt(parsePsbt(base64)) === base64; // true
 * ```
 */
export function parsePsbt(content: string | Uint8Array, options: PsbtDecodeOptions = {}): Psbt {
  const written = findPsbt(content);
  if (written) return decodePsbtBytes(written.bytes, options);
  const form = unreadForm(content) ?? 'neither binary, base64 nor hex of a PSBT';
  throw new BtcError('psbt/unrecognized', {}, `This is not a PSBT: it is ${form}`);
}

/** Takes a PSBT as `parsePsbt` does, or its result. @throws as `parsePsbt` */
export function readPsbt(given: Psbt | string | Uint8Array, options: PsbtDecodeOptions = {}): Psbt {
  if (typeof given === 'string' || given instanceof Uint8Array) return parsePsbt(given, options);
  assertPsbt(given, 'its text, its bytes, or the result of parsePsbt');
  return given;
}

/**
 * Formats a PSBT as base64 or hex.
 *
 * @example
 * ```ts
 * import { formatPsbt, parsePsbt } from 'countersign';
 *
 * const psbt = parsePsbt('cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=');
 * formatPsbt(psbt, 'hex').slice(0, 10); // 70736274ff
 * ```
 */
export function formatPsbt(psbt: Psbt, encoding: 'base64' | 'hex' = 'base64'): string {
  return (encoding === 'hex' ? formatHex : formatBase64)(encodePsbt(psbt));
}
