import { instructions } from '../script/instructions.ts';
import {
  OP_0NOTEQUAL,
  OP_1ADD,
  OP_1SUB,
  OP_2DROP,
  OP_2DUP,
  OP_2OVER,
  OP_2ROT,
  OP_2SWAP,
  OP_3DUP,
  OP_16,
  OP_ABS,
  OP_ADD,
  OP_BOOLAND,
  OP_BOOLOR,
  OP_CHECKLOCKTIMEVERIFY,
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSEQUENCEVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGADD,
  OP_CHECKSIGVERIFY,
  OP_DEPTH,
  OP_DROP,
  OP_DUP,
  OP_ELSE,
  OP_ENDIF,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_FROMALTSTACK,
  OP_GREATERTHAN,
  OP_GREATERTHANOREQUAL,
  OP_HASH160,
  OP_HASH256,
  OP_IF,
  OP_IFDUP,
  OP_LESSTHAN,
  OP_LESSTHANOREQUAL,
  OP_MAX,
  OP_MIN,
  OP_NEGATE,
  OP_NIP,
  OP_NOT,
  OP_NOTIF,
  OP_NUMEQUAL,
  OP_NUMEQUALVERIFY,
  OP_NUMNOTEQUAL,
  OP_OVER,
  OP_PICK,
  OP_RIPEMD160,
  OP_ROLL,
  OP_ROT,
  OP_SHA1,
  OP_SHA256,
  OP_SIZE,
  OP_SUB,
  OP_SWAP,
  OP_TOALTSTACK,
  OP_TUCK,
  OP_VERIFY,
  OP_WITHIN,
} from '../script/opcodes.ts';

/** The least that the stack of a script may hold, whichever branches are executed. */
export interface StackDepth {
  /** At the end, whatever number of items the spender gives. */
  readonly least: number;
  /** At the end, beyond the items that the spender gives; negative if the script takes more than it pushes. */
  readonly growth: number;
  /** The script may read or move items that the spender gives, and not only count them. */
  readonly takesItems: boolean;
}

/** By opcode, the most items that it takes, and the fewest that it leaves in their place. */
const EFFECTS: ReadonlyMap<number, readonly [taken: number, left: number]> = /* @__PURE__ */ new Map([
  ...effects(0, 1, [OP_DEPTH, OP_FROMALTSTACK]),
  ...effects(1, 0, [OP_IF, OP_NOTIF, OP_VERIFY, OP_TOALTSTACK, OP_DROP]),
  // OP_IFDUP duplicates some items only.
  ...effects(1, 1, [OP_IFDUP, OP_1ADD, OP_1SUB, OP_NEGATE, OP_ABS, OP_NOT, OP_0NOTEQUAL]),
  ...effects(1, 1, [OP_RIPEMD160, OP_SHA1, OP_SHA256, OP_HASH160, OP_HASH256]),
  ...effects(1, 1, [OP_CHECKLOCKTIMEVERIFY, OP_CHECKSEQUENCEVERIFY]),
  ...effects(1, 2, [OP_DUP, OP_SIZE]),
  ...effects(2, 0, [OP_2DROP, OP_EQUALVERIFY, OP_NUMEQUALVERIFY, OP_CHECKSIGVERIFY]),
  ...effects(2, 1, [OP_NIP, OP_ROLL, OP_EQUAL, OP_ADD, OP_SUB, OP_BOOLAND, OP_BOOLOR, OP_NUMEQUAL, OP_NUMNOTEQUAL]),
  ...effects(2, 1, [OP_LESSTHAN, OP_GREATERTHAN, OP_LESSTHANOREQUAL, OP_GREATERTHANOREQUAL, OP_MIN, OP_MAX]),
  ...effects(2, 1, [OP_CHECKSIG]),
  ...effects(2, 2, [OP_PICK, OP_SWAP]),
  ...effects(2, 3, [OP_OVER, OP_TUCK]),
  ...effects(2, 4, [OP_2DUP]),
  ...effects(3, 1, [OP_WITHIN, OP_CHECKSIGADD]),
  ...effects(3, 3, [OP_ROT]),
  ...effects(3, 6, [OP_3DUP]),
  ...effects(4, 4, [OP_2SWAP]),
  ...effects(4, 6, [OP_2OVER]),
  ...effects(6, 6, [OP_2ROT]),
  // With 20 keys and 20 signatures, which are the most.
  ...effects(43, 1, [OP_CHECKMULTISIG]),
  ...effects(43, 0, [OP_CHECKMULTISIGVERIFY]),
]);

function effects(
  taken: number,
  left: number,
  opcodes: readonly number[],
): (readonly [number, readonly [number, number]])[] {
  return opcodes.map((opcode) => [opcode, [taken, left]]);
}

/** Reach for an item by a number that the script may compute. */
const REACHING: ReadonlySet<number> = /* @__PURE__ */ new Set([OP_PICK, OP_ROLL]);

/** Follows the depth of the stack through both sides of each branch. Expects a script that the interpreter can parse. */
export function stackDepth(script: Uint8Array): StackDepth {
  let depth: StackDepth = { least: 0, growth: 0, takesItems: false };
  /** The depths where the condition of an open branch is the other one. */
  const others: StackDepth[] = [];
  for (const instruction of instructions(script)) {
    if (!instruction) break;
    depth = depthAfter(instruction.opcode, depth, others);
  }
  return depth;
}

/** Also opens, changes and closes branches in `others`. */
function depthAfter(opcode: number, depth: StackDepth, others: StackDepth[]): StackDepth {
  if (opcode === OP_ELSE) return others.splice(-1, 1, depth)[0] ?? depth;
  if (opcode === OP_ENDIF) return leastOf(depth, others.pop() ?? depth);
  const [taken, left] = EFFECTS.get(opcode) ?? [0, opcode <= OP_16 ? 1 : 0];
  const { least, growth, takesItems } = depth;
  const next = {
    least: Math.max(0, least - taken) + left,
    growth: growth - taken + left,
    takesItems: takesItems || growth < taken || REACHING.has(opcode),
  };
  if (opcode === OP_IF || opcode === OP_NOTIF) others.push(next);
  return next;
}

const leastOf = (one: StackDepth, other: StackDepth): StackDepth => ({
  least: Math.min(one.least, other.least),
  growth: Math.min(one.growth, other.growth),
  takesItems: one.takesItems || other.takesItems,
});
