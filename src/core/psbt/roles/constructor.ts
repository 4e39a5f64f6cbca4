import { isBytes } from '../../bytes/assertBytes.ts';
import { equalBytes } from '../../bytes/compare.ts';
import { assertShape, isObject } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
import { psbtVersion } from '../format/fields.ts';
import { inputOutpoint } from '../format/inputCoin.ts';
import { type AnyPsbt, readOutline } from '../format/parsePsbt.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../format/types.ts';
import { determineLocktime, MODIFIABLE } from '../format/version.ts';

function hasSignatures(input: PsbtInput): boolean {
  return [
    input.finalScriptSig,
    input.finalScriptWitness,
    input.partialSigs,
    input.tapKeySig,
    input.tapScriptSigs,
    input.musig2PartialSigs,
  ].some((signatures) => signatures !== undefined && signatures.length > 0);
}

const FAULTS = {
  version: 'A PSBT of version 0 cannot be changed: convert it to version 2',
  inputs: 'The inputs of the PSBT may not change: its modifiable flags exclude it',
  outputs: 'The outputs of the PSBT may not change: its modifiable flags exclude it',
  single: 'Nothing can be removed: a SINGLE signature pairs an input with the output of its index',
  duplicate: 'The PSBT spends this coin already',
  locktime: 'The input would change the locktime, to which signatures in the PSBT commit',
  index: 'The PSBT has no input or output with this index',
} as const;

function refuse(reason: keyof typeof FAULTS): never {
  throw new BtcError('psbt/not-modifiable', { reason }, FAULTS[reason]);
}

function assertModifiable(psbt: Psbt, flag: number): void {
  if (psbtVersion(psbt) < 2) refuse('version');
  if (((psbt.global.txModifiable ?? 0) & flag) === 0) refuse(flag === MODIFIABLE.INPUTS ? 'inputs' : 'outputs');
}

function assertNoSingle({ global }: Psbt): void {
  if (((global.txModifiable ?? 0) & MODIFIABLE.HAS_SIGHASH_SINGLE) !== 0) refuse('single');
}

function assertSameLocktime(before: Psbt, after: Psbt): Psbt {
  if (!before.inputs.some(hasSignatures)) {
    determineLocktime(after);
    return after;
  }
  return determineLocktime(before) === determineLocktime(after) ? after : refuse('locktime');
}

/**
 * Appends an input.
 *
 * - `records`: such as its sequence and required locktimes
 *
 * @throws `psbt/not-modifiable` if the flags exclude inputs, the PSBT has this one, or signatures fix another locktime;
 * `psbt/locktime-conflict`
 * @see BIP370 "Constructor"
 *
 * @example
 * ```ts
 * import { addInput, createPsbt, parseTxid } from 'countersign';
 *
 * const psbt = createPsbt({ version: 2, inputs: [], outputs: [], locktime: 0 }, { version: 2, modifiable: 'both' });
 * addInput(psbt, { txid: parseTxid('11'.repeat(32)), vout: 0 }).inputs.length; // 1
 * ```
 */
export function addInput(given: AnyPsbt, outpoint: Outpoint, records: PsbtInput = {}): Psbt {
  assertShape(
    'outpoint',
    isObject(outpoint) && isBytes(outpoint.txid),
    'an object with txid, as parseTxid returns it, and vout',
  );
  const { txid, vout } = outpoint;
  const psbt = readOutline(given);
  assertModifiable(psbt, MODIFIABLE.INPUTS);
  const isThere = psbt.inputs.some((_, index) => {
    const other = inputOutpoint(psbt, index);
    return other !== undefined && other.vout === vout && equalBytes(other.txid, txid);
  });
  if (isThere) refuse('duplicate');
  const input = { ...records, previousTxid: txid, outputIndex: vout };
  return assertSameLocktime(psbt, { ...psbt, inputs: [...psbt.inputs, input] });
}

/**
 * Appends an output.
 * @throws `psbt/not-modifiable`
 *
 * @example
 * ```ts
 * import { addOutput, createPsbt, parseHex } from 'countersign';
 *
 * const psbt = createPsbt({ version: 2, inputs: [], outputs: [], locktime: 0 }, { version: 2, modifiable: 'both' });
 * addOutput(psbt, { value: 1000n, scriptPubKey: parseHex('51') }).outputs[0]?.amount; // 1000n
 * ```
 */
export function addOutput(given: AnyPsbt, output: TxOut, records: PsbtOutput = {}): Psbt {
  const isShaped = isObject(output) && typeof output.value === 'bigint' && isBytes(output.scriptPubKey);
  assertShape('output', isShaped, 'an object with value, a bigint, and scriptPubKey, a Uint8Array');
  const { value, scriptPubKey } = output;
  const psbt = readOutline(given);
  assertModifiable(psbt, MODIFIABLE.OUTPUTS);
  return { ...psbt, outputs: [...psbt.outputs, { ...records, amount: value, script: scriptPubKey }] };
}

/** Removes an input. @throws `psbt/not-modifiable`, `psbt/locktime-conflict` */
export function removeInput(given: AnyPsbt, index: number): Psbt {
  const psbt = readOutline(given);
  assertModifiable(psbt, MODIFIABLE.INPUTS);
  assertNoSingle(psbt);
  if (!psbt.inputs[index]) refuse('index');
  return assertSameLocktime(psbt, { ...psbt, inputs: psbt.inputs.filter((_, i) => i !== index) });
}

/** Removes an output. @throws `psbt/not-modifiable` */
export function removeOutput(given: AnyPsbt, index: number): Psbt {
  const psbt = readOutline(given);
  assertModifiable(psbt, MODIFIABLE.OUTPUTS);
  assertNoSingle(psbt);
  if (!psbt.outputs[index]) refuse('index');
  return { ...psbt, outputs: psbt.outputs.filter((_, i) => i !== index) };
}
