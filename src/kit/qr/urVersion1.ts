import { bech32 } from '@scure/base';
import { equalBytes } from '../../core/bytes/compare.ts';
import { sha256 } from '../../core/crypto/hash.ts';

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

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const PART = new RegExp(
  `^ur:(?<type>[a-z0-9-]{1,40})/(?:(?<number>[0-9]{1,4})of(?<count>[0-9]{1,4})/)?(?:(?<digest>[${CHARACTERS}]{58})/)?(?<text>[${CHARACTERS}]+)$`,
);

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
  const content = decodeBc32(texts.join(''));
  const stated = digest === undefined ? undefined : decodeBc32(digest);
  const isWhole = digest === undefined || (content && stated && equalBytes(sha256(content), stated));
  return isWhole ? content : undefined;
}

const CHECKSUM_SIZE = 6;
const BC32_CONSTANT = 0x3fff_ffff;

/** Decodes Bech32 without a prefix. @see BCR-2020-004 */
function decodeBc32(text: string): Uint8Array | undefined {
  const values = [...text].map((character) => CHARACTERS.indexOf(character));
  if (polymod([0, ...values]) !== BC32_CONSTANT) return undefined;
  return bech32.fromWordsUnsafe(values.slice(0, -CHECKSUM_SIZE)) || undefined;
}

const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;

/** @see BIP173 "Checksum" */
function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ff_ffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> bit) & 1) sum ^= generator;
  }
  return sum;
}
