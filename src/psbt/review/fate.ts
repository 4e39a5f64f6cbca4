import type { Ecc } from '../../crypto/ecc.ts';
import { isValidPublicKey } from '../../crypto/publicKey.ts';
import type { SignatureChecker } from '../../interpreter/checker.ts';
import { MANDATORY_FLAGS } from '../../interpreter/flags.ts';
import { verifyScript } from '../../interpreter/verifyScript.ts';
import { type Instruction, instructionAt, isUnspendable, MAX_SCRIPT_ELEMENT_SIZE } from '../../script/instructions.ts';
import { OP } from '../../script/opcodes.ts';
import { type ScriptTemplate, witnessProgramOf } from '../../script/template.ts';

/** The end that coins come to: `burnt` can never be spent, `open` can be spent by anyone. */
type Fate = 'burnt' | 'open';

/**
 * Tells of an output whether its coins are lost, as far as its script alone shows that without a search.
 * @returns `undefined` where a script may be satisfied by its owner
 */
export function fateOf(scriptPubKey: Uint8Array, template: ScriptTemplate, ecc: Ecc): Fate | undefined {
  switch (template.type) {
    case 'witness_v1_taproot':
      return ecc.isXOnlyPoint(template.program) ? undefined : 'burnt';
    case 'pubkey':
      return isValidPublicKey(template.pubkey) ? undefined : 'burnt';
    case 'multisig':
      return template.pubkeys.filter(isValidPublicKey).length < template.required ? 'burnt' : undefined;
    case 'anchor':
    case 'witness_unknown':
      return 'open';
    case 'nulldata':
      return 'burnt';
    case 'nonstandard':
      return fateOfScript(scriptPubKey);
    default:
      return undefined;
  }
}

function fateOfScript(script: Uint8Array): Fate | undefined {
  // Version 0 has rules for 20 and 32 bytes only, and those have templates. BIP141 "Witness program".
  if (witnessProgramOf(script) || isUnspendable(script) || alwaysFails(script)) return 'burnt';
  const isOpen = [NOTHING, TRUE].some(
    (scriptSig) =>
      verifyScript({ scriptSig, scriptPubKey: script, witness: [], checker: UNSIGNED, flags: MANDATORY_FLAGS }).kind ===
      'valid',
  );
  return isOpen ? 'open' : undefined;
}

const NOTHING = new Uint8Array(0);
const TRUE: Uint8Array = /* @__PURE__ */ Uint8Array.of(OP['1']);

/** A spender without any key, who can wait. */
const UNSIGNED: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: () => true,
  checkSequence: () => true,
};

const MAX_OPERATIONS = 201;

/** Opcodes that fail a script wherever they stand. @see Bitcoin Core `EvalScript`, disabled opcodes */
const FORBIDDEN: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([
  OP.VERIF,
  OP.VERNOTIF,
  OP.CAT,
  OP.SUBSTR,
  OP.LEFT,
  OP.RIGHT,
  OP.INVERT,
  OP.AND,
  OP.OR,
  OP.XOR,
  OP['2MUL'],
  OP['2DIV'],
  OP.MUL,
  OP.DIV,
  OP.MOD,
  OP.LSHIFT,
  OP.RSHIFT,
]);

/** Opcodes that fail a script where they are executed; those beyond the last one that has a name do, too. */
const FAILING: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([
  OP.RESERVED,
  OP.VER,
  OP.RETURN,
  OP.RESERVED1,
  OP.RESERVED2,
]);

/** A walk through a script: how deep in branches it is, and how many operations it has met. */
interface Walk {
  depth: number;
  operations: number;
  /** Whether the last instruction leaves a false item on top, whatever came before. */
  endsFalse: boolean;
}

/** Whether a script fails whatever it is given. Branches are taken for executed by some spend and not by others. */
function alwaysFails(script: Uint8Array): boolean {
  const walk: Walk = { depth: 0, operations: 0, endsFalse: false };
  for (let offset = 0; offset < script.length; ) {
    const instruction = instructionAt(script, offset);
    if (!instruction || fails(instruction, walk)) return true;
    offset = instruction.end;
  }
  return walk.depth > 0 || walk.endsFalse;
}

function fails({ opcode, dataStart, end }: Instruction, walk: Walk): boolean {
  if (opcode > OP['16']) walk.operations += 1;
  if (opcode === OP.IF || opcode === OP.NOTIF) walk.depth += 1;
  if ((opcode === OP.ELSE || opcode === OP.ENDIF) && walk.depth === 0) return true;
  if (opcode === OP.ENDIF) walk.depth -= 1;
  walk.endsFalse = opcode === OP['0'] && walk.depth === 0;
  const isFailing = FAILING.has(opcode) || opcode > OP.NOP10;
  return (
    FORBIDDEN.has(opcode) ||
    (isFailing && walk.depth === 0) ||
    end - dataStart > MAX_SCRIPT_ELEMENT_SIZE ||
    walk.operations > MAX_OPERATIONS
  );
}
