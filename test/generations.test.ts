import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byGeneration, isSince } from '../src/core/generations.ts';
import { blocksAfter, GENESIS } from './support/blocks.ts';
import type { createNodeRpc, createRpc } from './support/library.ts';

describe('rules by generation', () => {
  test('are those of the generation before, but for what a generation changes', () => {
    const rules = byGeneration({ 'core-0.21': { a: 1, b: 1 }, 'core-31': { b: 2 } });
    expect(rules).toEqual({ 'core-0.21': { a: 1, b: 1 }, 'core-31': { a: 1, b: 2 } });
    expect(byGeneration({ 'core-0.21': { a: 1 } })['core-31']).toEqual({ a: 1 });
  });

  test('have an order: what came with one generation stays in the later ones', () => {
    expect([isSince('core-0.21', 'core-31'), isSince('core-31', 'core-31')]).toEqual([false, true]);
  });
});

/** The lines that add a generation: its name, its dialect, one rule and one parameter that differ. */
const EDITS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'generations.ts': ["'core-31'] as const", "'core-31', 'core-32'] as const"],
  'dialectNames.ts': ["'core-31': 'core-0.21',", "'core-31': 'core-0.21',\n  'core-32': 'core-31',"],
  'dialect.ts': [
    'byDialect<Dialect>({',
    "byDialect<Dialect>({\n  'core-32': { name: 'core-32', generation: 'core-32' },",
  ],
  'walletMethodRules.ts': [
    'byGeneration<WalletMethodRules>({',
    "byGeneration<WalletMethodRules>({\n  'core-32': { severalWallets: 'Name one of your wallets.' },",
  ],
  'psbtVersion.ts': ["since: 'core-31'", "since: 'core-32'"],
};

describe('a generation that is added by a few lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-generation-'));
  const NEW = 'core-32' as 'core-31';
  let library: { readonly createRpc: typeof createRpc; readonly createNodeRpc: typeof createNodeRpc };

  beforeAll(async () => {
    const edited: string[] = [];
    const { outputFiles } = await build({
      entryPoints: ['src/rpc.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      plugins: [
        {
          name: 'new-generation',
          setup: ({ onLoad }) =>
            onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
              const text = readFileSync(path, 'utf8');
              const [before, after] = EDITS[basename(path)] ?? [];
              if (before === undefined || after === undefined) return { contents: text, loader: 'ts' };
              expect(text.split(before)).toHaveLength(2);
              edited.push(basename(path));
              return { contents: text.replace(before, after), loader: 'ts' };
            }),
        },
      ],
    });
    expect(edited.sort()).toEqual(Object.keys(EDITS).sort());
    const file = join(folder, 'library.mjs');
    writeFileSync(file, outputFiles[0]?.contents ?? '');
    library = await import(pathToFileURL(file).href);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns an answer, or the first line of the error. */
  const tried = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return (error as Error).message.split('\n')[0];
    }
  };

  test('has its parameter, and those of the generations before', () => {
    const convert = (dialect: 'core-31'): unknown =>
      tried(() =>
        library.createRpc({ dialect }).call('converttopsbt', { hexstring: '02000000000000000000', psbt_version: 0 }),
      );
    expect(convert('core-31')).toBe('Unknown named parameter psbt_version');
    expect(convert(NEW)).toBe('cHNidP8BAAoCAAAAAAAAAAAAAA==');
    const { call } = library.createRpc({ dialect: NEW });
    expect(call('createrawtransaction', { inputs: [], outputs: [], version: 3 })).toBe('03000000000000000000');
  });

  test('signs, takes blocks and makes wallets as the generation before, but for its rule', () => {
    const nodes = ['core-31' as const, NEW].map((dialect) =>
      library.createNodeRpc({
        network: 'regtest',
        dialect,
        clock: () => 1_750_000_000,
        random: (size) => new Uint8Array(size).fill(7),
      }),
    );
    const each = <T>(ask: (call: (typeof nodes)[number]['call']) => T): readonly T[] =>
      nodes.map(({ call }) => ask(call));
    each((call) => call('createwallet', ['w']));
    const [address, same] = each((call) => call('getnewaddress'));
    expect(address).toBe(same);
    const [block] = blocksAfter(GENESIS, 1);
    expect(each((call) => call('submitblock', [block?.hex ?? '']))).toEqual([null, null]);
    expect(each((call) => call('getblockcount'))).toEqual([1, 1]);
    const raw = each((call) =>
      call('createrawtransaction', [[{ txid: '11'.repeat(32), vout: 0 }], { [address ?? '']: 0.5 }]),
    );
    const [signed, alike] = each((call) =>
      call('signrawtransactionwithwallet', [
        raw[0] ?? '',
        [
          {
            txid: '11'.repeat(32),
            vout: 0,
            scriptPubKey: call('getaddressinfo', [address ?? '']).scriptPubKey,
            amount: 1,
          },
        ],
      ]),
    );
    expect(signed?.complete).toBe(true);
    expect(alike).toEqual(signed);
    const texts = each((call) => {
      call('createwallet', ['v']);
      return tried(() => call('getwalletinfo'));
    });
    expect(texts[0]).toMatch(/^Multiple wallets are loaded|^Wallet file not specified/);
    expect(texts[1]).toBe('Name one of your wallets.');
  });
});
