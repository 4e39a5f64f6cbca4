import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaign } from '../../support/campaign.ts';
import {
  createDeriver,
  createFrameReader,
  decodeWalletUr,
  encodeAccountUr,
  encodeDescriptorUr,
  encodeUr,
  formatDescriptor,
  formatHex,
  networks,
  parseDescriptor,
  parseHex,
  singlePaths,
  type UrWallet,
  withChecksum,
} from '../../support/library.ts';
import { noise } from '../../support/noise.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';

interface Row {
  readonly paper: string;
  readonly ur?: string;
  readonly type?: string;
  readonly hex?: string;
  readonly name?: string;
  readonly network?: 'testnet3';
  readonly descriptors?: readonly string[];
  /** Descriptors with the same scripts. */
  readonly likeDescriptors?: readonly string[];
  readonly keys?: readonly string[];
  readonly isPrivate?: true;
  readonly isWritten?: true;
}

const ROWS: readonly Row[] = JSON.parse(readFileSync(new URL('../../../vectors/ur.json', import.meta.url), 'utf8'));

/** Reads a single frame. */
function scanned(ur: string): { readonly type: string; readonly content: Uint8Array } {
  const state = createFrameReader().add(ur);
  if (state.status !== 'complete') throw new Error(state.status);
  return state.scanned;
}

const decoded = (ur: string): UrWallet | undefined => {
  const { type, content } = scanned(ur);
  return decodeWalletUr(type, content);
};

const contentOf = ({ ur, type = '', hex = '' }: Row) => (ur ? scanned(ur) : { type, content: parseHex(hex) });

/** Derives the first three scripts of each path of a descriptor. */
const scriptsOf = (text: string) =>
  singlePaths(parseDescriptor(text, networks.main)).map((path) =>
    [0, 1, 2].map((index) => createDeriver(path)(index).scriptPubKeys),
  );

describe('the vectors of the specifications', () => {
  test('are sixteen', () => expect(ROWS).toHaveLength(16));

  test.each(ROWS)('$paper is read', (row) => {
    const { type, content } = contentOf(row);
    const wallet = decodeWalletUr(type, content);
    const { descriptors = [], keys = [], isPrivate = false, name, network = 'main' } = row;
    expect(wallet?.keys).toEqual(keys);
    expect([wallet?.isPrivate, wallet?.name, wallet?.networks[0]]).toEqual([isPrivate, name, network]);
    if (row.likeDescriptors) {
      expect(wallet?.descriptors.map(scriptsOf)).toEqual(row.likeDescriptors.map(scriptsOf));
    } else {
      expect(wallet?.descriptors).toEqual(descriptors);
    }
    for (const text of descriptors) parseDescriptor(text, networks[network]);
  });

  test.each(ROWS.filter(({ isWritten }) => isWritten))('$paper is written', (row) => {
    const { descriptors = [], keys = [], name } = row;
    const { type, content } = contentOf(row);
    const options = { fragmentSize: 2000 } as const;
    if (type === 'crypto-output' || type === 'output-descriptor') {
      const { count, frame } = encodeDescriptorUr(descriptors[0] ?? '', { type, ...(name && { name }), ...options });
      // As a resource of its own, a descriptor goes without its tag, which takes three bytes.
      expect([count, scanned(frame(1)).content]).toEqual([1, row.ur ? content : content.slice(3)]);
    } else if (type === 'crypto-account' || type === 'account-descriptor') {
      const [legacy = '', nested = '', native = ''] = keys;
      const [first = '', second = '', third = '', last = ''] = descriptors;
      const cosigners = [`sh(cosigner(${legacy}))`, `sh(wsh(cosigner(${nested})))`, `wsh(cosigner(${native}))`];
      const { frame } = encodeAccountUr([first, second, third, ...cosigners, last], { type, ...options });
      const { content: written } = scanned(frame(1));
      // Many readers know neither the tag around each output nor that of keys for multisigs, which version 1 lacked at first.
      const expected =
        type === 'crypto-account' ? formatHex(content).replace(/d90134|d9019a/g, '') : formatHex(content);
      expect(formatHex(written)).toBe(expected);
    } else throw new Error(type);
  });
});

const KEYS = (ROWS.find(({ paper }) => paper === 'BCR-2023-019')?.descriptors ?? []).map(
  (text) => /\[.*?\]xpub\w+/.exec(text)?.[0] ?? '',
);
const [FIRST = '', SECOND = '', THIRD = ''] = KEYS;
const BARE = FIRST.replace(/^\[.*\]/, '');
const TEST_KEY =
  'tpubDC7jGaaSE66VDB6VhEDFYQSCAyugXmfnMnrMVyHNzW9wryyTxvha7TmfAHd7GRXrr2TaAn2HXn9T8ep4gyNX1bzGiieqcTUNcu2poyntrET';

const CHAINS = '/<0;1>/*';

