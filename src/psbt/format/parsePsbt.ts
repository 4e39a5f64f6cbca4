import { formatBase64 } from '../../bytes/base64.ts';
import { formatHex } from '../../bytes/hex.ts';
import { BtcError } from '../../errors.ts';
import { decodePsbtBytes, type PsbtDecodeOptions } from './decodePsbt.ts';
import { encodePsbt } from './encodePsbt.ts';
import { psbtBytes } from './psbtBytes.ts';
import type { Psbt } from './types.ts';

/**
 * Parses a PSBT in any form: bytes, base64 or hex, or the bytes of a text file that holds either. Ignores white space
 * in texts.
 * @throws `psbt/unrecognized` if it begins like none of them; `psbt/*`, `bytes/*`, `base64/invalid`, `hex/invalid`
 * @see BIP174 "Specification"
 * @example
 * ```ts
 * import { formatPsbt, parsePsbt } from 'countersign';
 *
 * const base64 = 'cHNidP8BAAoCAAAAAAAAAAAAAA==';
 * formatPsbt(parsePsbt(base64)) === base64; // true
 * ```
 */
export function parsePsbt(given: string | Uint8Array, options: PsbtDecodeOptions = {}): Psbt {
  const bytes = psbtBytes(given);
  if (bytes) return decodePsbtBytes(bytes, options);
  throw new BtcError('psbt/unrecognized', {}, 'This is not a PSBT: it is neither binary, base64 nor hex of a PSBT');
}

/**
 * Formats a PSBT as base64, which wallets exchange as text, or as hex.
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
