import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { spend } from '../../support/blocks.ts';
import { someOf } from '../../support/corpus.ts';
import {
  createDeriver,
  createNodeRpc,
  descriptorChecksum,
  type Ecc,
  formatAddress,
  formatHex,
  formatXprv,
  masterKey,
  type NodeRpc,
  networks,
  parseDescriptor,
  parseHex,
} from '../../support/library.ts';
import { NOW, put } from '../../support/walletWorld.ts';

/** The file of derived scripts next to a journal only saves the time of deriving them again. */

const root = mkdtempSync(join(tmpdir(), 'countersign-derived-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A directory with a wallet; each test uses a copy. */
const original = join(root, 'original');
let directory = original;
let file: string;
let copies = 0;

/** Counts the computed key tweaks. */
interface Count {
  tweaks: number;
}

/** Opens the directory, runs `work` and closes it, like a separate process. */
function within<R>(work: (rpc: NodeRpc) => R, count: Count = { tweaks: 0 }): R {
  const ecc: Ecc = {
    ...nativeSecp256k1Ecc,
    tweakPublicKey: (publicKey, tweak) => {
      count.tweaks += 1;
      return nativeSecp256k1Ecc.tweakPublicKey(publicKey, tweak);
    },
  };
  const rpc = createNodeRpc({
    network: 'regtest',
    dialect: 'core-31',
    store: openStore(directory),
    clock: () => NOW,
    random: (size) => new Uint8Array(size).fill(1),
    ecc,
  });
  try {
    return work(rpc);
  } finally {
    rpc.close();
  }
}

const SIZE = 200;
const xprvOf = (i: number): string => formatXprv(masterKey(new Uint8Array(32).fill(i)), networks.regtest);
const TEXTS: readonly string[] = [`wpkh(${xprvOf(1)}/0/*)`, `tr(${xprvOf(2)}/0/*)`, `combo(${xprvOf(3)}/0/*)`];
const withSum = (text: string): string => `${text}#${descriptorChecksum(text)}`;

/** The last script of a descriptor at an index, in hex. */
function scriptAt(which: number, index: number): string {
  const descriptor = parseDescriptor(TEXTS[which] ?? '', networks.regtest);
  return formatHex(createDeriver(descriptor, nativeSecp256k1Ecc)(index).scriptPubKeys.at(-1) ?? new Uint8Array());
}

const addressAt = (which: number, index: number): string =>
  formatAddress(parseHex(scriptAt(which, index)), networks.regtest) ?? '';

function pay(rpc: NodeRpc, script: string, vout: number): void {
  const coin = { txid: new Uint8Array(32).fill(7) as Parameters<typeof spend>[0][0]['txid'], vout };
  put(rpc, { ...spend([coin]), outputs: [{ value: 10_000n, scriptPubKey: parseHex(script) }] });
}

/** Makes a wallet of ranged descriptors that owns two coins. */
function makeWallet(count: Count): void {
  within((rpc) => {
    rpc.call('createwallet', ['w', false, true]);
    // The wallet looks further ahead than the end of each range.
    const requests = TEXTS.map((text) => ({ desc: withSum(text), timestamp: 'now', range: [0, SIZE - 1] }));
    rpc.call('importdescriptors' as string, [requests]);
    pay(rpc, scriptAt(0, 5), 0);
    pay(rpc, scriptAt(1, 150), 1);
  }, count);
}

const made: Count = { tweaks: 0 };
beforeAll(() => makeWallet(made));
beforeEach(() => {
  directory = join(root, String(copies++));
  file = join(directory, 'derived');
  cpSync(original, directory, { recursive: true });
});

/** Answers that depend on which scripts are the wallet's. */
const answers = (count?: Count): string =>
  within(
    (rpc) =>
      JSON.stringify(
        [
          rpc.call('listunspent', [0]),
          rpc.call('listdescriptors'),
          rpc.call('getwalletinfo'),
          ...TEXTS.map((_, which) => rpc.call('getaddressinfo', [addressAt(which, 77)])),
        ],
        (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
      ),
    count,
  );

describe('a reopened wallet derives', () => {
  test('a few scripts of each descriptor, and all of them without the file', () => {
    expect(made.tweaks).toBeGreaterThan(1000 * TEXTS.length);
    const again: Count = { tweaks: 0 };
    within((rpc) => rpc.call('listunspent', [0]), again);
    // The steps to the range, its first and last index, and the listed coins.
    expect(again.tweaks).toBeLessThan(10 * TEXTS.length);
    const anew: Count = { tweaks: 0 };
    rmSync(file);
    within((rpc) => rpc.call('listunspent', [0]), anew);
    expect(anew.tweaks).toBeGreaterThan(1000 * TEXTS.length);
  });

  test('the scripts that a later payment added', () => {
    within((rpc) => pay(rpc, scriptAt(0, 900), 2));
    const again: Count = { tweaks: 0 };
    const listed = within((rpc) => rpc.call('listunspent', [0]) as readonly unknown[], again);
    expect(listed).toHaveLength(3);
    expect(again.tweaks).toBeLessThan(11 * TEXTS.length);
  });
});

describe('answers do not depend on the file:', () => {
  test('it may be absent', () => {
    const known = answers();
    expect(known).toContain('"desc"');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(file);
    expect(answers()).toBe(known);
    expect(existsSync(file)).toBe(true);
  });

  test('if damaged, truncated or of another format, it is replaced', () => {
    const known = answers();
    const whole = readFileSync(file);
    const damages = [0, 60, whole.length >> 1];
    const broken = damages.map((at) => Buffer.from(whole).fill((whole[at] ?? 0) ^ 1, at, at + 1));
    const cut = [5, whole.length - 1].map((size) => whole.subarray(0, size));
    const extended = Buffer.concat([whole, Buffer.from('x')]);
    const other = readFileSync(join(directory, 'journal'));
    for (const bytes of someOf([...broken, ...cut, extended, other])) {
      writeFileSync(file, bytes);
      expect(answers()).toBe(known);
      const again: Count = { tweaks: 0 };
      expect(answers(again)).toBe(known);
      expect(again.tweaks).toBeLessThan(20 * TEXTS.length);
    }
  });

  test('it may be older than the last changes, or of another wallet', () => {
    const early = readFileSync(file);
    within((rpc) => pay(rpc, scriptAt(0, 900), 2));
    const known = answers();
    writeFileSync(file, early);
    expect(answers()).toBe(known);
    rmSync(file);
    const store = openStore(directory);
    const another = { descriptor: withSum(TEXTS[0] ?? ''), first: 0, scripts: [[scriptAt(1, 0)]] };
    store.derivations?.append([JSON.stringify(another)]);
    store.close();
    expect(answers()).toBe(known);
  });

  test('wrong scripts are noticed at the first and last index', () => {
    const known = answers();
    const scripts = Array.from({ length: 1000 }, () => [`0014${'11'.repeat(20)}`]);
    for (const { desc } of descriptorsOf()) appendRun({ descriptor: desc, first: 0, scripts, isAnew: true });
    const first: Count = { tweaks: 0 };
    expect(answers(first)).toBe(known);
    expect(first.tweaks).toBeGreaterThan(1000 * TEXTS.length);
    const again: Count = { tweaks: 0 };
    expect(answers(again)).toBe(known);
    expect(again.tweaks).toBeLessThan(20 * TEXTS.length);
  });

  test('malformed entries are ignored', () => {
    const known = answers();
    const [{ desc } = { desc: '' }] = descriptorsOf();
    const store = openStore(directory);
    const runs = [
      null,
      1,
      {},
      { descriptor: desc, first: 0, scripts: 1 },
      { descriptor: desc, first: 0, scripts: [['0']] },
    ];
    const places = [-1, 0.5, 2 ** 31, 'x'].map((first) => ({ descriptor: desc, first, scripts: [['00']] }));
    store.derivations?.append(['', '{', ...[...runs, ...places].map((run) => JSON.stringify(run))]);
    store.close();
    const again: Count = { tweaks: 0 };
    expect(answers(again)).toBe(known);
    expect(again.tweaks).toBeLessThan(20 * TEXTS.length);
  });
});

/** Lists the wallet's descriptors. */
const descriptorsOf = (): readonly { readonly desc: string }[] =>
  within(
    (rpc) =>
      (rpc.call('listdescriptors') as { readonly descriptors: readonly { readonly desc: string }[] }).descriptors,
  );

function appendRun(run: unknown): void {
  const store = openStore(directory);
  expect([...(store.derivations?.read() ?? [])].length).toBeGreaterThan(0);
  store.derivations?.append([JSON.stringify(run)]);
  store.close();
}

test('a foreign script in the middle of the file is neither solvable nor attributed to a descriptor', () => {
  const foreign = `0014${'11'.repeat(20)}`;
  const desc = descriptorsOf().find((listed) => listed.desc.startsWith('wpkh('))?.desc;
  appendRun({ descriptor: desc, first: 500, scripts: [[foreign]] });
  const [coin] = within((rpc) => {
    pay(rpc, foreign, 9);
    return (rpc.call('listunspent', [0]) as readonly { readonly scriptPubKey: string }[]).filter(
      ({ scriptPubKey }) => scriptPubKey === foreign,
    );
  });
  expect(coin).toMatchObject({ solvable: false, parent_descs: [] });
  expect(coin).not.toHaveProperty('desc');
});

describe('the file of derived scripts', () => {
  test('is neither followed nor replaced if it is a link', () => {
    const known = answers();
    const target = join(directory, 'elsewhere');
    rmSync(file);
    writeFileSync(target, 'what another program keeps');
    symlinkSync(target, file);
    expect(answers()).toBe(known);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('what another program keeps');
  });

  test('is made private again if others may read it', () => {
    chmodSync(file, 0o644);
    answers();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is replaced without being read if it is too large', () => {
    const known = answers();
    truncateSync(file, 2 ** 30);
    expect(answers()).toBe(known);
    expect(statSync(file).size).toBeLessThan(2 ** 20);
  });

  test('holds no private key', () => {
    expect(readFileSync(file, 'utf8')).not.toContain('prv');
  });
});

test('wallets without ranged descriptors have no file of derived scripts', () => {
  directory = join(root, 'without ranges');
  within((rpc) => {
    rpc.call('createwallet', ['w', true, true]);
    rpc.call('importdescriptors', [[{ desc: withSum(`raw(51)`), timestamp: 'now' }]]);
  });
  expect(existsSync(join(directory, 'derived'))).toBe(false);
});
