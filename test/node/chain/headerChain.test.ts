import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockHash, decodeBlockHeader, encodeBlockHeader } from '../../../src/node/chain/blockHeader.ts';
import { checkHeaders, contextFault, type HeaderChain } from '../../../src/node/chain/headerChain.ts';
import { campaign } from '../../support/campaign.ts';
import { chainAtGenesis, chainFrom, mined, paramsOf, realHeaders } from '../../support/headers.ts';
import { formatReversedHex, type NetworkName, networks } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const NOW = 1_800_000_000;
const at = { now: NOW };

describe.each(['main', 'testnet3'] as const)('the first headers of %s', (name) => {
  const [genesis = new Uint8Array(0), ...headers] = realHeaders(name);
  const chain = chainFrom(networks[name], [genesis]);

  test('are accepted, and their work is added', () => {
    const { accepted, fault } = checkHeaders(chain, headers, at);
    expect(fault).toBeUndefined();
    expect(accepted.map(({ height }) => height)).toEqual(headers.map((_, i) => i + 1));
    expect(accepted.map(({ hash }) => hash)).toEqual(headers.map(blockHash));
    expect(accepted.at(-1)?.work).toBe(BigInt(headers.length) * 0x1_0001_0001n);
    expect(headers.map((bytes) => encodeBlockHeader(decodeBlockHeader(bytes)))).toEqual(headers);
  });

  test('are refused with any bit flipped, and nothing after it is accepted', () => {
    const bit = fc.nat({ max: 8 * 80 - 1 });
    fc.assert(
      fc.property(fc.nat({ max: headers.length - 1 }), bit, (index, flipped) => {
        const changed = headers.map((header) => Uint8Array.from(header));
        const bytes = changed[index];
        if (bytes) bytes[flipped >>> 3] = (bytes[flipped >>> 3] ?? 0) ^ (1 << (flipped & 7));
        const { accepted, fault } = checkHeaders(chain, changed, at);
        expect(fault).toEqual({ index, reason: 'high-hash' });
        expect(accepted).toHaveLength(index);
      }),
      campaign(300),
    );
  });

  test('are refused if one is missing', () => {
    expect(checkHeaders(chain, headers.slice(1), at).fault).toEqual({ index: 0, reason: 'prev-blk-not-found' });
    const gap = headers.filter((_, i) => i !== 1);
    expect(checkHeaders(chain, gap, at).fault).toEqual({ index: 1, reason: 'prev-blk-not-found' });
  });

  test('must contain the checkpoint', () => {
    const hash = formatReversedHex(blockHash(headers[2] ?? genesis));
    const check = (height: number) => checkHeaders(chain, headers, { ...at, checkpoint: { height, hash } }).fault;
    expect(check(3)).toBeUndefined();
    expect(check(2)).toEqual({ index: 1, reason: 'checkpoint-mismatch' });
    expect(check(1_000_000)).toBeUndefined();
  });

  test('are checked the same in pieces', () => {
    let part = chain;
    for (const header of headers) {
      const { accepted, fault } = checkHeaders(part, [header], at);
      expect(fault).toBeUndefined();
      const before = part;
      const [next] = accepted;
      if (!next) throw new Error('not accepted');
      part = { ...part, tip: next, headerAt: (height) => (height === next.height ? next : before.headerAt(height)) };
    }
    expect(part.tip.height).toBe(headers.length);
  });
});

/** Makes `count` headers after a chain, one minute apart; `change` alters one before its proof of work is made. */
function extended(
  name: NetworkName,
  { tip }: HeaderChain,
  count: number,
  change: (height: number) => { version?: number; time?: number; bits?: number } = () => ({}),
): readonly Uint8Array[] {
  const headers: Uint8Array[] = [];
  let previous = { hash: tip.hash, time: tip.time };
  for (let height = tip.height + 1; headers.length < count; height += 1) {
    const { bits } = tip;
    const plain = {
      version: 4,
      previous: previous.hash,
      merkleRoot: new Uint8Array(32),
      time: previous.time + 60,
      bits,
    };
    const header = { ...plain, ...change(height), nonce: 0 };
    const bytes = mined(name, header);
    headers.push(bytes);
    previous = { hash: blockHash(bytes), time: header.time };
  }
  return headers;
}

