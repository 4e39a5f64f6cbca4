import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createFrameReader,
  decodeWalletUr,
  encodeAccountUr,
  encodeBbqr,
  encodeDescriptorUr,
  encodePsbt,
  encodeUr,
  formatHex,
  networks,
  parseExtendedKey,
  type ScannedContent,
  type UrFrames,
} from '../support/library.ts';
import { noise } from '../support/noise.ts';
import { payment } from '../support/psbts.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Compares QR codes with the libraries of wallets: bbqr is Coldcard's, Keystone and BlueWallet use the other two. */

const SOURCE = new URL('codes/', import.meta.url).pathname;
const peers = temporaryDirectory();

beforeAll(() => {
  for (const name of ['package.json', 'peers.mjs']) copyFileSync(join(SOURCE, name), join(peers, name));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  execFileSync('npm', install, { cwd: peers, stdio: 'inherit' });
});

/** Lets the libraries answer calls. */
function askPeers<T>(calls: readonly (readonly [name: string, given: object])[]): readonly T[] {
  writeFileSync(join(peers, 'calls.json'), JSON.stringify(calls));
  execFileSync(process.execPath, ['peers.mjs'], { cwd: peers, stdio: 'inherit' });
  return JSON.parse(readFileSync(join(peers, 'answers.json'), 'utf8'));
}

/** Reads frames until they give a content. */
function scan(frames: Iterable<string>): ScannedContent {
  const reader = createFrameReader();
  for (const frame of frames) {
    const state = reader.add(frame);
    if (state.status === 'complete') return state.scanned;
  }
  throw new Error('frames are missing');
}

const framesOf = ({ frame }: UrFrames, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => frame(i + 1));

/** The sizes of a content and of its fragments. */
const SIZES = [
  [1, 10],
  [90, 100],
  [300, 60],
  [1000, 33],
  [2503, 200],
  [8000, 100],
  [20_000, 500],
] as const;

describe('URs', () => {
  test('have the frames of @ngraveio/bc-ur: parts 1 to 3n + 5 for seven sizes', () => {
    const contents = SIZES.map(([size, fragmentSize]) => ({ content: noise(size, 'ur'), fragmentSize }));
    for (const type of ['bytes', 'crypto-psbt'] as const) {
      const ours = contents.map(({ content, fragmentSize }) => {
        const frames = encodeUr(content, { type, fragmentSize });
        return framesOf(frames, 3 * frames.count + 5);
      });
      const theirs = askPeers<readonly string[]>(
        contents.map(({ content, fragmentSize }, i) => [
          'encodeUr',
          { type, hex: formatHex(content), fragmentSize, count: ours[i]?.length },
        ]),
      );
      expect(ours.map((frames) => frames.length).every((count) => count >= 8)).toBe(true);
      expect(theirs.map((frames) => frames.map((frame) => frame.toUpperCase()))).toEqual(ours);
    }
  });

  test('are read by each other, also if every third frame is missed', () => {
    for (const isMissed of [() => false, (number: number) => number % 3 === 1]) {
      const contents = SIZES.map(([size]) => noise(size, 'lossy'));
      const shown = (frames: readonly string[]) =>
        frames.length > 8 ? frames.filter((_, i) => !isMissed(i + 1)) : frames;
      const ours = contents.map((content, i) => {
        const frames = encodeUr(content, { type: 'bytes', fragmentSize: SIZES[i]?.[1] ?? 100 });
        return shown(framesOf(frames, frames.count === 1 ? 1 : 6 * frames.count + 10));
      });
      expect(askPeers(ours.map((frames) => ['decodeUr', { frames }]))).toEqual(
        contents.map((content) => ({ type: 'bytes', hex: formatHex(content) })),
      );
      const theirs = askPeers<readonly string[]>(
        contents.map((content, i) => [
          'encodeUr',
          { type: 'bytes', hex: formatHex(content), fragmentSize: SIZES[i]?.[1], count: (ours[i]?.length ?? 0) * 2 },
        ]),
      );
      expect(theirs.map((frames) => formatHex(scan(shown(frames)).content))).toEqual(contents.map(formatHex));
    }
  });

  test('of PSBTs are what Keystone’s registry reads', () => {
    const psbt = encodePsbt(payment(['wpkh', 'tr', 'multi']));
    const frames = encodeUr(psbt, { fragmentSize: 120 });
    expect(askPeers([['readPsbt', { frames: framesOf(frames, frames.count) }]])).toEqual([formatHex(psbt)]);
  });
});

