import { describe, expect, test } from 'vitest';
import {
  asNodeWrites,
  combinePsbts,
  decodePsbt,
  decodePsbtBytes,
  determineLocktime,
  encodePsbt,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  formatHex,
  type Psbt,
  type PsbtInput,
  parseTxid,
  RpcError,
  signPsbt,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from '../../../support/library.ts';
import { ask, text } from '../../../support/psbtCalls.ts';
import { payment, sign, WALLETS, withInput, withOutput } from '../../../support/psbts.ts';
import { refusalOf } from '../../../support/refusal.ts';

const spent = { previousTxid: parseTxid('11'.repeat(32)), outputIndex: 0 };
const withLocks = (inputs: readonly PsbtInput[], fallbackLocktime?: number): Psbt => ({
  global: { txVersion: 2, version: 2, ...(fallbackLocktime !== undefined && { fallbackLocktime }) },
  inputs: inputs.map((input) => ({ ...spent, ...input })),
  outputs: [{ amount: 1000n, script: Uint8Array.of(0x51) }],
});

const height = (requiredHeightLocktime: number): PsbtInput => ({ requiredHeightLocktime });
const time = (requiredTimeLocktime: number): PsbtInput => ({ requiredTimeLocktime });
const NOON = 1_657_048_460;

describe('the locktime of a version 2 PSBT', () => {
  test.each([
    ['is 0 if no input requires one', withLocks([{}, {}]), 0],
    ['is 0 without inputs', withLocks([]), 0],
    ['is the fallback if no input requires one', withLocks([{}], 700_000), 700_000],
    ['is the highest height', withLocks([height(10_000), {}, height(9000)]), 10_000],
    ['is the latest time', withLocks([time(NOON), time(NOON + 1), {}]), NOON + 1],
    ['is a height where all accept both', withLocks([{ ...height(10_000), ...time(NOON) }]), 10_000],
    [
      'is a height where one accepts only that',
      withLocks([{ ...height(10_000), ...time(NOON) }, height(11_000)]),
      11_000,
    ],
    [
      'is a time where one accepts only that',
      withLocks([{ ...height(10_000), ...time(NOON) }, time(NOON + 5)]),
      NOON + 5,
    ],
    ['ignores the fallback if an input requires one', withLocks([height(1)], 700_000), 1],
  ])('%s', (_, psbt, locktime) => {
    expect(determineLocktime(psbt)).toBe(locktime);
    expect(unsignedTransaction(psbt).locktime).toBe(locktime);
  });

  test('is undefined if one input requires a height and another a time', () => {
    const psbt = withLocks([height(10_000), time(NOON)]);
    expect(() => determineLocktime(psbt)).toThrow(
      expect.objectContaining({ code: 'psbt/locktime-conflict', data: { inputIndex: 1 } }),
    );
  });
});

describe('a version 2 PSBT in the documented dialect', () => {
  const decoded = (psbt: Psbt, dialect: 'documented' | 'core-32') =>
    decodePsbt([formatBase64(encodePsbt(psbt))], { network: 'regtest', dialect });

  test('shows the transaction of its fields, and the fields', () => {
    const answer = decoded(withLocks([height(10_000)]), 'documented');
    expect(answer).toMatchObject({
      tx: { version: 2, locktime: 10_000, vin: [{ txid: '11'.repeat(32), sequence: 0xffffffff }] },
      tx_version: 2,
      input_count: 1,
      output_count: 1,
      psbt_version: 2,
      unknown: {},
      inputs: [{ final_scriptwitness: [], previous_vout: 0, height_locktime: 10_000, unknown: {} }],
      outputs: [{ amount: 0.00001, unknown: {} }],
    });
    expect(answer).not.toHaveProperty('global_xpubs');
    expect(decoded(withLocks([height(10_000)]), 'core-32')).not.toHaveProperty('tx');
  });

  test('is refused if its fields give no transaction', () => {
    const conflict = withLocks([height(10_000), time(NOON)]);
    expect(() => decoded(conflict, 'documented')).toThrow(RpcError);
    expect(() => decoded(conflict, 'documented')).toThrow(
      'TX decode failed inputs require both a height and a time locktime',
    );
    expect(decoded(conflict, 'core-32').inputs).toHaveLength(2);
  });
});

test('converting a PSBT to its own version changes nothing', () => {
  const v2 = withLocks([{}]);
  const v0 = toPsbtV0(v2);
  expect(toPsbtV2(v2)).toBe(v2);
  expect(toPsbtV0(v0)).toBe(v0);
});

const KINDS = ['pkh', 'shWpkh', 'wpkh', 'tr', 'tree', 'multi'] as const;
const CLAIM = { key: Uint8Array.of(0xf1, 1), value: Uint8Array.of(7) };

describe('versions', () => {
  test('convert from 0 to 2 and back without loss, at any stage', () => {
    const made = payment(KINDS, { version: 0, locktime: 700_000 });
    const odd = withOutput(
      withInput({ ...made, global: { ...made.global, unknown: [CLAIM] } }, 1, (input) => ({
        ...input,
        unknown: [CLAIM],
        proprietary: [{ identifier: Uint8Array.of(1), subtype: 2, keyData: Uint8Array.of(3), value: Uint8Array.of(4) }],
      })),
      0,
      (output) => ({ ...output, unknown: [CLAIM] }),
    );
    const signed = sign(odd, {}, [WALLETS.pkh, WALLETS.tree, WALLETS.multi]).psbt;
    for (const psbt of [made, odd, signed, finalizePsbt(signed).psbt]) {
      expect(toPsbtV0(toPsbtV2(psbt))).toEqual(psbt);
      expect(encodePsbt(toPsbtV0(decodePsbtBytes(encodePsbt(toPsbtV2(psbt)))))).toEqual(encodePsbt(psbt));
    }
  });

  test('give the same final transaction', () => {
    const [zero, two] = ([0, 2] as const).map((version) => {
      const { psbt } = finalizePsbt(sign(payment(KINDS.slice(0, 5), { version })).psbt);
      return formatHex(encodeTransaction(extractTransaction(psbt)));
    });
    expect(zero).toBe(two);
  });
});

describe('a version 2 PSBT whose inputs require a height and a time', () => {
  const fields: readonly Partial<PsbtInput>[] = [{ requiredHeightLocktime: 7 }, { requiredTimeLocktime: 500_000_007 }];
  const base = payment(['wpkh', 'tr']);
  const torn = { ...base, inputs: base.inputs.map((input, i) => ({ ...input, ...fields[i] })) };
  const asWritten = text(asNodeWrites(torn));

  test('is answered as Core does', () => {
    const wkt = [`wpkh(${'03'.padEnd(66, '1')})`];
    expect(ask('analyzepsbt', text(torn))).toEqual({
      next: 'creator',
      error: 'PSBT cannot be made into a valid transaction',
    });
    expect(ask('finalizepsbt', text(torn))).toEqual({ psbt: asWritten, complete: false });
    expect(ask('finalizepsbt', text(torn), false)).toEqual({ psbt: asWritten, complete: false });
    expect(ask('combinepsbt', [text(torn)])).toBe(asWritten);
    expect(ask('combinepsbt', [text(torn), text(torn)])).toEqual({
      code: -8,
      message: 'PSBTs not compatible (different transactions)',
    });
    const impossible = { code: -25, message: 'The transaction cannot be valid' };
    expect(ask('descriptorprocesspsbt', text(torn), [])).toEqual(impossible);
    expect(ask('utxoupdatepsbt', text(torn))).toEqual(impossible);
    // Invalid descriptors are reported first.
    expect(ask('descriptorprocesspsbt', text(torn), wkt)).toMatchObject({ code: -5 });
  });

  test('is refused by the roles of the library, which need its transaction', () => {
    for (const role of [
      () => finalizePsbt(torn),
      () => extractTransaction(torn),
      () => signPsbt(torn, () => undefined),
      () => combinePsbts([torn, torn]),
    ]) {
      expect(refusalOf(role).code).toBe('psbt/locktime-conflict');
    }
    expect(combinePsbts([torn]).psbt).toBe(torn);
  });
});
