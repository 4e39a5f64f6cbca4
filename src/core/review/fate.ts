import { bytesKey, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import type { SignatureChecker, SigVersion } from '../interpreter/checker.ts';
import { evaluate } from '../interpreter/evaluate.ts';
import { MANDATORY_FLAGS } from '../interpreter/flags.ts';
import { isTruthy, type TapscriptContext } from '../interpreter/machine.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import {
  hasOpcode,
  type Instruction,
  instructions,
  isDataPush,
  isUnspendable,
  MAX_SCRIPT_ELEMENT_SIZE,
  pushedData,
} from '../script/instructions.ts';
import { encodeScriptNumber } from '../script/number.ts';
import { hasOpSuccess, isDisabled, MAX_OPS } from '../script/opcodeRules.ts';
import {
  OP_0,
  OP_16,
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGADD,
  OP_CHECKSIGVERIFY,
  OP_DEPTH,
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
import {
  isOutputKey,
  TAPSCRIPT_LEAF_VERSION,
  type TapLeafHash,
  type TapTreeLeaf,
  tapTreeRoot,
  UNSPENDABLE_KEY,
} from '../script/tapTree.ts';
import { classifyScript, parseWitnessProgram, type ScriptTemplate } from '../script/template.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';
import { stackDepth } from './stackDepth.ts';

/** `burnt` coins can never be spent, `open` coins by anyone. */
type Fate = 'burnt' | 'open';

type KnownScripts = Pick<PsbtOutput, 'redeemScript' | 'witnessScript' | 'tapInternalKey' | 'tapTree'>;

interface Deciding {
  readonly script: Uint8Array;
  readonly sigVersion: SigVersion;
  /** Tells whether a key's signatures can be valid. */
  readonly signs: (key: Uint8Array) => boolean;
}

/**
 * Tells whether an output's coins are lost, by its script and the records that it commits to. Tries only a few spends;
 * `undefined` if the owner may be able to spend.
 */
export function judgeFate(
  { scriptPubKey, template }: { readonly scriptPubKey: Uint8Array; readonly template: ScriptTemplate },
  scripts: KnownScripts,
  ecc: Ecc,
): Fate | undefined {
  switch (template.type) {
    case 'witness_v1_taproot':
      return fateOfTaproot(template.program, scripts, ecc);
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

/** One leaf that anyone can spend is enough. */
function fateOfTaproot(
  outputKey: Uint8Array,
  { tapInternalKey, tapTree = [] }: KnownScripts,
  ecc: Ecc,
): Fate | undefined {
  if (!ecc.isXOnlyPoint(outputKey) || equalBytes(outputKey, UNSPENDABLE_KEY)) return 'burnt';
  if (!tapInternalKey) return undefined;
  const fates = tapTree.map((leaf) => fateOfLeaf(leaf, ecc));
  const isBurnt = equalBytes(tapInternalKey, UNSPENDABLE_KEY) && fates.every((fate) => fate === 'burnt');
  const fate = fates.includes('open') ? 'open' : isBurnt ? 'burnt' : undefined;
  const key = { internalKey: tapInternalKey, merkleRoot: tapTreeRoot(tapTree) };
  return fate && isOutputKey(outputKey, key, ecc) ? fate : undefined;
}

/** @see BIP341 "Script validation rules", BIP342 "Script execution" */
function fateOfLeaf({ script, leafVersion }: TapTreeLeaf, ecc: Ecc): Fate | undefined {
  if (leafVersion !== TAPSCRIPT_LEAF_VERSION || hasOpSuccess(script)) return 'open';
  // For keys of any other size but 0, every signature is valid.
  return fateOfScript({ script, sigVersion: 'tapscript', signs: (key) => key.length !== 32 || ecc.isXOnlyPoint(key) });
}

function fateOfUnwrapped(scriptPubKey: Uint8Array, scripts: KnownScripts): Fate | undefined {
  const { outer, inner, redeemScript, witnessScript } = unwrap(scriptPubKey, matchingScripts(scripts));
  if (outer.type === 'scripthash' && !redeemScript) return undefined;
  if (redeemScript && redeemScript.length > MAX_SCRIPT_ELEMENT_SIZE) return 'burnt';
  if (inner.type === 'witness_v0_keyhash') return undefined;
  if (inner.type === 'witness_v0_scripthash') {
    // Relay policy lets only compressed keys sign. BIP143 "Restrictions on public key type".
    const signs = (key: Uint8Array): boolean => key.length === 33 && isValidPublicKey(key);
    return witnessScript && fateOfScript({ script: witnessScript, sigVersion: 'witness-v0', signs });
  }
  return fateOfScript({ script: redeemScript ?? scriptPubKey, sigVersion: 'base', signs: isValidPublicKey });
}

function fateOfScript(deciding: Deciding): Fate | undefined {
  const { script, sigVersion, signs } = deciding;
  const isTapscript = sigVersion === 'tapscript';
  const template = classifyScript(script);
  if (template.type === 'pubkeyhash') return undefined;
  if (template.type === 'multisig' && !isTapscript) {
    return template.pubkeys.filter(signs).length < template.required ? 'burnt' : undefined;
  }
  // Version 0 has rules for 20 and 32 bytes only, which have templates. BIP141 "Witness program".
  const isBadProgram = sigVersion === 'base' && parseWitnessProgram(script)?.version === 0;
  const walk = walkThrough(deciding);
  if (isBadProgram || (isUnspendable(script) && !isTapscript) || walk.fails) return 'burnt';
  if (sigVersion !== 'base' && neverLeavesOne(deciding, walk.operations)) return 'burnt';
  return isOpen(deciding, walk.operations) ? 'open' : undefined;
}

const NOTHING = new Uint8Array(0);
const TRUE: Uint8Array = /* @__PURE__ */ Uint8Array.of(1);

/** Of all runs together; each may be a hash. */
const MAX_RUNS = 32;
const MAX_RUN_OPERATIONS = 402;

const MAX_CONSTANTS = 2;

/**
 * Tells whether items without a secret satisfy a script: empty ones, ones, its first constants. Adds one at the bottom
 * whenever the script has taken all.
 */
function isOpen(deciding: Deciding, operations: number): boolean {
  const candidates = candidatesFor(deciding.script);
  const counts = hasOpcode(deciding.script, OP_DEPTH);
  const runs = Math.min(MAX_RUNS, Math.floor(MAX_RUN_OPERATIONS / Math.max(1, operations)));
  const stacks: (readonly Uint8Array[])[] = [[]];
  // The loop sees the stacks that it adds.
  for (const items of stacks) {
    const outcome = run(items, deciding);
    if (outcome === 'spent') return true;
    // A script that only counts its items takes any.
    const [lowest] = items;
    const more = outcome === 'wants-more' || !lowest ? candidates : [lowest];
    for (const item of outcome === 'failed' && !counts ? [] : more) {
      if (stacks.length < runs) stacks.push([item, ...items]);
    }
  }
  return false;
}

/**
 * Tells whether a witness script can never leave one item alone, by what it pushes and takes. If it can only where its
 * outcome follows from the number of items, runs it with that number. A signature in a script cannot be valid, as it
 * would sign itself. @see BIP141 "Witness program"
 */
function neverLeavesOne(deciding: Deciding, operations: number): boolean {
  const { least, growth, takesItems } = stackDepth(deciding.script);
  if (least > 1) return true;
  const most = 1 - growth;
  if (most > (takesItems ? 0 : 1) || 2 * operations > MAX_RUN_OPERATIONS) return false;
  return [[], [TRUE]].slice(0, most + 1).every((items) => run(items, deciding) !== 'spent');
}

function candidatesFor(script: Uint8Array): readonly Uint8Array[] {
  const constants = new Map<string, Uint8Array>();
  for (const instruction of instructions(script)) {
    if (!instruction || constants.size === MAX_CONSTANTS) break;
    if (instruction.opcode > OP_16 || instruction.opcode === OP_RESERVED) continue;
    const { opcode } = instruction;
    const item = isDataPush(instruction) ? pushedData(script, instruction) : encodeScriptNumber(opcode - OP_RESERVED);
    if (!equalBytes(item, NOTHING) && !equalBytes(item, TRUE)) constants.set(bytesKey(item), item);
  }
  return [TRUE, NOTHING, ...constants.values()];
}

/** `wants-more`: the script took all items and needs another. */
function run(items: readonly Uint8Array[], { script, sigVersion }: Deciding): 'spent' | 'wants-more' | 'failed' {
  const stack = [...items];
  const context = { flags: MANDATORY_FLAGS, checker: UNSIGNED, sigVersion, role: 'scriptPubKey' } as const;
  const rules = sigVersion === 'tapscript' ? { ...context, tapscript: TAPSCRIPT } : context;
  const fault = evaluate(script, stack, rules);
  if (fault) return fault.error === 'INVALID_STACK_OPERATION' ? 'wants-more' : 'failed';
  const top = stack.at(-1);
  if (!top) return 'wants-more';
  return isTruthy(top) && (sigVersion === 'base' || stack.length === 1) ? 'spent' : 'failed';
}

/** A spender without keys who can wait. */
const UNSIGNED: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: () => true,
  checkSequence: () => true,
};

/** An annex of any size may raise the budget. @see BIP342 "Resource limits" */
const TAPSCRIPT: TapscriptContext = {
  leafHash: new Uint8Array(32) as TapLeafHash,
  annex: undefined,
  budget: Number.POSITIVE_INFINITY,
};

/** Like disabled opcodes, these fail a script unexecuted. @see Bitcoin Core `EvalScript` */
const FORBIDDEN: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([OP_VERIF, OP_VERNOTIF]);

/** Fail a script when executed, as do all beyond OP_NOP10. */
const FAILING: ReadonlySet<number> = /* @__PURE__ */ new Set<number>([
  OP_RESERVED,
  OP_VER,
  OP_RETURN,
  OP_RESERVED1,
  OP_RESERVED2,
]);

interface Walk {
  depth: number;
  operations: number;
  /** The last instruction leaves false on top. */
  isFalse: boolean;
  /** The last instruction's data, if it is a push outside of branches. */
  pushed: Uint8Array | undefined;
}

/** Assumes that each branch is executed by some spends and not by others. */
function walkThrough(deciding: Deciding): { readonly fails: boolean; readonly operations: number } {
  const walk: Walk = { depth: 0, operations: 0, isFalse: false, pushed: undefined };
  for (const instruction of instructions(deciding.script)) {
    const fails =
      !instruction ||
      isMalformed(instruction, walk, deciding) ||
      (walk.depth === 0 && failsHere(instruction, walk, deciding));
    if (fails) return { fails, operations: walk.operations };
  }
  return { fails: walk.depth > 0 || walk.isFalse, operations: walk.operations };
}

function isMalformed({ opcode, dataStart, end }: Instruction, walk: Walk, { sigVersion }: Deciding): boolean {
  if (opcode > OP_16) walk.operations += 1;
  if (opcode === OP_IF || opcode === OP_NOTIF) walk.depth += 1;
  if ((opcode === OP_ELSE || opcode === OP_ENDIF) && walk.depth === 0) return true;
  if (opcode === OP_ENDIF) walk.depth -= 1;
  return (
    isDisabled(opcode) ||
    FORBIDDEN.has(opcode) ||
    end - dataStart > MAX_SCRIPT_ELEMENT_SIZE ||
    (walk.operations > MAX_OPS && sigVersion !== 'tapscript')
  );
}

/** Notes in `walk` what an instruction outside of branches leaves on the stack. */
function failsHere(instruction: Instruction, walk: Walk, { script, sigVersion, signs }: Deciding): boolean {
  const { opcode } = instruction;
  const { pushed, isFalse } = walk;
  const isUnsigned = (): boolean => pushed !== undefined && !signs(pushed);
  // OP_1 to OP_16 give empty data, which is not a key either.
  walk.pushed = opcode <= OP_16 ? pushedData(script, instruction) : undefined;
  walk.isFalse = opcode === OP_0 || (opcode === OP_CHECKSIG && isUnsigned());
  const isTapscript = sigVersion === 'tapscript';
  if (isTapscript && opcode === OP_CHECKSIGADD) return false;
  if (isTapscript && (opcode === OP_CHECKMULTISIG || opcode === OP_CHECKMULTISIGVERIFY)) return true;
  if (FAILING.has(opcode) || opcode > OP_NOP10) return true;
  return (opcode === OP_VERIFY && isFalse) || (opcode === OP_CHECKSIGVERIFY && isUnsigned());
}
