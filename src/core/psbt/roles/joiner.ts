import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import { outpointKey } from '../../tx/txid.ts';
import type { OutpointKey } from '../../tx/types.ts';
import { withoutPurposes } from '../format/fields.ts';
import { type AnyPsbt, readPsbts } from '../format/parsePsbt.ts';
import type { Psbt, PsbtGlobal } from '../format/types.ts';
import { mergeMaps } from './combiner.ts';

/** Options for joining PSBTs. */
export interface JoinPsbtsOptions {
  /** Keeps taproot signatures, as Core does; they are invalid in the new transaction. Default false. */
  readonly keepsTaproot?: boolean;
}

const JOIN_OPTIONS: OptionNames<JoinPsbtsOptions> = { keepsTaproot: true };

/**
 * Joins PSBTs of version 0 for different transactions: all inputs and outputs, the highest transaction version and the
 * lowest locktime. Unlike Core, does not shuffle.
 * @throws `psbt/empty` for fewer than two, `psbt/not-v0`, `psbt/duplicate-input`
 * @see Bitcoin Core `joinpsbts`
 *
 * @example
 * ```ts
 * import { createPsbt, joinPsbts, parseHex, parsePsbt } from 'countersign';
 *
 * const psbt = parsePsbt('cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=');
 * const other = createPsbt({ version: 2, inputs: [], outputs: [{ value: 5n, scriptPubKey: parseHex('51') }], locktime: 0 });
 * joinPsbts([psbt, other]).outputs.length; // 2
 * ```
 */
export function joinPsbts(given: readonly AnyPsbt[], options: JoinPsbtsOptions = {}): Psbt {
  const psbts = readPsbts(given);
  assertKnownOptions(options, JOIN_OPTIONS);
  const { keepsTaproot = false } = options;
  if (psbts.length < 2) throw new BtcError('psbt/empty', {}, 'Pass at least two PSBTs');
  const transactions = psbts.map(({ global }, psbt) => {
    if (global.unsignedTx) return global.unsignedTx;
    throw new BtcError('psbt/not-v0', { psbt }, `PSBT ${psbt}, counted from 0, must be converted to version 0 first`);
  });
  const seen = new Set<OutpointKey>();
  for (const [psbt, { inputs }] of transactions.entries()) {
    for (const [inputIndex, { outpoint }] of inputs.entries()) {
      const key = outpointKey(outpoint);
      if (seen.has(key)) {
        const message = `Input ${inputIndex} of PSBT ${psbt}, counted from 0, spends the same coin as an earlier input`;
        throw new BtcError('psbt/duplicate-input', { psbt, inputIndex }, message);
      }
      seen.add(key);
    }
  }
  const unsignedTx = {
    version: transactions.reduce((most, { version }) => Math.max(most, version), 1),
    inputs: transactions.flatMap(({ inputs }) => inputs),
    outputs: transactions.flatMap(({ outputs }) => outputs),
    locktime: transactions.reduce((least, { locktime }) => Math.min(least, locktime), Number.POSITIVE_INFINITY),
  };
  const globals = psbts.reduce<PsbtGlobal>((into, { global }) => mergeMaps('global', [into, global]), {});
  // The joined transaction needs new signatures.
  const dropped = ['ecdsa-signature', 'result', ...(keepsTaproot ? [] : (['taproot-signature'] as const))] as const;
  return {
    global: { ...globals, unsignedTx },
    inputs: psbts.flatMap(({ inputs }) => inputs.map((input) => withoutPurposes(input, dropped))),
    outputs: psbts.flatMap(({ outputs }) => outputs),
  };
}
