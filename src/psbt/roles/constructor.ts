import { equalBytes } from '../../bytes/compare.ts';
import { BtcError } from '../../errors.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
import { psbtVersion } from '../format/fields.ts';
import { outpointOf } from '../format/inputCoin.ts';
import { MODIFIABLE } from '../format/modifiable.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../format/types.ts';
import { determineLocktime } from '../format/version.ts';

/** Whether an input holds any signature. */
function hasSignatures(input: PsbtInput): boolean {
  return [
    input.finalScriptSig,
    input.finalScriptWitness,
    input.partialSigs,
    input.tapKeySig,
    input.tapScriptSigs,
    input.musig2PartialSigs,
  ].some((held) => held !== undefined && held.length > 0);
}

function refuse(reason: 'version' | 'inputs' | 'outputs' | 'single' | 'duplicate' | 'locktime' | 'index'): never {
  throw new BtcError('psbt/not-modifiable', { reason });
}

/** Only version 2 has a Constructor; it says what may still change. */
function assertModifiable(psbt: Psbt, flag: number): void {
  if (psbtVersion(psbt) < 2) refuse('version');
  if (((psbt.global.txModifiable ?? 0) & flag) === 0) refuse(flag === MODIFIABLE.INPUTS ? 'inputs' : 'outputs');
}

/** Where a signature commits to the output of its number, pairs must stay together. */
function assertNoSingle({ global }: Psbt): void {
  if (((global.txModifiable ?? 0) & MODIFIABLE.HAS_SIGHASH_SINGLE) !== 0) refuse('single');
}

/** A locktime that signatures commit to must stay. */
function assertSameLocktime(before: Psbt, after: Psbt): Psbt {
  if (!before.inputs.some(hasSignatures)) {
    determineLocktime(after);
    return after;
  }
  return determineLocktime(before) === determineLocktime(after) ? after : refuse('locktime');
}

/**
 * Adds an input at the end.
 *
 * - `records`: what is known of it, its sequence and required locktimes included
 *
 * @throws `psbt/not-modifiable` where the PSBT does not let inputs be added, has this one, or has signatures for another
 * locktime; `psbt/locktime-conflict` where its required locktime and others' cannot go together
 * @see BIP370 "Constructor"
 */
export function addInput(psbt: Psbt, { txid, vout }: Outpoint, records: PsbtInput = {}): Psbt {
  assertModifiable(psbt, MODIFIABLE.INPUTS);
  const isThere = psbt.inputs.some((_, index) => {
    const other = outpointOf(psbt, index);
    return other !== undefined && other.vout === vout && equalBytes(other.txid, txid);
  });
  if (isThere) refuse('duplicate');
  const input = { ...records, previousTxid: txid, outputIndex: vout };
  return assertSameLocktime(psbt, { ...psbt, inputs: [...psbt.inputs, input] });
}

/** Adds an output at the end. @throws `psbt/not-modifiable` @see BIP370 "Constructor" */
export function addOutput(psbt: Psbt, { value, scriptPubKey }: TxOut, records: PsbtOutput = {}): Psbt {
  assertModifiable(psbt, MODIFIABLE.OUTPUTS);
  return { ...psbt, outputs: [...psbt.outputs, { ...records, amount: value, script: scriptPubKey }] };
}

/** Takes an input out. @throws `psbt/not-modifiable`, `psbt/locktime-conflict` @see BIP370 "Constructor" */
export function removeInput(psbt: Psbt, index: number): Psbt {
  assertModifiable(psbt, MODIFIABLE.INPUTS);
  assertNoSingle(psbt);
  if (!psbt.inputs[index]) refuse('index');
  return assertSameLocktime(psbt, { ...psbt, inputs: psbt.inputs.filter((_, i) => i !== index) });
}

/** Takes an output out. @throws `psbt/not-modifiable` @see BIP370 "Constructor" */
export function removeOutput(psbt: Psbt, index: number): Psbt {
  assertModifiable(psbt, MODIFIABLE.OUTPUTS);
  assertNoSingle(psbt);
  if (!psbt.outputs[index]) refuse('index');
  return { ...psbt, outputs: psbt.outputs.filter((_, i) => i !== index) };
}