describe('a descriptor', () => {
  test.each([
    ['wpkh', `wpkh(${FIRST}${CHAINS})`],
    ['taproot', `tr(${FIRST}${CHAINS})`],
    ['nested multisig', `sh(wsh(sortedmulti(2,${FIRST}${CHAINS},${SECOND}${CHAINS})))`],
    ['paths that differ', `wsh(multi(1,${FIRST}${CHAINS},${SECOND}/0/*))`],
    ['one chain', `pkh(${FIRST}/1/*)`],
    ['no origin', `wpkh(${BARE}/3/<4;5>/*)`],
    ['test network', `wpkh(${TEST_KEY}${CHAINS})`],
    ['a fixed key', 'combo(03e220e776d811c44075a4a260734445c8967865f5357ba98ead3bc6a6552c36f2)'],
    ['a script', 'raw(6a0548656c6c6f)'],
  ])('comes back as it was in both types: %s', (_title, descriptor) => {
    for (const type of ['crypto-output', 'output-descriptor'] as const) {
      for (const text of [descriptor, withChecksum(descriptor)]) {
        const { frame } = encodeDescriptorUr(text, { type, fragmentSize: 2000 });
        expect(decoded(frame(1))?.descriptors).toEqual([descriptor]);
      }
    }
  });

  test.each([
    ['miniscript', `wsh(or_d(pk(${FIRST}${CHAINS}),and_v(v:pkh(${SECOND}${CHAINS}),older(4320))))`],
    ['a script tree', `tr(${FIRST}${CHAINS},{pk(${SECOND}${CHAINS}),pk(${THIRD}${CHAINS})})`],
    ['an aggregate key', `tr(musig(${FIRST},${SECOND})${CHAINS})`],
    ['a single address', `wpkh(${FIRST})`],
    ['three choices', `wpkh(${FIRST}/<0;1;2>/*)`],
    [
      'an origin before a fixed key',
      'pk([00112233/0]03e220e776d811c44075a4a260734445c8967865f5357ba98ead3bc6a6552c36f2)',
    ],
  ])('of another form comes back as output-descriptor, and is refused as crypto-output: %s', (_title, descriptor) => {
    const { frame } = encodeDescriptorUr(descriptor, { type: 'output-descriptor', fragmentSize: 2000 });
    expect(decoded(frame(1))?.descriptors).toEqual([descriptor]);
    expect(refusalOf(() => encodeDescriptorUr(descriptor)).code).toBe('qr/invalid');
  });

  test('is read from many frames', () => {
    const descriptor = `wsh(sortedmulti(2,${FIRST}${CHAINS},${SECOND}${CHAINS}))`;
    const { count, frame } = encodeDescriptorUr(descriptor, { fragmentSize: 20 });
    expect(count).toBeGreaterThan(5);
    const reader = createFrameReader();
    const states = Array.from({ length: count }, (_, i) => reader.add(frame(i + 1)));
    const last = states.at(-1);
    const { type, content } = last?.status === 'complete' ? last.scanned : { type: '', content: new Uint8Array() };
    expect(decodeWalletUr(type, content)?.descriptors).toEqual([descriptor]);
  });

  test('says whether its keys are for Litecoin', () => {
    const networksOf = (coin: 'bitcoin' | 'litecoin', key: string) =>
      decoded(encodeDescriptorUr(`wpkh(${key}${CHAINS})`, { coin, fragmentSize: 2000 }).frame(1))?.networks;
    expect(networksOf('bitcoin', FIRST)).toEqual(['main']);
    expect(networksOf('litecoin', FIRST)).toEqual(['litecoin']);
    expect(networksOf('litecoin', TEST_KEY)).toEqual(['litecoin-testnet', 'litecoin-regtest']);
  });

  test('is not written with a private key, which no error shows', () => {
    const [secret = ''] = ROWS[0]?.keys ?? [];
    for (const key of [secret, 'Kxyjdi2KhJMBtPBJia5bmhZFfdMi1YrVYcq41QbnGToa2JXokeAu']) {
      for (const encode of [
        () => encodeDescriptorUr(`wpkh(${key})`),
        () => encodeDescriptorUr(`wpkh(${key})`, { type: 'output-descriptor' }),
        () => encodeAccountUr([`wpkh([37b5eed4/84h/0h/0h]${key}${CHAINS})`]),
      ]) {
        const { code, message, data } = refusalOf(encode);
        expect([code, message]).toEqual([
          'qr/invalid',
          'The content holds a private key: give the descriptor with public keys',
        ]);
        expect(JSON.stringify(data)).not.toContain(key);
      }
    }
  });

  test.each([
    [`wpkh(${FIRST})`, 'has a key without a path'],
    [`wsh(multi(x,${FIRST}${CHAINS}))`, 'has a multisig without a number of signatures'],
    ['addr(1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2)', 'cannot be written as crypto-output: use output-descriptor'],
    [`tr(${FIRST}${CHAINS},pk(${SECOND}${CHAINS}))`, 'has a key that cannot be written as crypto-output'],
    ['seed', 'cannot be written as crypto-output: use output-descriptor'],
    [`wpkh([37b5eed4/84h/0h/0h/0]${BARE}${CHAINS})`, 'has a key that lies above the end of its path'],
  ])('%s is refused', (descriptor, reason) => {
    expect(refusalOf(() => encodeDescriptorUr(descriptor)).message).toContain(`The content ${reason}`);
  });
});

