import { concatBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import type { SignatureChecker } from '../interpreter/checker.ts';
import { MANDATORY_FLAGS } from '../interpreter/flags.ts';
import { type VerifyScriptInput, verifyScript } from '../interpreter/verifyScript.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import { pushMinimally, pushOf } from '../script/build.ts';
import {
  type Instruction,
  instructions,
  isUnspendable,
  MAX_SCRIPT_ELEMENT_SIZE,
  pushedData,
} from '../script/instructions.ts';
import { isDisabled, MAX_OPS } from '../script/opcodeRules.ts';
import {
  OP_0,
  OP_16,
  OP_CHECKSIG,
  OP_CHECKSIGVERIFY,
  OP_ELSE,
  OP_ENDIF,
  OP_IF,
  OP_NOP10,
  OP_NOTIF,
  OP_RESERVED,
  OP_RESERVED1,
  OP_RESERVED2,
  OP_RETURN,
  OP_VER,
  OP_VERIF,
  OP_VERIFY,
  OP_VERNOTIF,
} from '../script/opcodes.ts';
import { classifyScript, type ScriptTemplate, witnessProgramOf } from '../script/template.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';

/** The fate of coins that are lost: `burnt` can never be spent, `open` can be spent by anyone. */
type Fate = 'burnt' | 'open';

type KnownScripts = Pick<PsbtOutput, 'redeemScript' | 'witnessScript'>;

/** The script that runs when an output is spent, and how a spend supplies its stack items, bottom first. */
interface Deciding {
  readonly script: Uint8Array;
  readonly scriptPubKey: Uint8Array;
  /** Whether relay policy lets only compressed keys sign. @see BIP143 "Restrictions on public key type" */
  readonly isWitness: boolean;
  readonly spendWith: (items: readonly Uint8Array[]) => Pick<VerifyScriptInput, 'scriptSig' | 'witness'>;
}

/**
 * Tells whether the coins of an output are lost, judging by its script and by the scripts in its records to which it
 * commits. Tries only a few spends.
 * @returns `undefined` if the owner may be able to satisfy the script
 */
export function fateOf(
  scriptPubKey: Uint8Array,
  template: ScriptTemplate,
  scripts: KnownScripts,
  ecc: Ecc,
): Fate | undefined {
  switch (template.type) {
    case 'witness_v1_taproot':
      return ecc.isXOnlyPoint(template.program) ? undefined : 'burnt';
    case 'anchor':
    case 'witness_unknown':
      return 'open';
    case 'nulldata':
    case 'scripthash':
    case 'witness_v0_scripthash':
    case 'pubkey':
    case 'multisig':
    case 'nonstandard':
      return fateOfUnwrapped(scriptPubKey, scripts);
    default:
      return undefined;
  }
}

/** Judges the script that runs, if it is known. */
function fateOfUnwrapped(scriptPubKey: Uint8Array, scripts: KnownScripts): Fate | undefined {
  const { outer, inner, redeemScript, witnessScript } = unwrap(scriptPubKey, matchingScripts(scripts));
  if (outer.type === 'scripthash' && !redeemScript) return undefined;
  if (redeemScript && redeemScript.length > MAX_SCRIPT_ELEMENT_SIZE) return 'burnt';
  const revealing = redeemScript ? pushOf(redeemScript) : NOTHING;
  if (inner.type === 'witness_v0_keyhash') return undefined;
  if (inner.type === 'witness_v0_scripthash') {
    if (!witnessScript) return undefined;
    const spendWith: Deciding['spendWith'] = (items) => ({ scriptSig: revealing, witness: [...items, witnessScript] });
    return fateOfScript({ script: witnessScript, scriptPubKey, isWitness: true, spendWith });
  }
  return fateOfScript({
    script: redeemScript ?? scriptPubKey,
    scriptPubKey,
    isWitness: false,
    spendWith: (items) => ({ scriptSig: concatBytes(...items.map(pushMinimally), revealing), witness: [] }),
  });
}

function fateOfScript(deciding: Deciding): Fate | undefined {
  const { script, isWitness } = deciding;
  const template = classifyScript(script);
  const signs = (key: Uint8Array): boolean => isValidPublicKey(key) && (!isWitness || key.length === 33);
  if (template.type === 'pubkeyhash') return undefined;
  if (template.type === 'multisig') {
    return template.pubkeys.filter(signs).length < template.required ? 'burnt' : undefined;
  }
  // Version 0 has rules for 20 and 32 bytes only, and those have templates. BIP141 "Witness program".
  const isBadProgram = !isWitness && witnessProgramOf(script)?.version === 0;
  const walk = walkThrough(script, signs);
  if (isBadProgram || isUnspendable(script) || walk.fails) return 'burnt';
  const stacks = walk.operations > MAX_SEARCHED ? FEW_STACKS : STACKS;
  return stacks.some((items) => isSpentBy(items, deciding)) ? 'open' : undefined;
}

const NOTHING = new Uint8Array(0);
const TRUE: Uint8Array = /* @__PURE__ */ Uint8Array.of(1);

/** Stack items without secrets, which satisfy most scripts that need no signature. */
const FEW_STACKS: readonly (readonly Uint8Array[])[] = [[], [TRUE]];
const STACKS: readonly (readonly Uint8Array[])[] = [...FEW_STACKS, [NOTHING], [NOTHING, NOTHING], [TRUE, TRUE]];

/** Each stack costs a run of the script: one with more operations, which may all be hashes, gets the first few only. */
const MAX_SEARCHED = 20;

function isSpentBy(items: readonly Uint8Array[], { scriptPubKey, spendWith }: Deciding): boolean {
  const spend = { ...spendWith(items), scriptPubKey, checker: UNSIGNED, flags: MANDATORY_FLAGS };
  return verifyScript(spend).kind === 'valid';
}

/** Accepts every lock and no signature: a spender without keys who can wait. */
const UNSIGNED: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: () => true,
  checkSequence: () => true,
};

