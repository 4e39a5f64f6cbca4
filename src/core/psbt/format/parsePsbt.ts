import { isBytes } from '../../bytes/assertBytes.ts';
import { assertList, assertShape } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import { assertOutline, assertPsbt } from './assertPsbt.ts';
import { decodePsbtBytes, type PsbtDecodeOptions } from './decodePsbt.ts';
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
  assertShape('psbt', typeof content === 'string' || isBytes(content), 'a text or a Uint8Array');
  const written = findPsbt(content);
  if (written) return decodePsbtBytes(written.bytes, options);
  const form = unreadForm(content) ?? 'neither binary, base64 nor hex of a PSBT';
  throw new BtcError('psbt/unrecognized', {}, `This is not a PSBT: it is ${form}`);
}

/** A PSBT as text, as bytes, or parsed. One of Litecoin with MWEB has to be parsed. */
export type AnyPsbt = Psbt | string | Uint8Array;

/** Takes a PSBT as `parsePsbt` does, or its result. @throws as `parsePsbt` */
export function readPsbt(given: AnyPsbt, options: PsbtDecodeOptions = {}): Psbt {
  if (typeof given === 'string' || isBytes(given)) return parsePsbt(given, options);
  assertPsbt(given);
  return given;
}

/** Like `readPsbt`, for functions that are called for each input: looks at none. @throws as `parsePsbt` */
export function readOutline(given: AnyPsbt): Psbt {
  if (typeof given === 'string' || isBytes(given)) return parsePsbt(given);
  assertOutline(given);
  return given;
}

/** @throws `argument/invalid` for what is not a list; as `readPsbt` */
export function readPsbts(given: readonly AnyPsbt[]): readonly Psbt[] {
  assertList('psbts', given);
  return given.map((each) => readPsbt(each));
}