describe('an account', () => {
  test.each([
    [[`wpkh(${FIRST}/0/*)`], 'has a key that lacks its origin or the path /<0;1>/*'],
    [[`wpkh(${FIRST})`], 'has a key that lacks its origin or the path /<0;1>/*'],
    [[`wsh(cosigner(${FIRST}${CHAINS}))`], 'has a key that lacks its origin or the path /<0;1>/*'],
    [[`wpkh(${BARE}${CHAINS})`], 'has a key that lacks its origin or the path /<0;1>/*'],
    [
      [`wpkh(${FIRST}${CHAINS})`, `pkh(${SECOND.replace('37b5eed4', '00112233')}${CHAINS})`],
      'needs descriptors of a single key whose origins state one master key',
    ],
    [[], 'needs descriptors of a single key whose origins state one master key'],
  ])('%j is refused', (descriptors, reason) => {
    for (const type of ['crypto-account', 'account-descriptor'] as const) {
      expect(refusalOf(() => encodeAccountUr(descriptors, { type })).message).toBe(`The content ${reason}`);
    }
  });
});

const hdKey = (fields: string): Uint8Array => parseHex(`d90194d9012f${fields}`);
const [POINT, CODE] = [`035821${'02'.repeat(33)}`, `045820${'07'.repeat(32)}`];

describe('a content that is damaged, or of another kind', () => {
  test.each([
    ['another coin', `a3${POINT}${CODE}05d90131a101183c`, 'is for a coin other than Bitcoin and Litecoin'],
    ['a field twice', `a3${POINT}${CODE}${CODE}`, 'is damaged, or not of the stated kind'],
    ['a short chain code', `a2${POINT}044107`, 'is damaged, or not of the stated kind'],
    [
      'a private key that says it is public',
      `a2035821${'00'.repeat(33)}${CODE}`,
      'is damaged, or not of the stated kind',
    ],
    [
      'a parent above the master key',
      `a4${POINT}${CODE}06d90130a201800300081a00000001`,
      'is damaged, or not of the stated kind',
    ],
    ['a wide range', `a3${POINT}${CODE}07d90130a10182820009f4`, 'has a path that descriptors cannot express'],
    ['a step behind the wildcard', `a3${POINT}${CODE}07d90130a1018480f400f4`, 'is damaged, or not of the stated kind'],
  ])('%s is refused', (_title, fields, reason) => {
    const refusal = refusalOf(() => decodeWalletUr('crypto-output', hdKey(fields)));
    expect([refusal.code, refusal.message]).toEqual(['qr/invalid', `The content ${reason}`]);
  });

  test('keys of several networks are refused', () => {
    const key = `d9012fa2${POINT}${CODE}`;
    const testKey = `d9012fa3${POINT}${CODE}05d90131a10201`;
    const content = parseHex(`d90191d90197a201010282${key}${testKey}`);
    expect(refusalOf(() => decodeWalletUr('crypto-output', content)).message).toBe(
      'The content mixes keys of several networks',
    );
  });

  test('a type that is no wallet gives nothing', () => {
    expect(decodeWalletUr('crypto-psbt', Uint8Array.of(0x40))).toBeUndefined();
    const { type, content } = scanned(encodeUr(noise(40)).frame(1));
    expect(decodeWalletUr(type, content)).toBeUndefined();
  });

  test('takes time in proportion to its size, however deep, wide or long it is', () => {
    const deep = new Uint8Array(190_000).fill(0x81);
    const wide = new Uint8Array(190_000).fill(0x80);
    wide.set([0x9a, 0, 2, 0xe6, 0x2b]);
    const counted = parseHex('9b001fffffffffffff00');
    const source = '@0'.repeat(60_000);
    const places = parseHex(`a2017a0001d4c0${Buffer.from(source).toString('hex')}0281d9012fa2${POINT}${CODE}`);
    const start = performance.now();
    for (const content of [deep, wide, counted, places, new Uint8Array(5_000_000)]) {
      expect(refusalOf(() => decodeWalletUr('crypto-output', content)).code).toBe('qr/invalid');
    }
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test('is refused or read, whatever is changed in it, and what is read can be printed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ROWS.filter(({ isPrivate }) => !isPrivate)),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (row, changes) => {
          const { type, content } = contentOf(row);
          const changed = content.slice();
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          let wallet: UrWallet | undefined;
          const refusal = refusalIfAny(() => {
            wallet = decodeWalletUr(type, changed);
          });
          expect(refusal?.code ?? 'qr/invalid').toBe('qr/invalid');
          for (const text of wallet?.descriptors ?? []) {
            const network = networks[wallet?.networks[0] ?? 'main'];
            refusalIfAny(() => formatDescriptor(parseDescriptor(text, network), network));
          }
        },
      ),
      campaign(500),
    );
  });
});