describe('BBQr', () => {
  const text = new TextEncoder().encode('{"a":[1,2,3]}'.repeat(300));
  const contents = [encodePsbt(payment(Array(12).fill('wpkh'))), text, noise(3000), noise(1)];

  test.each(['H', '2', 'Z'])('of bbqr is read: encoding %s', (encoding) => {
    const options = { encoding, maxVersion: 12, minSplit: 1 };
    const made = askPeers<{ readonly parts: readonly string[]; readonly encoding: string }>(
      contents.map((content) => ['encodeBbqr', { hex: formatHex(content), fileType: 'P', options }]),
    );
    expect(made[0]?.parts.length).toBeGreaterThan(3);
    expect(made[0]?.encoding).toBe(encoding);
    expect(made.map(({ parts }) => scan([...parts].reverse()))).toEqual(
      contents.map((content) => ({ format: 'bbqr', type: 'psbt', content })),
    );
  });

  test('of ours is read by bbqr', () => {
    const letters = { psbt: 'P', transaction: 'T', json: 'J', text: 'U', binary: 'B' } as const;
    for (const type of ['psbt', 'transaction', 'json', 'text', 'binary'] as const) {
      const ours = contents.map((content) => encodeBbqr(content, { type, frameSize: 400 }));
      const read = askPeers<object>(ours.map((frames) => ['decodeBbqr', { frames }]));
      expect(read).toEqual(
        contents.map((content, i) => ({
          fileType: letters[type],
          encoding: ours[i]?.[0]?.charAt(2),
          hex: formatHex(content),
        })),
      );
    }
  });

  test('has the frames of bbqr: the only one, and the same text in all where nothing is compressed', () => {
    const kept = [1, 20, 200, 1000, 3000, 9001].map((size) => noise(size, 'kept'));
    const options = { encoding: '2', minVersion: 10, maxVersion: 10 };
    const made = askPeers<{ readonly parts: readonly string[] }>(
      kept.map((content) => ['encodeBbqr', { hex: formatHex(content), fileType: 'P', options }]),
    );
    // A code of version 10 holds 395 capital letters.
    const ours = kept.map((content) => encodeBbqr(content, { frameSize: 395 }));
    // The specification leaves open how long frames are: bbqr fills all but the last, ours are even.
    const whole = (frames: readonly string[]): readonly (string | number)[] => [
      frames.length,
      ...new Set(frames.map((frame) => frame.slice(0, 6))),
      frames.length === 1 ? (frames[0] ?? '') : frames.map((frame) => frame.slice(8)).join(''),
    ];
    expect(ours.map(whole)).toEqual(made.map(({ parts }) => whole(parts)));
    expect(ours.map((frames) => frames.length)).toEqual([1, 1, 1, 5, 13, 38]);
  });
});

const XPUBS = [
  'xpub6CnQkivUEH9bSbWVWfDLCtigKKgnSWGaVSRyCbN2QNBJzuvHT1vUQpgSpY1NiVvoeNEuVwk748Cn9G3NtbQB1aGGsEL7aYEnjVWgjj9tefu',
  'xpub6CtR1iF4dZPkEyXDwVf3HE74tSwXNMcHtBzX4gwz2UnPhJ54Jz5unHx2syYCCDkvVUmsmoYTmcaHXe1wJppvct4GMMaN5XAbRk7yGScRSte',
  'xpub6BkU445MSEBXbPjD3g2c2ch6mn8yy1SXXQUM7EwjgYiq6Wt1NDwDZ45npqWcV8uQC5oi2gHuVukoCoZZyT4HKq8EpotPMqGqxdZRuapCQ23',
] as const;
const PURPOSES = [44, 49, 84] as const;
const [FIRST, SECOND, THIRD] = XPUBS.map((xpub, i) => `[37b5eed4/${PURPOSES[i]}h/0h/0h]${xpub}`);
const CHAINS = '/<0;1>/*';

/** What a library must find of a key. */
const keyAt = (i: 0 | 1 | 2, children?: string): object => {
  const { publicKey, chainCode } = parseExtendedKey(XPUBS[i], networks.main);
  return {
    key: formatHex(publicKey),
    chainCode: formatHex(chainCode),
    fingerprint: '37b5eed4',
    path: `${PURPOSES[i]}'/0'/0'`,
    ...(children !== undefined && { children }),
    isTest: false,
  };
};

const HARDENED = true;
/** What a library needs to write a key. */
const partsAt = (i: 0 | 1 | 2, children?: readonly (readonly [number | null, boolean])[]): object => {
  const { publicKey, chainCode, parentFingerprint } = parseExtendedKey(XPUBS[i], networks.main);
  return {
    key: formatHex(publicKey),
    chainCode: formatHex(chainCode),
    parent: formatHex(parentFingerprint),
    fingerprint: '37b5eed4',
    steps: [PURPOSES[i], 0, 0].map((step) => [step, HARDENED]),
    ...(children && { children }),
  };
};