/**
 * Opcodes besides the disabled ones that fail a script even if they are not executed.
 * @see Bitcoin Core `EvalScript`
 */
const FORBIDDEN: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([OP_VERIF, OP_VERNOTIF]);

/** Opcodes that fail a script when executed; all beyond the last named one do, too. */
const FAILING: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([
  OP_RESERVED,
  OP_VER,
  OP_RETURN,
  OP_RESERVED1,
  OP_RESERVED2,
]);

/** The state of a walk through a script: the depth of branches and the number of operations so far. */
interface Walk {
  depth: number;
  operations: number;
  /** Whether the last instruction leaves a false item on top, whatever came before. */
  isFalse: boolean;
  /** The data of the last instruction, if it is a push outside of branches. */
  pushed: Uint8Array | undefined;
}

/**
 * Tells whether a script fails with any stack items. Assumes that each branch is executed by some spends and not by
 * others.
 *
 * - `signs`: tells whether bytes are a key for which signatures can be valid
 */
function walkThrough(
  script: Uint8Array,
  signs: (key: Uint8Array) => boolean,
): { readonly fails: boolean; readonly operations: number } {
  const walk: Walk = { depth: 0, operations: 0, isFalse: false, pushed: undefined };
  for (const instruction of instructions(script)) {
    if (!instruction || isMalformed(instruction, walk)) return { fails: true, operations: walk.operations };
    if (walk.depth === 0 && failsHere(script, instruction, walk, signs)) {
      return { fails: true, operations: walk.operations };
    }
  }
  return { fails: walk.depth > 0 || walk.isFalse, operations: walk.operations };
}

/** Tells whether an instruction fails a script even in a branch that is not executed. */
function isMalformed({ opcode, dataStart, end }: Instruction, walk: Walk): boolean {
  if (opcode > OP_16) walk.operations += 1;
  if (opcode === OP_IF || opcode === OP_NOTIF) walk.depth += 1;
  if ((opcode === OP_ELSE || opcode === OP_ENDIF) && walk.depth === 0) return true;
  if (opcode === OP_ENDIF) walk.depth -= 1;
  return (
    isDisabled(opcode) ||
    FORBIDDEN.has(opcode) ||
    end - dataStart > MAX_SCRIPT_ELEMENT_SIZE ||
    walk.operations > MAX_OPS
  );
}

/** Tells whether an instruction outside of branches fails; notes in `walk` what it leaves on top of the stack. */
function failsHere(
  script: Uint8Array,
  instruction: Instruction,
  walk: Walk,
  signs: (key: Uint8Array) => boolean,
): boolean {
  const { opcode } = instruction;
  const { pushed, isFalse } = walk;
  const isUnsigned = (): boolean => pushed !== undefined && !signs(pushed);
  // OP_1 to OP_16 give empty data, which is not a key either.
  walk.pushed = opcode <= OP_16 ? pushedData(script, instruction) : undefined;
  walk.isFalse = opcode === OP_0 || (opcode === OP_CHECKSIG && isUnsigned());
  if (FAILING.has(opcode) || opcode > OP_NOP10) return true;
  return (opcode === OP_VERIFY && isFalse) || (opcode === OP_CHECKSIGVERIFY && isUnsigned());
}
