import type { SignatureChecker } from '../../core/interpreter/checker.ts';
import { evaluate } from '../../core/interpreter/evaluate.ts';
import type { ScriptContext } from '../../core/interpreter/machine.ts';
import { countSigOps } from '../../core/script/sigops.ts';
import { classifyScript, isPayToScriptHash, parseWitnessProgram } from '../../core/script/template.ts';
import type { Transaction, TxIn, TxOut } from '../../core/tx/types.ts';
import type { MempoolPolicy, Rejection } from './mempoolPolicy.ts';

/** For scripts of which only the pushes matter. */
const REFUSING: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: () => false,
  checkSequence: () => false,
};

function evaluateScriptSig(scriptSig: Uint8Array): readonly Uint8Array[] | undefined {
  const stack: Uint8Array[] = [];
  const context: ScriptContext = { flags: new Set(), checker: REFUSING, sigVersion: 'base', role: 'scriptSig' };
  const failure = evaluate(scriptSig, stack, context);
  return failure ? undefined : stack;
}

const MAX_REDEEM_SIGOPS = 15;
/** @see BIP54 */
const MAX_LEGACY_SIGOPS = 2500;

/**
 * Checks inputs. `coins`: one per input. `isWaived`: tells whether the input of a script counts as standard.
 * @see Bitcoin Core `ValidateInputsStandardness`; in 0.21 `AreInputsStandard`
 */
export function inputsFault(
  tx: Transaction,
  coins: readonly TxOut[],
  policy: MempoolPolicy,
  isWaived: IsWaived,
): Rejection | undefined {
  const detail = inputsFaultDetail(tx, coins, policy, isWaived);
  return detail === undefined
    ? undefined
    : { reason: 'bad-txns-nonstandard-inputs', ...(policy.rules.explainsInputs && { detail }) };
}

type IsWaived = (scriptPubKey: Uint8Array) => boolean;

function inputsFaultDetail(
  tx: Transaction,
  coins: readonly TxOut[],
  policy: MempoolPolicy,
  isWaived: IsWaived,
): string | undefined {
  if (policy.rules.limitsLegacySigOps && legacySigOps(tx, coins) > MAX_LEGACY_SIGOPS) {
    return 'non-witness sigops exceed bip54 limit';
  }
  for (const [index, { scriptSig }] of tx.inputs.entries()) {
    const scriptPubKey = coins[index]?.scriptPubKey;
    if (!scriptPubKey) continue;
    const detail = inputFaultDetail({ index, scriptSig, scriptPubKey }, policy);
    if (detail !== undefined && !isWaived(scriptPubKey)) return detail;
  }
  return undefined;
}

/** @see Bitcoin Core `CheckSigopsBIP54` */
function legacySigOps({ inputs }: Transaction, coins: readonly TxOut[]): number {
  return inputs.reduce((sum, { scriptSig }, index) => {
    const { scriptPubKey = new Uint8Array(0) } = coins[index] ?? {};
    const script = isPayToScriptHash(scriptPubKey) ? evaluateScriptSig(scriptSig)?.at(-1) : scriptPubKey;
    return sum + countSigOps(scriptSig, true) + countSigOps(script ?? new Uint8Array(0), true);
  }, 0);
}

interface IndexedScripts {
  readonly index: number;
  readonly scriptSig: Uint8Array;
  readonly scriptPubKey: Uint8Array;
}

function inputFaultDetail(
  { index, scriptSig, scriptPubKey }: IndexedScripts,
  { templates }: MempoolPolicy,
): string | undefined {
  const { type } = classifyScript(scriptPubKey, templates);
  if (type === 'nonstandard') return `input ${index} script unknown`;
  if (type === 'witness_unknown') return `input ${index} witness program is undefined`;
  if (type !== 'scripthash') return undefined;
  const stack = evaluateScriptSig(scriptSig);
  if (!stack) return `p2sh scriptsig malformed (input ${index})`;
  const redeemScript = stack.at(-1);
  if (!redeemScript) return `input ${index} P2SH redeemscript missing`;
  const count = countSigOps(redeemScript, true);
  return count > MAX_REDEEM_SIGOPS
    ? `p2sh redeemscript sigops exceed limit (input ${index}: ${count} > ${MAX_REDEEM_SIGOPS})`
    : undefined;
}

/** @see Bitcoin Core `IsWitnessStandard` */
export const areWitnessesStandard = (tx: Transaction, coins: readonly TxOut[], policy: MempoolPolicy): boolean =>
  tx.inputs.every((input, index) => {
    const coin = coins[index];
    return input.witness.length === 0 || (coin !== undefined && isWitnessStandard(input, coin, policy));
  });

const MAX_WITNESS_SCRIPT_SIZE = 3600;
const MAX_WITNESS_ITEMS = 100;
const MAX_ITEM_SIZE = 80;

function isWitnessStandard(
  { scriptSig, witness }: TxIn,
  { scriptPubKey }: TxOut,
  { templates }: MempoolPolicy,
): boolean {
  if (classifyScript(scriptPubKey, templates).type === 'anchor') return false;
  const isNested = isPayToScriptHash(scriptPubKey);
  const script = isNested ? evaluateScriptSig(scriptSig)?.at(-1) : scriptPubKey;
  const { version, program } = (script && parseWitnessProgram(script)) ?? {};
  if (version === undefined || !program) return false;
  if (program.length !== 32) return true;
  if (version === 0) return isScriptSpendStandard(witness);
  return version !== 1 || isNested || isTaprootSpendStandard(witness);
}

const areSmall = (items: readonly Uint8Array[]): boolean => items.every(({ length }) => length <= MAX_ITEM_SIZE);

function isScriptSpendStandard(witness: readonly Uint8Array[]): boolean {
  const items = witness.slice(0, -1);
  const size = witness.at(-1)?.length ?? 0;
  return size <= MAX_WITNESS_SCRIPT_SIZE && items.length <= MAX_WITNESS_ITEMS && areSmall(items);
}

const ANNEX = 0x50;
/** @see BIP342 */
const LEAF_MASK = 0xfe;
const TAPSCRIPT = 0xc0;

function isTaprootSpendStandard(witness: readonly Uint8Array[]): boolean {
  if (witness.length < 2) return true;
  const controlBlock = witness.at(-1);
  const version = controlBlock?.[0];
  if (version === undefined || version === ANNEX) return false;
  return (version & LEAF_MASK) !== TAPSCRIPT || areSmall(witness.slice(0, -2));
}
