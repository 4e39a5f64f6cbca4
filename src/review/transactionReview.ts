import { equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { transactionChecker } from '../interpreter/transactionChecker.ts';
import { wrapInScriptHash, wrapInWitness } from '../script/build.ts';
import { classifyScript } from '../script/template.ts';
import { sighashMidstate } from '../sighash/midstate.ts';
import { isAnyoneCanPay, leavesOpen, outputModeOf } from '../sighash/sighashType.ts';
import { apparentTypes, signaturesOfSpend } from '../signing/signatureTypes.ts';
import type { SpentOutput } from '../signing/signTransaction.ts';
import { type AbsoluteLock, absoluteLockOf } from '../tx/absoluteLock.ts';
import { signalsReplacement } from '../tx/replaceable.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import { transactionSize } from '../tx/weight.ts';

/**
 * How far an amount can be trusted. `proven`: the signature commits to it, so that the spend is void if it is wrong.
 * `claimed`: whoever supplied it may have lied, and nothing will show it.
 */
export type Trust = 'proven' | 'claimed' | 'unknown';

/**
 * Why a fee is proven: by `signatures` that a false amount would void; or why it is not: amounts are `claims`, each of the
 * `separate-signatures` proves no amount but its own, `open-signatures` let inputs or outputs change, or amounts are
 * `unknown`.
 */
export type TransactionFeeReason = 'signatures' | 'claims' | 'separate-signatures' | 'open-signatures' | 'unknown';

/** What a transaction does, to be shown to who is to sign it. */
export interface TransactionReview {
  readonly inputs: readonly {
    readonly input: TxIn;
    readonly scriptPubKey: Uint8Array | undefined;
    /** In satoshi. */
    readonly value: bigint | undefined;
    readonly trust: Trust;
  }[];
  readonly outputs: readonly TxOut[];
  /**
   * In satoshi, and how far it can be trusted: as far as the least trusted amount. Of several amounts, `proven` only where
   * each signature commits to all: else two sessions with a lie each make a fee that was never shown. Never `proven` where
   * a signature lets inputs or outputs change.
   */
  readonly fee: bigint | undefined;
  readonly feeTrust: Trust;
  readonly feeReason: TransactionFeeReason;
  /** What the transaction will weigh once signed, in virtual bytes; `undefined` where a script is not known. */
  readonly vsize: number | undefined;
  /** `none` where no input lets the locktime count. */
  readonly lockedUntil: AbsoluteLock;
  /** Whether it asks to be replaceable. @see BIP125 */
  readonly isReplaceable: boolean;
  /** Dangers of hash types other than ALL: of the one to sign with, and of signatures that inputs hold. */
  readonly dangers: readonly SighashDanger[];
}

export type SighashDanger = 'outputs-open' | 'other-outputs-open' | 'inputs-open' | 'single-without-output';

/**
 * Tells what a transaction does, before it is signed.
 *
 * - `prevouts`: one an input; `scripts`: redeemScripts and witnessScripts, to know what inputs will weigh
 */
export function reviewTransaction(given: {
  readonly tx: Transaction;
  readonly prevouts: readonly (SpentOutput | undefined)[];
  readonly scripts: readonly Uint8Array[];
  readonly sighashType: number;
  readonly ecc?: Ecc;
}): TransactionReview {
  const { tx, prevouts, scripts, sighashType } = given;
  const inputs = tx.inputs.map((input, i) => {
    const { scriptPubKey, value } = prevouts[i] ?? {};
    return { input, scriptPubKey, value, trust: trustOf(scriptPubKey, value, scripts) };
  });
  const types = [...new Set(typesOfInputs(given).flat())];
  const feeReason = feeReasonOf(inputs, types);
  const feeTrust = FEE_TRUST[feeReason];
  const spent = inputs.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  const paid = tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  return {
    inputs,
    outputs: tx.outputs,
    fee: feeTrust === 'unknown' ? undefined : spent - paid,
    feeTrust,
    feeReason,
    vsize: expectedSize(tx, prevouts, scripts),
    lockedUntil: absoluteLockOf(tx),
    isReplaceable: signalsReplacement(tx),
    dangers: dangersOf(tx, types, sighashType),
  };
}

interface ReviewGiven {
  readonly tx: Transaction;
  readonly prevouts: readonly (SpentOutput | undefined)[];
  readonly sighashType: number;
  readonly ecc?: Ecc;
}

/** The hash types of the signatures that each input holds, and the one to sign with where an input is not complete. */
function typesOfInputs({ tx, prevouts, sighashType, ecc }: ReviewGiven): readonly (readonly number[])[] {
  const known = prevouts.flatMap((coin) =>
    coin?.value === undefined ? [] : [{ scriptPubKey: coin.scriptPubKey, value: coin.value }],
  );
  const coins = known.length === tx.inputs.length ? { prevouts: known } : {};
  const midstate = sighashMidstate(tx, coins.prevouts);
  return tx.inputs.map(({ scriptSig, witness }, inputIndex) => {
    if (scriptSig.length === 0 && witness.length === 0) return [sighashType];
    const { scriptPubKey, value } = prevouts[inputIndex] ?? {};
    if (!scriptPubKey || value === undefined) return [...apparentTypes({ scriptSig, witness }), sighashType];
    const checker = transactionChecker({ tx, inputIndex, value, midstate, ...coins, ...(ecc && { ecc }) });
    const spend = { scriptSig, witness, scriptPubKey, checker, ...(ecc && { ecc }) };
    const { isValid, sighashTypes } = signaturesOfSpend(spend);
    return isValid ? sighashTypes : [...sighashTypes, sighashType];
  });
}

function feeReasonOf(inputs: TransactionReview['inputs'], types: readonly number[]): TransactionFeeReason {
  const trusts = inputs.map(({ trust }) => trust);
  if (trusts.includes('unknown')) return 'unknown';
  if (types.length === 0 || types.some(leavesOpen)) return 'open-signatures';
  if (trusts.includes('claimed')) return 'claims';
  const areJoint =
    inputs.length === 1 || inputs.every(({ scriptPubKey }) => scriptPubKey !== undefined && isTaproot(scriptPubKey));
  return areJoint ? 'signatures' : 'separate-signatures';
}

const FEE_TRUST: Readonly<Record<TransactionFeeReason, Trust>> = {
  signatures: 'proven',
  claims: 'claimed',
  'separate-signatures': 'claimed',
  'open-signatures': 'claimed',
  unknown: 'unknown',
};

function trustOf(
  scriptPubKey: Uint8Array | undefined,
  value: bigint | undefined,
  scripts: readonly Uint8Array[],
): Trust {
  if (!scriptPubKey || value === undefined) return 'unknown';
  const { type } = classifyScript(unwrapped(scriptPubKey, scripts) ?? scriptPubKey);
  return type.startsWith('witness_v0_') || isTaproot(scriptPubKey) ? 'proven' : 'claimed';
}

const isTaproot = (scriptPubKey: Uint8Array): boolean => classifyScript(scriptPubKey).type === 'witness_v1_taproot';

/** The redeemScript of a P2SH output, itself or the witness program of a script that is known. */
function unwrapped(scriptPubKey: Uint8Array, scripts: readonly Uint8Array[]): Uint8Array | undefined {
  if (classifyScript(scriptPubKey).type !== 'scripthash') return undefined;
  const candidates = scripts.flatMap((script) => [script, wrapInWitness(script)]);
  return candidates.find((script) => equalBytes(wrapInScriptHash(script), scriptPubKey));
}

function dangersOf(tx: Transaction, types: readonly number[], sighashType: number): readonly SighashDanger[] {
  const modes = types.map(outputModeOf);
  const dangers: SighashDanger[] = [];
  if (modes.includes('none')) dangers.push('outputs-open');
  if (modes.includes('single')) dangers.push('other-outputs-open');
  const isLoneSingle = outputModeOf(sighashType) === 'single' && tx.inputs.length > tx.outputs.length;
  if (isLoneSingle) dangers.push('single-without-output');
  if (types.some(isAnyoneCanPay)) dangers.push('inputs-open');
  return dangers;
}

/** Bytes of a signature and of a push of it; of a compressed key and its push. */
const SIGNATURE = 72;
const KEY = 34;
const SCHNORR = 65;

/** Bytes that a spend will add, to the scriptSig and to the witness. */
interface Added {
  readonly base: number;
  readonly witness: number;
}

function expectedSize(
  tx: Transaction,
  prevouts: readonly (SpentOutput | undefined)[],
  scripts: readonly Uint8Array[],
): number | undefined {
  const added = tx.inputs.map(({ scriptSig, witness }, i): Added | undefined => {
    if (scriptSig.length > 0 || witness.length > 0) return { base: 0, witness: 0 };
    const scriptPubKey = prevouts[i]?.scriptPubKey;
    return scriptPubKey && spendSize(scriptPubKey, scripts);
  });
  let weight = transactionSize(tx).weight;
  for (const size of added) {
    if (!size) return undefined;
    weight += 4 * size.base + size.witness;
  }
  const isSegwit = added.some((size) => size !== undefined && size.witness > 0);
  return Math.ceil((weight + (isSegwit ? 2 + tx.inputs.length : 0)) / 4);
}

function spendSize(scriptPubKey: Uint8Array, scripts: readonly Uint8Array[]): Added | undefined {
  const template = classifyScript(scriptPubKey);
  if (template.type === 'witness_v0_keyhash') return { base: 0, witness: SIGNATURE + KEY };
  if (template.type === 'witness_v1_taproot') return { base: 0, witness: SCHNORR };
  if (template.type === 'witness_v0_scripthash') {
    const script = scripts.find((candidate) => equalBytes(wrapInWitness(candidate), scriptPubKey));
    const items = script && itemsSize(script);
    return script && items !== undefined ? { base: 0, witness: items + script.length + 2 } : undefined;
  }
  const redeemScript = unwrapped(scriptPubKey, scripts);
  if (!redeemScript) {
    const items = itemsSize(scriptPubKey);
    return items === undefined ? undefined : { base: items, witness: 0 };
  }
  const inner = spendSize(redeemScript, scripts);
  return inner && { base: inner.base + redeemScript.length + 2, witness: inner.witness };
}

/** Bytes of the items that satisfy a script of keys. */
function itemsSize(script: Uint8Array): number | undefined {
  const template = classifyScript(script);
  switch (template.type) {
    case 'pubkey':
      return SIGNATURE;
    case 'pubkeyhash':
      return SIGNATURE + KEY;
    case 'multisig':
      return 1 + template.required * SIGNATURE;
    case 'anchor':
      return 0;
    default:
      return undefined;
  }
}
