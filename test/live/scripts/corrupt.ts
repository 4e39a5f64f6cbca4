import fc from 'fast-check';
import { instructionAt, OP } from '../../support/library.ts';
import { concat, plainPush } from './bytes.ts';

/** A change that may invalidate a script. */
export interface ScriptFlaw {
  readonly kind: (typeof KINDS)[number];
  /** The instruction's index, modulo their number. */
  readonly at: number;
  /** The opcode to insert. */
  readonly opcode: number;
}

const KINDS = ['insert', 'remove', 'replace', 'swap', 'repeat', 'cut', 'fill'] as const;

export const scriptFlaw: fc.Arbitrary<ScriptFlaw> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat({ max: 1000 }),
  opcode: fc.integer({ min: OP['1NEGATE'], max: OP.CHECKSIGADD }),
});

export function spoil(script: Uint8Array, { kind, at, opcode }: ScriptFlaw): Uint8Array {
  if (kind === 'fill') return filled(script, 9_996 + (at % 8));
  const parts = [...instructionsOf(script)];
  const index = at % (parts.length + 1);
  const [own = new Uint8Array(0), next = own] = parts.slice(index, index + 2);
  const extra = Uint8Array.of(opcode);
  if (kind === 'insert') parts.splice(index, 0, extra);
  if (kind === 'remove') parts.splice(index, 1);
  if (kind === 'replace') parts.splice(index, 1, extra);
  if (kind === 'swap') parts.splice(index, 2, next, own);
  if (kind === 'repeat') parts.splice(index, 0, own);
  if (kind === 'cut') parts.push(Uint8Array.of(3 + (opcode % 74), 1, 0));
  return concat(...parts);
}

/** Pads a script to nearly the limit of 10,000 bytes. */
function filled(script: Uint8Array, size: number): Uint8Array {
  let longer = script;
  while (longer.length + 2 < size) {
    const data = new Uint8Array(Math.min(520, Math.max(0, size - longer.length - 4)));
    longer = concat(plainPush(data), [OP.DROP], longer);
  }
  return longer;
}

/** Splits a script into instructions; the last part may be one that does not parse. */
function instructionsOf(script: Uint8Array): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < script.length; ) {
    const end = instructionAt(script, offset)?.end ?? script.length;
    parts.push(script.slice(offset, end));
    offset = end;
  }
  return parts;
}
