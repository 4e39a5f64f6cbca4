import { equalBytes } from '../../core/bytes/compare.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import { parseBc32 } from '../../core/encoding/bc32.ts';

/** A part of a UR of version 1, as Cobo Vault, BTCPay and Specter write them. @see BCR-2020-005, version of 2020-05 */
export interface OldUrPart {
  readonly type: string;
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Names the content; absent if there is one part. */
  readonly digest?: string;
  readonly text: string;
}

const PART =
  /^ur:(?<type>[a-z0-9-]{1,40})\/(?:(?<number>[0-9]{1,4})of(?<count>[0-9]{1,4})\/)?(?:(?<digest>[a-z0-9]{58})\/)?(?<text>[a-z0-9]+)$/;

/** Returns `undefined` for another text, also a UR of version 2, whose words never fit these characters. */
export function parseOldUrPart(text: string): OldUrPart | undefined {
  const groups = PART.exec(text.toLowerCase())?.groups;
  if (!groups) return undefined;
  const { type = '', number = '1', count = '1', digest, text: part = '' } = groups;
  const isNumbered = Number(number) >= 1 && Number(number) <= Number(count);
  // A text of one part could be another one, cut off.
  const isWhole = Number(count) > 1 ? digest !== undefined : joinOldUr([part], digest) !== undefined;
  if (!isNumbered || !isWhole) return undefined;
  return { type, index: Number(number) - 1, count: Number(count), ...(digest && { digest }), text: part };
}

/** Joins the texts of all parts. Returns the CBOR, or `undefined` if they are damaged. */
export function joinOldUr(texts: readonly string[], digest: string | undefined): Uint8Array | undefined {
  const content = parseBc32(texts.join(''));
  const stated = digest === undefined ? undefined : parseBc32(digest);
  const isWhole = digest === undefined || (content && stated && equalBytes(sha256(content), stated));
  return isWhole ? content : undefined;
}
