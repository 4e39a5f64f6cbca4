import { describe, expect, test } from 'vitest';
import type { CurveWork } from '../../src/rpc/foresight.ts';
import { toJsonValue } from '../../src/rpc/json/jsonValue.ts';
import { type CurveResult, computeOperations } from '../../src/signing/curveWork.ts';
import { createJobs } from '../../src/workers/jobs.ts';
import { importAll, openWallet, xprvA } from '../support/descriptorWallet.ts';
import {
  createDeriver,
  createMemoryStore,
  createNodeRpc,
  descriptorChecksum,
  type Ecc,
  encodeTransaction,
  formatHex,
  type NodeRpc,
  networks,
  nobleEcc,
  parseDescriptor,
  parseTxid,
} from '../support/library.ts';

/** Counts signatures and their verifications in an `Ecc`. */
function counting() {
  const count = { operations: 0 };
  const counted =
    <A extends readonly unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      count.operations += 1;
      return call(...args);
    };
  const {
    signEcdsa,
    signSchnorr,
    isOwnEcdsa,
    isOwnSchnorr,
    verifyEcdsa,
    verifySchnorr,
    ecdsaKeys: _,
    ...rest
  } = nobleEcc;
  const ecc: Ecc = {
    ...rest,
    signEcdsa: counted(signEcdsa),
    signSchnorr: counted(signSchnorr),
    isOwnEcdsa: counted(isOwnEcdsa),
    isOwnSchnorr: counted(isOwnSchnorr),
    verifyEcdsa: counted(verifyEcdsa),
    verifySchnorr: counted(verifySchnorr),
  };
  return { ecc, count };
}

const DESCRIPTORS = [`wpkh(${xprvA}/0/*)`, `tr(${xprvA}/1/*)`, `pkh(${xprvA}/2/*)`];
const INDEXES = 6;

/** Opens a node with a wallet of the descriptors. */
function openSigner(ecc: Ecc, store = createMemoryStore()): NodeRpc {
  const rpc = createNodeRpc({
    network: 'regtest',
    dialect: 'core-31',
    ecc,
    store,
    clock: () => 1_700_000_000,
    random: (size) => new Uint8Array(size).fill(7),
  });
  rpc.call('createwallet', ['w', false, true]);
  importAll(rpc, ...DESCRIPTORS.map((desc) => ({ desc, range: [0, INDEXES] })));
  return rpc;
}

const scripts = DESCRIPTORS.flatMap((text) => {
  const derive = createDeriver(parseDescriptor(text, networks.regtest));
  return Array.from({ length: INDEXES }, (_, i) => formatHex(derive(i).scriptPubKeys[0] ?? new Uint8Array()));
});
const TXID = '22'.repeat(32);
const prevtxs = scripts.map((scriptPubKey, vout) => ({ txid: TXID, vout, scriptPubKey, amount: 0.001 }));

/** A transaction that spends a coin of each script. */
const HEX = formatHex(
  encodeTransaction({
    version: 2,
    inputs: prevtxs.map(({ txid, vout }) => ({
      outpoint: { txid: parseTxid(txid), vout },
      scriptSig: new Uint8Array(),
      sequence: 0xffffffff,
      witness: [],
    })),
    outputs: [{ value: 1000n, scriptPubKey: Uint8Array.of(0x51) }],
    locktime: 0,
  }),
);

const foresee = (rpc: NodeRpc, method: string, params: readonly unknown[]): CurveWork | undefined =>
  rpc.foresee(method, toJsonValue(params), 'w');
const sign = (rpc: NodeRpc): unknown => rpc.callJson('signrawtransactionwithwallet', toJsonValue([HEX, prevtxs]), 'w');

describe('a rehearsal of signrawtransactionwithwallet', () => {
  const { ecc, count } = counting();
  const rpc = openSigner(ecc);
  const wanted = sign(openSigner(nobleEcc));

  test('finds each signature, signs none, and leaves none to make', () => {
    count.operations = 0;
    const work = foresee(rpc, 'signrawtransactionwithwallet', [HEX, prevtxs]);
    expect(count.operations).toBe(0);
    expect(work?.operations.filter(({ kind }) => kind.startsWith('sign'))).toHaveLength(scripts.length);
    const results = structuredClone(computeOperations(structuredClone(work?.operations ?? []), nobleEcc));
    expect(rpc.withWorkDone({ results, scripts: [] }, () => sign(rpc))).toEqual(wanted);
    expect(count.operations).toBe(0);
    expect(sign(rpc)).toEqual(wanted);
    expect(count.operations).toBeGreaterThan(scripts.length);
  });

  test.each([
    ['half of the results', (results: readonly CurveResult[]) => results.filter((_, i) => i % 2 === 0)],
    ['results in another order', (results: readonly CurveResult[]) => [...results].reverse()],
    [
      'results for other digests',
      (results: readonly CurveResult[]) =>
        results.map((result) => ({ ...result, given: result.given.map((bytes) => bytes?.map((byte) => byte ^ 1)) })),
    ],
  ])('signs the same with %s', (_, change) => {
    const work = foresee(rpc, 'signrawtransactionwithwallet', [HEX, prevtxs]);
    const results = change(computeOperations(work?.operations ?? [], nobleEcc));
    expect(rpc.withWorkDone({ results, scripts: [] }, () => sign(rpc))).toEqual(wanted);
  });

  test('finds nothing in a call that fails', () => {
    expect(foresee(rpc, 'signrawtransactionwithwallet', ['00'])).toBeUndefined();
    expect(foresee(rpc, 'signrawtransactionwithwallet', [])).toBeUndefined();
    expect(rpc.foresee('signrawtransactionwithwallet', toJsonValue([HEX, prevtxs]), 'other')).toBeUndefined();
    expect(foresee(rpc, 'getblockcount', [])).toBeUndefined();
    expect(foresee(rpc, 'unknown', [])).toBeUndefined();
  });
});

describe('a rehearsal of importdescriptors', () => {
  const text = `wpkh(${xprvA}/9h/*)`;
  const request = { desc: `${text}#${descriptorChecksum(text)}`, range: [5, 64], timestamp: 1 };
  const journalOf = (rpc: NodeRpc): unknown => [
    rpc.call('getwalletinfo', [], 'w'),
    rpc.call('listdescriptors', [], 'w'),
  ];

  test('changes nothing, and finds the range', () => {
    const rpc = openWallet();
    const before = journalOf(rpc);
    const work = foresee(rpc, 'importdescriptors', [[request]]);
    expect(journalOf(rpc)).toEqual(before);
    expect(work?.ranges).toMatchObject([{ first: 5, end: 65 }]);
    expect(JSON.stringify(work?.ranges)).not.toContain('prv');
  });

  test('imports scripts that were derived elsewhere', () => {
    const [rpc, plain] = [openWallet(), openWallet()];
    const work = foresee(rpc, 'importdescriptors', [[request]]);
    const { derive } = createJobs({ network: 'regtest', dialect: 'core-31' });
    const done = { results: [], scripts: (work?.ranges ?? []).map((range) => structuredClone(derive(range))) };
    const importOne = (node: NodeRpc) => node.callJson('importdescriptors', toJsonValue([[request]]), 'w');
    expect(rpc.withWorkDone(done, () => importOne(rpc))).toEqual(importOne(plain));
    expect(journalOf(rpc)).toEqual(journalOf(plain));
  });
});
