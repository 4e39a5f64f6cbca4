import { describe, expect, test } from 'vitest';
import {
  addInput,
  createPsbt,
  decodePsbtBytes,
  encodePsbt,
  type Psbt,
  parseTxid,
  unsignedTransaction,
} from '../support/library.ts';

const T = 1_657_048_460;
type Locks = readonly [height?: number | undefined, time?: number | undefined];
const NONE: Locks = [];

/** Makes a PSBT whose inputs require these locktimes. */
function psbtOf(locks: readonly Locks[]): Psbt {
  const { global, ...rest } = createPsbt({ version: 2, inputs: [], outputs: [], locktime: 0 }, { version: 2 });
  const txid = parseTxid('11'.repeat(32));
  return locks.reduce<Psbt>(
    (psbt, [height, time], vout) =>
      addInput(
        psbt,
        { txid, vout },
        {
          ...(height !== undefined && { requiredHeightLocktime: height }),
          ...(time !== undefined && { requiredTimeLocktime: time }),
        },
      ),
    { ...rest, global: { ...global, txModifiable: 0b011 } },
  );
}

describe('the timelock determination algorithm of BIP370', () => {
  test.each<[string, readonly Locks[], number]>([
    ['no locktimes', [NONE], 0],
    ['fallback of 0', [NONE, NONE], 0],
    ['a height, none', [[10_000], NONE], 10_000],
    ['two heights', [[10_000], [9000]], 10_000],
    ['a height, both', [[10_000], [9000, T]], 10_000],
    [
      'both, both: the height',
      [
        [10_000, T - 1],
        [9000, T],
      ],
      10_000,
    ],
    [
      'a time, both',
      [
        [undefined, T - 1],
        [9000, T],
      ],
      T,
    ],
    [
      'both, a time',
      [
        [10_000, T - 1],
        [undefined, T],
      ],
      T,
    ],
    ['none, a time', [NONE, [undefined, T]], T],
  ])('%s', (_, locks, locktime) => {
    expect(unsignedTransaction(psbtOf(locks)).locktime).toBe(locktime);
    expect(unsignedTransaction(psbtOf([...locks].reverse())).locktime).toBe(locktime);
    const decoded = decodePsbtBytes(encodePsbt(psbtOf(locks)));
    expect(unsignedTransaction(decoded).locktime).toBe(locktime);
  });
});