interface OutputCase {
  readonly descriptor: string;
  /** As the library names its functions. */
  readonly scripts: readonly string[];
  readonly names: readonly string[];
  readonly required?: number;
  readonly found: readonly object[];
  readonly keys: readonly object[];
}

const RECEIVE = [
  [0, false],
  [null, false],
] as const;
const OUTPUTS: readonly OutputCase[] = [
  {
    descriptor: `wpkh(${FIRST}${CHAINS})`,
    scripts: ['WITNESS_PUBLIC_KEY_HASH'],
    names: ['wpkh'],
    found: [keyAt(0)],
    keys: [partsAt(0)],
  },
  {
    descriptor: `sh(wpkh(${SECOND}${CHAINS}))`,
    scripts: ['SCRIPT_HASH', 'WITNESS_PUBLIC_KEY_HASH'],
    names: ['sh', 'wpkh'],
    found: [keyAt(1)],
    keys: [partsAt(1)],
  },
  {
    descriptor: `pkh(${THIRD}/0/*)`,
    scripts: ['PUBLIC_KEY_HASH'],
    names: ['pkh'],
    found: [keyAt(2, '0/*')],
    keys: [partsAt(2, RECEIVE)],
  },
  {
    descriptor: `wsh(sortedmulti(2,${FIRST}${CHAINS},${SECOND}${CHAINS},${THIRD}${CHAINS}))`,
    scripts: ['WITNESS_SCRIPT_HASH', 'SORTED_MULTISIG'],
    names: ['wsh', 'sortedmulti'],
    required: 2,
    found: [keyAt(0), keyAt(1), keyAt(2)],
    keys: [partsAt(0), partsAt(1), partsAt(2)],
  },
  {
    descriptor: `sh(wsh(multi(1,${FIRST}/0/*,${SECOND}/0/*)))`,
    scripts: ['SCRIPT_HASH', 'WITNESS_SCRIPT_HASH', 'MULTISIG'],
    names: ['sh', 'wsh', 'multi'],
    required: 1,
    found: [keyAt(0, '0/*'), keyAt(1, '0/*')],
    keys: [partsAt(0, RECEIVE), partsAt(1, RECEIVE)],
  },
];

const walletOf = (frames: readonly string[]) => {
  const { type, content } = scan(frames);
  return { type, ...decodeWalletUr(type, content) };
};

describe('wallets', () => {
  test('as crypto-output are what Keystone’s registry reads, and read from it', () => {
    const read = askPeers(
      OUTPUTS.map(({ descriptor }) => {
        const frames = encodeDescriptorUr(descriptor, { fragmentSize: 80 });
        return ['readOutput', { frames: framesOf(frames, frames.count) }];
      }),
    );
    expect(read).toEqual(
      OUTPUTS.map(({ names, required, found }) => ({ scripts: names, ...(required && { required }), keys: found })),
    );
    const written = askPeers<string>(OUTPUTS.map((output) => ['encodeOutput', { output }]));
    expect(written.map((frame) => walletOf([frame]))).toMatchObject(
      OUTPUTS.map(({ descriptor }) => ({
        type: 'crypto-output',
        descriptors: [descriptor],
        keys: [],
        networks: ['main'],
      })),
    );
  });

  test('as crypto-account are what Keystone’s registry reads, and read from it', () => {
    const accounts = OUTPUTS.slice(0, 2);
    const { count, frame } = encodeAccountUr(
      accounts.map(({ descriptor }) => descriptor),
      { fragmentSize: 100 },
    );
    const frames = framesOf({ count, frame }, count);
    const outputs = accounts.map(({ names, found }) => ({ scripts: names, keys: found }));
    expect(askPeers([['readAccount', { frames }]])).toEqual([{ fingerprint: '37b5eed4', outputs }]);
    const [written = ''] = askPeers<string>([['encodeAccount', { fingerprint: '37b5eed4', outputs: accounts }]]);
    expect(walletOf([written])).toMatchObject({
      type: 'crypto-account',
      descriptors: accounts.map(({ descriptor }) => descriptor),
    });
  });

  test('of test networks are told apart by both', () => {
    const test = { ...OUTPUTS[0], keys: [{ ...partsAt(0), isTest: true }] };
    const [written = ''] = askPeers<string>([['encodeOutput', { output: test }]]);
    const { descriptors: [descriptor = ''] = [], networks: found } = walletOf([written]);
    expect([found?.[0], descriptor.startsWith('wpkh([37b5eed4/44h/0h/0h]tpub')]).toEqual(['testnet3', true]);
    const { frame } = encodeDescriptorUr(descriptor, { fragmentSize: 2000 });
    expect(askPeers([['readOutput', { frames: [frame(1)] }]])).toMatchObject([{ keys: [{ isTest: true }] }]);
  });
});
