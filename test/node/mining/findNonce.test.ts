import { expect, test } from 'vitest';
import { blockHash, decodeBlockHeader } from '../../../src/node/chain/blockHeader.ts';
import { hasRequiredWork } from '../../../src/node/chain/headerChain.ts';
import { type Attempts, findNonce } from '../../../src/node/mining/findNonce.ts';
import { formatReversedHex, networks } from '../../support/library.ts';

const HEADER = {
  ...{ version: 4, previous: new Uint8Array(32), merkleRoot: new Uint8Array(32) },
  ...{ time: 1_700_000_000, bits: 0x2000_ffff, nonce: 0 },
};
const search = (attempts: Attempts, nonce = 0, network = networks.regtest) =>
  findNonce(network, { ...HEADER, nonce }, attempts);

/** The first nonce of which the hash is among the lowest 256th. */
const found = search({ left: Number.POSITIVE_INFINITY });
if (typeof found === 'string') throw new Error(found);
const { nonce } = decodeBlockHeader(found);

test('the first nonce that has work is found, one attempt for each before it', () => {
  expect(nonce).toBeGreaterThan(10);
  expect(formatReversedHex(blockHash(found)).slice(0, 2)).toBe('00');
  const attempts = { left: nonce + 5 };
  expect(search(attempts)).toEqual(found);
  expect(attempts.left).toBe(5);
  // The last attempt counts as used up, even if it was good.
  for (const left of [nonce, nonce - 1, 1, 0]) expect(search({ left })).toBe('no attempts left');
  expect(search({ left: 1 }, nonce)).toEqual(found);
});

test('the last nonce is not tried', () => {
  expect(search({ left: 100 }, 0xffff_fffe)).toBe('no nonce left');
  expect(search({ left: 100 }, 0xffff_ffff)).toBe('no nonce left');
});

test('the work is that of the network', () => {
  const scrypt = search({ left: 1000 }, 0, networks['litecoin-regtest']);
  if (typeof scrypt === 'string') throw new Error(scrypt);
  expect(hasRequiredWork(networks['litecoin-regtest'], scrypt)).toBe(true);
  expect(hasRequiredWork(networks.regtest, scrypt)).toBe(false);
});
