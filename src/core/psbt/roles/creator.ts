import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import { assertTransaction } from '../../tx/assertTransaction.ts';
import type { Transaction } from '../../tx/types.ts';
import type { Psbt } from '../format/types.ts';
import { MODIFIABLE, toPsbtV2 } from '../format/version.ts';

/** Options for creating a PSBT. */
export interface CreatePsbtOptions {
  /** Default 0, which all software reads. */
  readonly version?: 0 | 2;
  /** Version 2 only: the parts that a Constructor may change. Default neither. */
  readonly modifiable?: 'inputs' | 'outputs' | 'both';
}

const CREATE_OPTIONS: OptionNames<CreatePsbtOptions> = { version: true, modifiable: true };

/**
 * Creates a PSBT without records from a transaction.
 * @throws `psbt/unsigned-tx-signed`; `psbt/not-modifiable` for `modifiable` in version 0
 * @see BIP174 "Creator", BIP370 "Creator"
 *
 * @example
 * ```ts
 * import { createPsbt } from 'countersign';
 *
 * const psbt = createPsbt({ version: 2, inputs: [], outputs: [], locktime: 0 }, { version: 2, modifiable: 'both' });
 * psbt.global.version; // 2
 * ```
 */
export function createPsbt(tx: Transaction, options: CreatePsbtOptions = {}): Psbt {
  assertTransaction(tx);
  assertKnownOptions(options, CREATE_OPTIONS);
  const { version = 0, modifiable } = options;
  const inputIndex = tx.inputs.findIndex(({ scriptSig, witness }) => scriptSig.length > 0 || witness.length > 0);
  if (inputIndex >= 0) {
    const message = `Input ${inputIndex} of the transaction is signed: remove its scriptSig and witness`;
    throw new BtcError('psbt/unsigned-tx-signed', { inputIndex }, message);
  }
  const psbt = { global: { unsignedTx: tx }, inputs: tx.inputs.map(() => ({})), outputs: tx.outputs.map(() => ({})) };
  if (modifiable && version === 0) {
    throw new BtcError(
      'psbt/not-modifiable',
      { reason: 'version' },
      'Only a PSBT of version 2 can be modifiable: set version to 2',
    );
  }
  const created = version === 0 ? psbt : toPsbtV2(psbt);
  return modifiable ? { ...created, global: { ...created.global, txModifiable: FLAGS[modifiable] } } : created;
}

const FLAGS: Readonly<Record<NonNullable<CreatePsbtOptions['modifiable']>, number>> = {
  inputs: MODIFIABLE.INPUTS,
  outputs: MODIFIABLE.OUTPUTS,
  both: MODIFIABLE.INPUTS | MODIFIABLE.OUTPUTS,
};
