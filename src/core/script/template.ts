import { assertBytes } from '../bytes/assertBytes.ts';
import { equalBytes } from '../bytes/compare.ts';
import { type Instruction, instructionAt, isDataPush, isPushOnly, pushedData } from './instructions.ts';
import { isMinimalNumber, readScriptNumber } from './number.ts';
import {
  OP_1,
  OP_16,
  OP_CHECKMULTISIG,
  OP_CHECKSIG,
  OP_DUP,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_HASH160,
  OP_RESERVED,
  OP_RETURN,
} from './opcodes.ts';

/** A scriptPubKey's type, by Core's name, and the keys, hashes or program in it. */
export type ScriptTemplate =
  | { readonly type: 'pubkey'; readonly pubkey: Uint8Array }
  | { readonly type: 'pubkeyhash'; readonly hash: Uint8Array }
  | { readonly type: 'scripthash'; readonly hash: Uint8Array }
  | { readonly type: 'multisig'; readonly required: number; readonly pubkeys: readonly Uint8Array[] }
  | { readonly type: 'nulldata' }
  | { readonly type: 'witness_v0_keyhash'; readonly program: Uint8Array }
  | { readonly type: 'witness_v0_scripthash'; readonly program: Uint8Array }
  | { readonly type: 'witness_v1_taproot'; readonly program: Uint8Array }
  | { readonly type: 'anchor' }
  | { readonly type: 'witness_mweb_pegin' | 'witness_mweb_hogaddr'; readonly program: Uint8Array }
  | { readonly type: 'witness_unknown'; readonly version: number; readonly program: Uint8Array }
  | { readonly type: 'nonstandard' };

/** Rules that differ between releases of Core, and Litecoin. */
export interface TemplateRules {
  /** The highest m and n of a bare multisig: 16 (OP_1 to OP_16), or 20 (also minimal pushes of 17 to 20). */
  readonly maxMultisigKeys: 16 | 20;
  /** Pay-to-anchor (`51024e73`) has a type of its own. */
  readonly anchor: boolean;
  /** Witness versions 8 and 9 are Litecoin's MWEB outputs. */
  readonly mweb: boolean;
}

/** The rules of the newest Bitcoin Core. */
export const CURRENT_TEMPLATES: TemplateRules = { maxMultisigKeys: 20, anchor: true, mweb: false };

/** @see Core `ExtractDestination` */
export const TEMPLATES_WITHOUT_ADDRESS: ReadonlySet<ScriptTemplate['type']> = /* @__PURE__ */ new Set([
  'pubkey',
  'multisig',
  'nulldata',
  'nonstandard',
  'witness_mweb_pegin',
  'witness_mweb_hogaddr',
] as const);

const NONSTANDARD: ScriptTemplate = { type: 'nonstandard' };

/**
 * Classifies a scriptPubKey, redeemScript or witnessScript. Recognizes public keys by size and first byte, even if they
 * are not on the curve.
 * @see Core `Solver`
 */
export function classifyScript(script: Uint8Array, rules: TemplateRules = CURRENT_TEMPLATES): ScriptTemplate {
  assertBytes('script', script);
  if (isPayToScriptHash(script)) return { type: 'scripthash', hash: script.slice(2, 22) };
  const witness = parseWitnessProgram(script);
  if (witness) return classifyWitness(witness, rules);
  if (script[0] === OP_RETURN && isPushOnly(script, 1)) return { type: 'nulldata' };
  return (
    matchPayToPubkey(script) ??
    matchPayToPubkeyHash(script) ??
    matchMultisig(script, rules.maxMultisigKeys) ??
    NONSTANDARD
  );
}

/** Tells whether a scriptPubKey is P2SH. @see BIP16 */
export function isPayToScriptHash(script: Uint8Array): boolean {
  return script.length === 23 && script[0] === OP_HASH160 && script[1] === 20 && script[22] === OP_EQUAL;
}

