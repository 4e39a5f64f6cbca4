import { instructionAt, OP } from '../../support/library.ts';
import { concat, push } from '../scripts/bytes.ts';
import type { Proof } from '../scripts/flaws.ts';

/** What an input holds, item by item. */

export type Items = readonly Uint8Array[];

/** What a script pushes, if it does nothing else. */
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

/** All items that an input holds. */
export const itemsOf = ({ scriptSig, witness }: Proof): Items => [...(pushesOf(scriptSig) ?? []), ...witness];

/** Changes the items of the witness where there is one, else those of the scriptSig. */
export function changeItems({ scriptSig, witness }: Proof, change: (items: Items) => Items): Proof {
  if (witness.length > 0) return { scriptSig, witness: change(witness) };
  const items = pushesOf(scriptSig);
  return { scriptSig: items ? pushAll(change(items)) : scriptSig, witness };
}
