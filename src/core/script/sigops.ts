import { instructions, isPushOnly, listPushes } from './instructions.ts';
import {
  OP_1,
  OP_16,
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGVERIFY,
  OP_RESERVED,
} from './opcodes.ts';
import { isPayToScriptHash, parseWitnessProgram } from './template.ts';

/** Counts if the number of keys is ignored or not apparent. */
export const MAX_PUBKEYS_PER_MULTISIG = 20;
const NOTHING = new Uint8Array(0);

/**
 * Counts OP_1 to OP_16 before a CHECKMULTISIG as its number of keys if `isAccurate`.
 * @see Core `CScript::GetSigOpCount`
 */
export function countSigOps(script: Uint8Array, isAccurate: boolean): number {
  let count = 0;
  let before = -1;
  for (const instruction of instructions(script)) {
    if (!instruction) break;
    const { opcode } = instruction;
    if (opcode === OP_CHECKSIG || opcode === OP_CHECKSIGVERIFY) count += 1;
    if (opcode === OP_CHECKMULTISIG || opcode === OP_CHECKMULTISIGVERIFY) {
      const isCounted = isAccurate && before >= OP_1 && before <= OP_16;
      count += isCounted ? before - OP_RESERVED : MAX_PUBKEYS_PER_MULTISIG;
    }
    before = opcode;
  }
  return count;
}

function lastPush(scriptSig: Uint8Array): Uint8Array | undefined {
  if (!isPushOnly(scriptSig)) return undefined;
  return listPushes(scriptSig).at(-1) ?? NOTHING;
}

interface Spend {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
  readonly scriptPubKey: Uint8Array;
}

export function countRedeemSigOps({ scriptSig, scriptPubKey }: Spend): number {
  const redeemScript = isPayToScriptHash(scriptPubKey) ? lastPush(scriptSig) : undefined;
  return redeemScript ? countSigOps(redeemScript, true) : 0;
}

/** Counts those of a version 0 witness program, also in P2SH. @see Core `CountWitnessSigOps` */
export function countWitnessSigOps({ scriptSig, witness, scriptPubKey }: Spend): number {
  const nested = isPayToScriptHash(scriptPubKey) ? lastPush(scriptSig) : undefined;
  const { version, program } = parseWitnessProgram(nested ?? scriptPubKey) ?? {};
  if (version !== 0 || !program) return 0;
  if (program.length === 20) return 1;
  return program.length === 32 ? countSigOps(witness.at(-1) ?? NOTHING, true) : 0;
}