/** Parses the version and a copy of the program of a witness scriptPubKey. @see BIP141 "Witness program" */
export function parseWitnessProgram(script: Uint8Array): { version: number; program: Uint8Array } | undefined {
  const first = script[0] ?? 0xff;
  if (script.length < 4 || script.length > 42 || script[1] !== script.length - 2) return undefined;
  if (first !== 0 && (first < OP_1 || first > OP_16)) return undefined;
  return { version: first === 0 ? 0 : first - OP_RESERVED, program: script.slice(2) };
}

/** Of pay-to-anchor, with version 1. */
export const ANCHOR_PROGRAM: Uint8Array = Uint8Array.of(0x4e, 0x73);

function classifyWitness(witness: { version: number; program: Uint8Array }, rules: TemplateRules): ScriptTemplate {
  const { version, program } = witness;
  if (version === 0 && program.length === 20) return { type: 'witness_v0_keyhash', program };
  if (version === 0 && program.length === 32) return { type: 'witness_v0_scripthash', program };
  if (version === 0) return NONSTANDARD;
  if (version === 1 && program.length === 32) return { type: 'witness_v1_taproot', program };
  if (rules.anchor && version === 1 && equalBytes(program, ANCHOR_PROGRAM)) return { type: 'anchor' };
  if (rules.mweb && version === 8 && program.length === 32) return { type: 'witness_mweb_hogaddr', program };
  if (rules.mweb && version === 9 && program.length === 32) return { type: 'witness_mweb_pegin', program };
  return { type: 'witness_unknown', version, program };
}

/** Tells whether a public key has the size that its first byte implies. @see Core `CPubKey::ValidSize` */
export function hasPubkeyShape(bytes: Uint8Array): boolean {
  const header = bytes[0];
  if (header === 2 || header === 3) return bytes.length === 33;
  return (header === 4 || header === 6 || header === 7) && bytes.length === 65;
}

function matchPayToPubkey(script: Uint8Array): ScriptTemplate | undefined {
  const size = script[0] ?? 0;
  if ((size !== 33 && size !== 65) || script.length !== size + 2 || script[size + 1] !== OP_CHECKSIG) return undefined;
  const pubkey = script.slice(1, size + 1);
  return hasPubkeyShape(pubkey) ? { type: 'pubkey', pubkey } : undefined;
}

function matchPayToPubkeyHash(script: Uint8Array): ScriptTemplate | undefined {
  const matches =
    script.length === 25 &&
    script[0] === OP_DUP &&
    script[1] === OP_HASH160 &&
    script[2] === 20 &&
    script[23] === OP_EQUALVERIFY &&
    script[24] === OP_CHECKSIG;
  return matches ? { type: 'pubkeyhash', hash: script.slice(3, 23) } : undefined;
}

/** Matches m <key>… n OP_CHECKMULTISIG, with 1 <= m <= n. Any kind of push will do for the keys. */
function matchMultisig(script: Uint8Array, maxKeys: 16 | 20): ScriptTemplate | undefined {
  if (script[script.length - 1] !== OP_CHECKMULTISIG) return undefined;
  let instruction = instructionAt(script, 0);
  const required = instruction && readKeyCount(script, instruction, maxKeys);
  const pubkeys: Uint8Array[] = [];
  while (instruction && instruction.end < script.length) {
    instruction = instructionAt(script, instruction.end);
    const pubkey = instruction && pushedData(script, instruction);
    if (!pubkey || !hasPubkeyShape(pubkey)) break;
    pubkeys.push(pubkey);
  }
  const count = instruction && readKeyCount(script, instruction, maxKeys);
  if (!required || count !== pubkeys.length || required > count) return undefined;
  return instruction?.end === script.length - 1 ? { type: 'multisig', required, pubkeys } : undefined;
}

function readKeyCount(script: Uint8Array, instruction: Instruction, maxKeys: 16 | 20): number | undefined {
  const { opcode } = instruction;
  if (opcode >= OP_1 && opcode <= OP_16) return opcode - OP_RESERVED;
  if (maxKeys === 16 || !isDataPush(instruction)) return undefined;
  const data = pushedData(script, instruction);
  if (data.length > 4 || !isMinimalNumber(data)) return undefined;
  const count = readScriptNumber(data);
  const isMinimalPush = data.length === opcode && count > 16;
  return isMinimalPush && count <= maxKeys ? count : undefined;
}
