import { BtcError, type PsbtMapKind } from '../../errors.ts';
import { payToTaproot } from '../../script/build.ts';
import { isAnyoneCanPay, outputMode } from '../../sighash/sighashType.ts';
import { SEQUENCE_FINAL } from '../../tx/absoluteLock.ts';
import type { Transaction } from '../../tx/types.ts';
import { missingField } from './fieldRules.ts';
import { MAP_ROWS, psbtVersion } from './fields.ts';
import { isFinal } from './nodeOrder.ts';
import { type AnyPsbt, readPsbt } from './parsePsbt.ts';
import { recordedTypes } from './recordedTypes.ts';
import type { Psbt, PsbtGlobal, PsbtInput, PsbtOutput } from './types.ts';

/**
 * Determines the locktime of a version 2 PSBT: the highest that inputs require, a height if all these accept one, else
 * a time; without requirements the fallback.
 * @throws `psbt/locktime-conflict` if an input requires a height and another a time
 * @see BIP370 "Determining Lock Time"
 */
export function determineLocktime(given: AnyPsbt): number {
  const psbt = readPsbt(given);
  const locktime = findLocktime(psbt);
  if (locktime !== undefined) return locktime;
  const inputIndex = psbt.inputs.findIndex((input) => isLocked(input) && input.requiredHeightLocktime === undefined);
  const message = `Input ${inputIndex} requires a time as locktime, and another input requires a height: remove either`;
  throw new BtcError('psbt/locktime-conflict', { inputIndex }, message);
}

export function hasLocktimeConflict(psbt: Psbt): boolean {
  return findLocktime(psbt) === undefined;
}

const isLocked = ({ requiredHeightLocktime, requiredTimeLocktime }: PsbtInput): boolean =>
  requiredHeightLocktime !== undefined || requiredTimeLocktime !== undefined;

function findLocktime({ global, inputs }: Psbt): number | undefined {
  const locked = inputs.filter(isLocked);
  if (locked.length === 0) return global.fallbackLocktime ?? 0;
  for (const name of ['requiredHeightLocktime', 'requiredTimeLocktime'] as const) {
    const locktimes = locked.flatMap((input) => input[name] ?? []);
    if (locktimes.length === locked.length)
      return locktimes.reduce((highest, locktime) => Math.max(highest, locktime), 0);
  }
  return undefined;
}

/**
 * Returns the unsigned transaction: stored in version 0, built from the fields in version 2.
 * @throws `psbt/locktime-conflict`, `psbt/field-required`, `psbt/silent-payment`
 */
export function unsignedTransaction(given: AnyPsbt): Transaction {
  const psbt = readPsbt(given);
  const { global } = psbt;
  if (global.unsignedTx) return global.unsignedTx;
  const version = psbtVersion(psbt);
  const required = <T>(value: T | undefined, at: Omit<Parameters<typeof missingField>[0], 'version'>): T => {
    if (value === undefined) throw missingField({ ...at, version });
    return value;
  };
  return {
    version: required(global.txVersion, { map: 'global', index: 0, field: 'txVersion' }),
    inputs: psbt.inputs.map(({ previousTxid, outputIndex, sequence = SEQUENCE_FINAL }, index) => ({
      outpoint: {
        txid: required(previousTxid, { map: 'input', index, field: 'previousTxid' }),
        vout: required(outputIndex, { map: 'input', index, field: 'outputIndex' }),
      },
      scriptSig: new Uint8Array(0),
      sequence,
      witness: [],
    })),
    outputs: psbt.outputs.map(({ amount, script, spV0Info }, index) => {
      if (!script && spV0Info) throw withoutScript(index);
      return {
        value: required(amount, { map: 'output', index, field: 'amount' }),
        scriptPubKey: required(script, { map: 'output', index, field: 'script' }),
      };
    }),
    locktime: determineLocktime(psbt),
  };
}

/** Tells whether the script of a silent payment is not computed yet. */
export const lacksScripts = ({ global: { unsignedTx }, outputs }: Psbt): boolean =>
  !unsignedTx && outputs.some(({ script, spV0Info }) => spV0Info && !script);

/**
 * Gives each silent payment that lacks its script one of the same size, for roles that sign nothing: the transaction of
 * the result is not the one to be signed.
 */
export function withPlaceholderScripts(psbt: Psbt): Psbt {
  if (!lacksScripts(psbt)) return psbt;
  const outputs = psbt.outputs.map((output) =>
    output.spV0Info && !output.script ? { ...output, script: placeholderScript(output.spV0Info) } : output,
  );
  return { ...psbt, outputs };
}

export const placeholderScript = ({ spendKey }: NonNullable<PsbtOutput['spV0Info']>): Uint8Array =>
  payToTaproot(spendKey.subarray(1));

function withoutScript(outputIndex: number): BtcError {
  const message = `Output ${outputIndex} is a silent payment without its script: each owner of an input must add a share first`;
  return new BtcError('psbt/silent-payment', { outputIndex, reason: 'no-script' }, message);
}

export function assertMapCounts({ global: { unsignedTx }, inputs, outputs }: Psbt): void {
  if (!unsignedTx) return;
  const counts = [
    ['input', unsignedTx.inputs.length, inputs.length],
    ['output', unsignedTx.outputs.length, outputs.length],
  ] as const;
  for (const [map, expected, actual] of counts) {
    if (expected === actual) continue;
    const message = `The number of ${map} maps must be ${expected}, as in the transaction, not ${actual}`;
    throw new BtcError('psbt/map-count', { offset: 0, map, expected, found: actual }, message);
  }
}

