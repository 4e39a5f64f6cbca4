import fc from 'fast-check';
import { concat, push } from './bytes.ts';
import type { Signature } from './signatures.ts';

/** What a spender puts on the stack. */
export type Item = Uint8Array | Signature;

/**
 * A part of a script, and what its spender must put on the stack for it.
 *
 * - `items`: bottom first; used up by `code`
 * - `separator`: offset behind the last OP_CODESEPARATOR that is executed
 */
export interface Piece {
  readonly code: Uint8Array;
  readonly items: readonly Item[];
  readonly separator?: number;
}

export const isSignature = (item: Item): item is Signature => !(item instanceof Uint8Array);

/** A piece of opcodes and, as bytes, of what they push. */
export function piece(items: readonly Item[], ...parts: readonly (Uint8Array | number)[]): Piece {
  return { items, code: concat(...parts.map((part) => (typeof part === 'number' ? [part] : push(part)))) };
}

/** A piece of code as it is. */
export const raw = (code: Uint8Array, items: readonly Item[] = []): Piece => ({ code, items });

/** Puts pieces one after another: what the first one uses lies on top. */
export function join(...pieces: readonly Piece[]): Piece {
  let items: readonly Item[] = [];
  let offset = 0;
  let separator: number | undefined;
  for (const part of pieces) {
    const start = separator;
    const shift = offset;
    items = [...part.items.map((item) => placed(item, shift, start)), ...items];
    if (part.separator !== undefined) separator = offset + part.separator;
    offset += part.code.length;
  }
  const code = concat(...pieces.map((part) => part.code));
  return { code, items, ...(separator !== undefined && { separator }) };
}

/** A signature commits to what follows its own separator, or else the last one before its piece. */
function placed(item: Item, shift: number, start: number | undefined): Item {
  if (!isSignature(item)) return item;
  const codeStart = item.codeStart === undefined ? start : item.codeStart + shift;
  return codeStart === undefined ? item : { ...item, codeStart };
}

/** The usual, and once in a while something else. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** Bytes from a list of some. */
export function oneOf(...choices: readonly (readonly number[])[]): fc.Arbitrary<Uint8Array> {
  return fc.constantFrom(...choices).map((choice) => Uint8Array.from(choice));
}
