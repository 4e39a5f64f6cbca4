import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scryptHash } from '../../../src/core/crypto/scryptHash.ts';
import { headerRules } from '../../../src/core/network/networks.ts';
import { blockHash } from '../../../src/node/chain/blockHeader.ts';
import { genesisHeader } from '../../../src/node/chain/genesis.ts';
import { blockProof, decodeCompact, encodeCompact, hasProofOfWork } from '../../../src/node/chain/proofOfWork.ts';
import { formatReversedHex, networks } from '../../support/library.ts';

const MAIN_LIMIT = (1n << 224n) - 1n;
const ONE = Uint8Array.of(1, ...new Uint8Array(31));

describe("Core's compact targets", () => {
  test.each<[number, bigint, number]>([
    [0x01120000, 0x12n, 0x01120000],
    [0x01123456, 0x12n, 0x01120000],
    [0x02123456, 0x1234n, 0x02123400],
    [0x02008000, 0x80n, 0x02008000],
    [0x03123456, 0x123456n, 0x03123456],
    [0x04123456, 0x12345600n, 0x04123456],
    [0x05009234, 0x92340000n, 0x05009234],
    [0x20123456, 0x123456n << 232n, 0x20123456],
    [0x1d00ffff, 0xffffn << 208n, 0x1d00ffff],
    [0x2100ffff, 0xffffn << 240n, 0x2100ffff],
    [0x220000ff, 0xffn << 248n, 0x2100ff00],
  ])('%i is read and written', (bits, target, written) => {
    expect(decodeCompact(bits)).toBe(target);
    expect(encodeCompact(target)).toBe(written);
  });

  test.each([
    ['zero', 0],
    ['a mantissa shifted out', 0x01003456],
    ['zero of any size', 0x04000000],
    ['negative zero', 0x02800000],
    ['negative', 0x01fedcba],
    ['negative', 0x04923456],
    ['above 256 bits', 0xff123456],
    ['above 256 bits by size', 0x23000001],
    ['above 256 bits by two bytes', 0x22000100],
    ['above 256 bits by three bytes', 0x21010000],
  ])('%s (%i) is no target', (_, bits) => {
    expect(decodeCompact(bits)).toBeUndefined();
    expect(blockProof(bits)).toBe(0n);
    expect(hasProofOfWork(bits, new Uint8Array(32), (1n << 256n) - 1n)).toBe(false);
  });

  test('a target loses only what does not fit in three bytes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: (1n << 256n) - 1n }), (target) => {
        const read = decodeCompact(encodeCompact(target)) ?? 0n;
        expect(read <= target && target - read <= target >> 15n).toBe(true);
        expect(encodeCompact(read)).toBe(encodeCompact(target));
      }),
    );
  });
});

describe('proof of work', () => {
  test.each([
    ['a negative target', 0x1d80ffff],
    ['a target above 256 bits', 0xff7fffff],
    ['a target above the limit', encodeCompact(MAIN_LIMIT * 2n)],
    ['no target', 0],
  ])('is refused with %s', (_, bits) => {
    expect(hasProofOfWork(bits, ONE, MAIN_LIMIT)).toBe(false);
  });

  test('takes a hash up to the target, in wire order', () => {
    const hash = (value: bigint): Uint8Array =>
      Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
    const target = decodeCompact(0x1b0404cb) ?? 0n;
    expect(hasProofOfWork(0x1b0404cb, hash(target), MAIN_LIMIT)).toBe(true);
    expect(hasProofOfWork(0x1b0404cb, hash(target + 1n), MAIN_LIMIT)).toBe(false);
  });

  test('is as much as hashes are needed', () => {
    expect(blockProof(0x1d00ffff)).toBe(0x1_0001_0001n);
    expect(blockProof(0x207fffff)).toBe(2n);
    expect(blockProof(0x03000001)).toBe(1n << 255n);
  });
});

describe.each(Object.values(networks))('the genesis block of $name', (network) => {
  const [params, header, bits] = [headerRules(network), genesisHeader(network), network.genesis?.header?.bits];
  if (!params || !header || bits === undefined) throw new Error('no rules');
  const hashes: Readonly<Record<string, string>> = {
    main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    testnet3: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    testnet4: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    litecoin: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    'litecoin-testnet': '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
    'litecoin-regtest': '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
  };

  test('has its hash, and work', () => {
    expect(formatReversedHex(blockHash(header))).toBe(hashes[network.name]);
    const powHash = params.powHash === 'scrypt' ? scryptHash(header) : blockHash(header);
    expect(hasProofOfWork(bits, powHash, params.powLimit)).toBe(true);
    expect(decodeCompact(bits)).toBeLessThanOrEqual(params.powLimit);
  });
});

test('the hash that counts for the genesis block of Litecoin is the published one', () => {
  const header = genesisHeader(networks.litecoin);
  if (!header) throw new Error('no header');
  expect(formatReversedHex(scryptHash(header))).toBe(
    '0000050c34a64b415b6b15b37f2216634b5b1669cb9a2e38d76f7213b0671e00',
  );
});

test('a network of one’s own has no known rules, even under the name of another', () => {
  const own = { ...networks.main, genesis: { hash: '11'.repeat(32), time: 1 } };
  expect(headerRules(own)).toBeUndefined();
  expect(headerRules({ ...own, name: 'toString' })).toBeUndefined();
});
