import fc from 'fast-check';
import { concat, push } from './bytes.ts';
import type { Signature } from './signatures.ts';

/** A stack item of a spender: bytes, or a signature to be made. */
export type Item = Uint8Array | Signature;

/**
 * A part of a script, and the stack items it needs.
 *
 * - `items`: bottom first; consumed by `code`
 * - `separator`: offset after the last executed OP_CODESEPARATOR
 */
export interface Piece {
  readonly code: Uint8Array;
  readonly items: readonly Item[];
  readonly separator?: number;
}

export const isSignature = (item: Item): item is Signature => !(item instanceof Uint8Array);

/** Makes a piece of opcodes and, given as bytes, pushes. */
export function piece(items: readonly Item[], ...parts: readonly (Uint8Array | number)[]): Piece {
  return { items, code: concat(...parts.map((part) => (typeof part === 'number' ? [part] : push(part)))) };
}

/** Makes a piece of given code. */
export const raw = (code: Uint8Array, items: readonly Item[] = []): Piece => ({ code, items });

/** Concatenates pieces; the items of the first are on top of the stack. */
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

/** Moves a signature's start of code: after its own separator, otherwise after the last one before its piece. */
function placed(item: Item, shift: number, start: number | undefined): Item {
  if (!isSignature(item)) return item;
  const codeStart = item.codeStart === undefined ? start : item.codeStart + shift;
  return codeStart === undefined ? item : { ...item, codeStart };
}

/** Draws from `usual`, and once in `weight + 1` times from `other`. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** Draws from a list of byte strings. */
export function oneOf(...choices: readonly (readonly number[])[]): fc.Arbitrary<Uint8Array> {
  return fc.constantFrom(...choices).map((choice) => Uint8Array.from(choice));
}
