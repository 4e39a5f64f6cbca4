import { describe, expect, test } from 'vitest';
import {
  createPsbt,
  finalizePsbt,
  openSession,
  parseTxid,
  psbtSighash,
  sighashForInput,
  sighashMidstate,
  verifyTransaction,
} from '../support/library.ts';

describe('each input costs the same, however many there are', () => {
  /** Counts how often the members of a list are read. */
  const counted = <T>(list: readonly T[]) => {
    const reads = { count: 0 };
    const proxy = new Proxy([...list], {
      get: (target, name, receiver) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads.count += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    return { reads, list: proxy as readonly T[] };
  };
  const scriptPubKey = Uint8Array.of(0x51);
  const txOf = (n: number) => ({
    version: 2,
    inputs: Array.from({ length: n }, (_, vout) => ({
      outpoint: { txid: parseTxid('11'.repeat(32)), vout },
      scriptSig: new Uint8Array(0),
      sequence: 0,
      witness: [],
    })),
    outputs: [{ value: 1n, scriptPubKey }],
    locktime: 0,
  });
  const coins = (n: number, script: Uint8Array) =>
    Array.from({ length: n }, () => ({ value: 5n, scriptPubKey: script }));
  const readsOf = {
    verifyTransaction: (n: number) => {
      const { reads, list } = counted(txOf(n).inputs);
      expect(verifyTransaction({ ...txOf(n), inputs: list }, coins(n, scriptPubKey)).isValid).toBe(true);
      return reads.count;
    },
    sighashForInput: (n: number) => {
      const { reads, list } = counted(txOf(n).inputs);
      const tx = { ...txOf(n), inputs: list };
      const prevouts = coins(n, Uint8Array.of(0, 20, ...new Uint8Array(20)));
      const midstate = sighashMidstate(tx, prevouts);
      for (let inputIndex = 0; inputIndex < n; inputIndex += 1) sighashForInput({ tx, inputIndex, prevouts, midstate });
      return reads.count;
    },
    finalizePsbt: (n: number) => {
      const psbt = createPsbt(txOf(n));
      const [coin] = coins(1, scriptPubKey);
      const { reads, list } = counted(psbt.inputs.map(() => ({ ...(coin && { witnessUtxo: coin }) })));
      finalizePsbt({ ...psbt, inputs: list });
      return reads.count;
    },
    psbtSighash: (n: number) => {
      const psbt = createPsbt(txOf(n));
      const [witnessUtxo] = coins(1, Uint8Array.of(0, 20, ...new Uint8Array(20)));
      const { reads, list } = counted(psbt.inputs.map(() => ({ ...(witnessUtxo && { witnessUtxo }) })));
      const whole = { ...psbt, inputs: list };
      const session = openSession(whole);
      for (let index = 0; index < n; index += 1) psbtSighash(whole, index, { session });
      return reads.count;
    },
  };

  test.each(Object.entries(readsOf))('in %s', (_, readsFor) => {
    expect(readsFor(200)).toBeLessThanOrEqual(2.2 * readsFor(100));
  });
});