/**
 * Converts a PSBT to version 2; returns one of version 2 unchanged. One with signatures gets the modifiable flags of what all of
 * them leave open, unless an input is final or has a partial signature of MuSig2: to an offer signed SINGLE|ANYONECANPAY,
 * inputs and outputs can be added.
 * @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE
 *
 * @example
 * ```ts
 * import { parsePsbt, toPsbtV2 } from 'countersign';
 *
 * const psbt = parsePsbt('cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=');
 * toPsbtV2(psbt).inputs[0]?.sequence; // 4294967295
 * ```
 */
export function toPsbtV2(given: AnyPsbt): Psbt {
  const psbt = readPsbt(given);
  const { unsignedTx, ...global } = psbt.global;
  if (!unsignedTx) return psbt;
  const { version: txVersion, locktime: fallbackLocktime } = unsignedTx;
  return {
    global: { ...global, txVersion, fallbackLocktime, ...flagsLeftOpen(psbt.inputs), version: 2 },
    inputs: unsignedTx.inputs.map(({ outpoint, sequence }, index) => ({
      ...psbt.inputs[index],
      previousTxid: outpoint.txid,
      outputIndex: outpoint.vout,
      sequence,
    })),
    outputs: unsignedTx.outputs.map(({ value, scriptPubKey }, index) => ({
      ...psbt.outputs[index],
      amount: value,
      script: scriptPubKey,
    })),
  };
}

/**
 * Converts a PSBT to version 0. Drops modifiable flags, required locktimes and silent payment records.
 * @throws `psbt/locktime-conflict`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, toPsbtV0 } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * toPsbtV0(psbt).global.unsignedTx?.outputs.length; // 2
 * ```
 */
export function toPsbtV0(given: AnyPsbt): Psbt {
  const psbt = readPsbt(given);
  if (psbt.global.unsignedTx) return psbt;
  const unsignedTx = unsignedTransaction(psbt);
  return {
    global: { ...withoutV2(psbt.global, 'global'), unsignedTx },
    inputs: psbt.inputs.map((input) => withoutV2(input, 'input')),
    outputs: psbt.outputs.map((output) => withoutV2(withoutSilentOrigins(output), 'output')),
  };
}

/** Drops the origins of a scan and a spend key, which say nothing of the script. */
function withoutSilentOrigins({ bip32Derivations, ...output }: PsbtOutput): PsbtOutput {
  return output.spV0Info || !bip32Derivations ? output : { ...output, bip32Derivations };
}

function withoutV2<M extends object>(map: M, kind: PsbtMapKind): M {
  const isV2 = new Set(MAP_ROWS[kind].rows.filter(({ versions }) => versions.startsWith('v2')).map(({ name }) => name));
  return Object.fromEntries(Object.entries(map).filter(([name]) => !isV2.has(name) && name !== 'version')) as M;
}

/** @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE */
export const MODIFIABLE = { INPUTS: 0b001, OUTPUTS: 0b010, HAS_SIGHASH_SINGLE: 0b100 } as const;

/**
 * Keeps the SIGHASH_SINGLE flag of either PSBT, other bits only of both.
 * @see Bitcoin Core `PartiallySignedTransaction::Merge`
 */
export function mergedFlags(a: PsbtGlobal, b: PsbtGlobal): Pick<PsbtGlobal, 'txModifiable'> {
  if (a.txModifiable === undefined && b.txModifiable === undefined) return {};
  const [x, y] = [a.txModifiable ?? 0, b.txModifiable ?? 0];
  return { txModifiable: (x & y) | ((x | y) & MODIFIABLE.HAS_SIGHASH_SINGLE) };
}

/** Nothing tells the types of an input that is final, or of a partial signature. */
function flagsLeftOpen(inputs: readonly PsbtInput[]): Pick<PsbtGlobal, 'txModifiable'> {
  const types = inputs.flatMap(recordedTypes);
  const isUntold = (input: PsbtInput): boolean => isFinal(input) || (input.musig2PartialSigs ?? []).length > 0;
  if (types.length === 0 || inputs.some(isUntold)) return {};
  const txModifiable =
    (types.every(isAnyoneCanPay) ? MODIFIABLE.INPUTS : 0) |
    (types.every((type) => outputMode(type) !== 'all') ? MODIFIABLE.OUTPUTS : 0) |
    (types.some((type) => outputMode(type) === 'single') ? MODIFIABLE.HAS_SIGHASH_SINGLE : 0);
  return txModifiable === 0 ? {} : { txModifiable };
}

/** Clears the flags for the parts that a signature of this type commits to. @see BIP370 "Signer" */
export function afterSigning(psbt: Psbt, sighashType: number): Psbt {
  const { txModifiable } = psbt.global;
  if (txModifiable === undefined) return psbt;
  const mode = outputMode(sighashType);
  const fixed = (isAnyoneCanPay(sighashType) ? 0 : MODIFIABLE.INPUTS) | (mode === 'none' ? 0 : MODIFIABLE.OUTPUTS);
  const single = mode === 'single' ? MODIFIABLE.HAS_SIGHASH_SINGLE : 0;
  return { ...psbt, global: { ...psbt.global, txModifiable: (txModifiable & ~fixed) | single } };
}
