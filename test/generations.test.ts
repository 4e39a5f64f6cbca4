import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byGeneration, GENERATIONS, isWithin } from '../src/core/generations.ts';
import { blocksAfter, GENESIS } from './support/blocks.ts';
import type { createNodeRpc, createRpc } from './support/library.ts';

describe('rules by generation', () => {
  test('are those of the generation before, but for what a generation changes', () => {
    const rules = byGeneration({ 'core-0.21': { a: 1, b: 1 }, 'core-30': { b: 2 } });
    expect(GENERATIONS.map((name) => rules[name].b)).toEqual([1, 1, 2, 2, 2]);
    expect(GENERATIONS.map((name) => rules[name].a)).toEqual([1, 1, 1, 1, 1]);
  });

  test('have an order: what came with one generation stays in the later ones, up to the last that has it', () => {
    expect(GENERATIONS.filter((name) => isWithin(name, { since: 'core-30', until: 'core-31' }))).toEqual([
      'core-30',
      'core-31',
    ]);
    expect(GENERATIONS.filter((name) => isWithin(name, {}))).toEqual(GENERATIONS);
  });
});

/** The lines that add a generation: its name, its dialect, one rule and one parameter that differ. */
const EDITS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'generations.ts': ["'core-32'] as const", "'core-32', 'core-33'] as const"],
  'dialectNames.ts': ["'core-32': 'core-31',", "'core-32': 'core-31',\n  'core-33': 'core-32',"],
  'dialect.ts': [
    'byDialect<Dialect>({',
    "byDialect<Dialect>({\n  'core-33': { name: 'core-33', generation: 'core-33' },",
  ],
  'walletMethodRules.ts': [
    'byGeneration<WalletMethodRules>({',
    "byGeneration<WalletMethodRules>({\n  'core-33': { severalWallets: 'Name one of your wallets.' },",
  ],
  'constructTransaction.ts': ["since: 'core-30'", "since: 'core-33'"],
};

describe('a generation that is added by a few lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-generation-'));
  const NEW = 'core-33' as 'core-32';
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
    // A build takes long on a busy machine.
  }, 60_000);
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
    const create = (dialect: 'core-32'): unknown =>
      tried(() => library.createRpc({ dialect }).call('createrawtransaction', { inputs: [], outputs: [], version: 3 }));
    expect(create('core-32')).toBe('Unknown named parameter version');
    expect(create(NEW)).toBe('03000000000000000000');
    const { call } = library.createRpc({ dialect: NEW });
    expect(call('converttopsbt', { hexstring: '02000000000000000000', psbt_version: 0 })).toBe(
      'cHNidP8BAAoCAAAAAAAAAAAAAA==',
    );
  });

  test('signs, takes blocks and makes wallets as the generation before, but for its rule', () => {
    const nodes = ['core-32' as const, NEW].map((dialect) =>
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
