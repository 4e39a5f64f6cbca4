import { instructionAt, OP } from '../../support/library.ts';
import { concat, push } from '../scripts/bytes.ts';
import type { Proof } from '../scripts/flaws.ts';

/** The stack items of an input's proof. */

export type Items = readonly Uint8Array[];

/** Returns the pushed items of a push-only script, or `undefined` for other scripts. */
function pushesOf(script: Uint8Array): Items | undefined {
  const items: Uint8Array[] = [];
  for (let offset = 0; offset < script.length; ) {
    const instruction = instructionAt(script, offset);
    if (!instruction || instruction.opcode > OP['16']) return undefined;
    const { opcode, dataStart, end } = instruction;
    items.push(opcode > OP.RESERVED ? Uint8Array.of(opcode - OP.RESERVED) : script.slice(dataStart, end));
    offset = end;
  }
  return items;
}

export const pushAll = (items: Items): Uint8Array => concat(...items.map(push));

/** Returns all items of an input: scriptSig pushes, then witness items. */
export const itemsOf = ({ scriptSig, witness }: Proof): Items => [...(pushesOf(scriptSig) ?? []), ...witness];

/** Changes the witness items, or the pushes of the scriptSig if there is no witness. */
export function changeItems({ scriptSig, witness }: Proof, change: (items: Items) => Items): Proof {
  if (witness.length > 0) return { scriptSig, witness: change(witness) };
  const items = pushesOf(scriptSig);
  return { scriptSig: items ? pushAll(change(items)) : scriptSig, witness };
}