describe('a header of regtest', () => {
  const chain = chainAtGenesis('regtest');
  const start = chain.tip.time;
  const faultOf = (change: Parameters<typeof extended>[3], count = 20, now = NOW) =>
    checkHeaders(chain, extended('regtest', chain, count, change), { now }).fault;

  test('is accepted by the rules', () => {
    expect(faultOf(undefined)).toBeUndefined();
  });

  test('must not have another target', () => {
    const change = (height: number) => (height === 5 ? { bits: 0x207ffffe } : {});
    expect(faultOf(change)).toEqual({ index: 4, reason: 'bad-diffbits' });
  });

  test('must be later than the median of the eleven before it', () => {
    // The median of the blocks 4 to 14 is the time of block 9.
    const change = (time: number) => (height: number) => (height === 15 ? { time } : { time: start + 60 * height });
    expect(faultOf(change(start + 60 * 9))).toEqual({ index: 14, reason: 'time-too-old' });
    expect(faultOf(change(start + 60 * 9 + 1))).toBeUndefined();
    // Of the genesis block and block 1, the median is the later one.
    const second = (time: number) => (height: number) => (height === 2 ? { time } : { time: start + 60 * height });
    expect(faultOf(second(start + 60))).toEqual({ index: 1, reason: 'time-too-old' });
    expect(faultOf(second(start + 61))).toBeUndefined();
  });

  test('must not be more than two hours ahead', () => {
    const last = start + 20 * 60;
    expect(faultOf(undefined, 20, last - 7200)).toBeUndefined();
    expect(faultOf(undefined, 20, last - 7201)).toEqual({ index: 19, reason: 'time-too-new' });
  });

  test('must have a version that soft forks allow', () => {
    const change = (version: number) => (height: number) => (height === 7 ? { version } : {});
    expect(faultOf(change(3))).toEqual({ index: 6, reason: 'bad-version(0x00000003)' });
    expect(faultOf(change(-1))).toEqual({ index: 6, reason: 'bad-version(0xffffffff)' });
    expect(faultOf(change(0x20000000))).toBeUndefined();
  });

  test('has 80 bytes', () => {
    const [header = new Uint8Array(0)] = extended('regtest', chain, 1);
    const check = (bytes: Uint8Array) => () => checkHeaders(chain, [bytes], at);
    expectRefusal(check(header.subarray(0, 79)), 'bytes/end-of-data', { offset: 76 });
    expectRefusal(check(Uint8Array.of(...header, 0)), 'bytes/trailing', { offset: 80, extra: 1 });
  });
});

test.each([
  ['testnet4', 4032, 599, undefined],
  ['testnet4', 4032, 600, undefined],
  ['testnet4', 4032, 601, 'time-timewarp-attack'],
  ['testnet4', 4033, 601, undefined],
  ['main', 4032, 601, undefined],
] as const)('on %s, block %i may be older than its parent by %i s: %s', (name, height, older, wanted) => {
  const period = { time: 1_700_000_000, bits: 0x1c00ffff };
  const tip = { height: height - 1, time: period.time + 14 * 86_400, bits: period.bits };
  const headerAt = (other: number) => (other === tip.height ? tip : period);
  const times = [...Array.from({ length: 10 }, (_, i) => period.time + i), tip.time];
  const header = { height, version: 4, time: tip.time - older, bits: period.bits };
  expect(contextFault(header, { params: paramsOf(name), tip, headerAt, times, now: NOW })).toBe(wanted);
});

test('on Litecoin, scrypt counts, and the caller may compute it', () => {
  const chain = chainAtGenesis('litecoin-regtest');
  const headers = extended('litecoin-regtest', chain, 12);
  expect(checkHeaders(chain, headers, at).fault).toBeUndefined();
  const worst = () => new Uint8Array(32).fill(0xff);
  expect(checkHeaders(chain, headers, { ...at, scrypt: worst }).fault).toEqual({ index: 0, reason: 'high-hash' });
});

describe('a chain whose beginning is unknown', () => {
  const whole = chainAtGenesis('regtest');
  const headers = extended('regtest', whole, 30);
  const { accepted } = checkHeaders(whole, headers, at);
  const [, , , , , fifth, ...later] = accepted;
  if (!fifth) throw new Error('not accepted');
  const chain = { ...whole, tip: fifth, headerAt: (height: number) => (height === 6 ? fifth : undefined) };

  test('is continued', () => {
    expect(checkHeaders(chain, headers.slice(6), at).accepted.map(({ hash }) => hash)).toEqual(
      later.map(({ hash }) => hash),
    );
  });

  test('has no median until eleven headers are known', () => {
    const change = (height: number) => (height === 8 || height === 20 ? { time: fifth.time - 600 } : {});
    expect(checkHeaders(chain, extended('regtest', chain, 30, change), at).fault).toEqual({
      index: 13,
      reason: 'time-too-old',
    });
  });
});

test('a network of one’s own needs work, links and times', () => {
  const [genesis = new Uint8Array(0), ...headers] = realHeaders('main');
  const own = { ...networks.main, name: 'own', genesis: { hash: formatReversedHex(blockHash(genesis)), time: 1 } };
  const chain = chainFrom(own, [genesis]);
  expect(checkHeaders(chain, headers, at).fault).toBeUndefined();
  expect(checkHeaders(chain, headers.slice(1), at).fault?.reason).toBe('prev-blk-not-found');
  expect(checkHeaders(chain, headers, { now: 1_231_469_665 - 7201 }).fault?.reason).toBe('time-too-new');
  // A header without rules may have any target, and so any version.
  const free = extended('regtest', { ...chain, tip: { ...chain.tip, bits: 0x207fffff } }, 3, () => ({ version: 1 }));
  expect(checkHeaders(chain, free, at).fault).toBeUndefined();
  const weak = headers.map((header) => Uint8Array.from(header).fill(0, 76));
  expect(checkHeaders(chain, weak, at).fault?.reason).toBe('high-hash');
});
