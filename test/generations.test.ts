import { beforeAll, describe, expect, test, vi } from 'vitest';
import { GENERATIONS } from '../src/generations.ts';

/** A generation and a dialect that exist only here: what they do not change must be that of Core 31. */
vi.mock('../src/generations.ts', async (original) => {
  const module = await original<typeof import('../src/generations.ts')>();
  (module.GENERATIONS as unknown as string[]).push('core-32');
  return module;
});
vi.mock('../src/rpc/dialectNames.ts', async (original) => {
  const module = await original<typeof import('../src/rpc/dialectNames.ts')>();
  Object.assign(module.BASES, { 'core-32': 'core-31' });
  return module;
});

const { blocksAfter, GENESIS } = await import('./support/blocks.ts');
const { byGeneration, isSince } = await import('../src/generations.ts');
const { dialects } = await import('../src/rpc/dialect.ts');
const { walletMethodRules } = await import('../src/rpc/wallet/walletMethodRules.ts');
const { method } = await import('../src/rpc/method.ts');
const { bool, optional, string } = await import('../src/rpc/parameters.ts');
const { callMethod } = await import('../src/rpc/params.ts');
const { createRpc, createNodeRpc } = await import('../src/rpc/index.ts');
const { toJsonValue } = await import('../src/rpc/json/jsonValue.ts');

const NEW = 'core-32' as unknown as 'core-31';

beforeAll(() => {
  Object.assign(dialects[NEW], { name: NEW, generation: NEW });
  Object.assign(walletMethodRules[NEW], { severalWallets: 'Name one of your wallets.' });
});

test('a generation can be added', () => {
  expect(GENERATIONS).toEqual(['core-0.21', 'core-31', NEW]);
});

describe('rules by generation', () => {
  const rules = byGeneration({ 'core-0.21': { a: 1, b: 1, c: 1 }, 'core-31': { b: 2 } });

  test('are those of the generation before, but for what a generation changes', () => {
    expect(rules['core-0.21']).toEqual({ a: 1, b: 1, c: 1 });
    expect(rules['core-31']).toEqual({ a: 1, b: 2, c: 1 });
    expect(rules[NEW]).toEqual(rules['core-31']);
  });

  test('have an order: what came with one generation stays in the later ones', () => {
    const since = ['core-0.21', 'core-31', NEW].map((name) => isSince(name as 'core-31', 'core-31'));
    expect(since).toEqual([false, true, true]);
    expect(isSince('core-0.21')).toBe(true);
  });
});

describe('a generation that changes one rule and one parameter', () => {
  const greet = method({
    name: 'greet',
    about: 'Greets.',
    params: [string('name', 'whom'), optional(bool('loudly', 'whether to shout', { since: NEW }), false)],
    examples: ['greet world'],
    run: ({ name, loudly }) => (loudly ? `HELLO, ${name}!` : `hello, ${name}`),
  });
  const answer = (dialect: 'core-31', params: unknown): unknown => {
    try {
      return callMethod(greet, toJsonValue(params), createRpc({ dialect }).context);
    } catch (error) {
      return (error as Error).message.split('\n')[0];
    }
  };

  test('has its parameter, and those of the generations before', () => {
    expect(answer(NEW, { name: 'world', loudly: true })).toBe('HELLO, world!');
    expect(answer('core-31', { name: 'world', loudly: true })).toBe('Unknown named parameter loudly');
    expect(answer('core-31', ['world', true])).toBe('greet "name"');
    const { call } = createRpc({ dialect: NEW });
    expect(call('createrawtransaction', { inputs: [], outputs: [], version: 3 })).toBe('03000000000000000000');
  });

  test('makes wallets and takes blocks as the generation before, but for its rule', () => {
    const nodes = (['core-31', NEW] as const).map((dialect) =>
      createNodeRpc({
        network: 'regtest',
        dialect,
        clock: () => 1_750_000_000,
        random: (size) => new Uint8Array(size).fill(7),
      }),
    );
    const address = nodes.map(({ call }) => {
      call('createwallet', ['w']);
      return call('getnewaddress');
    });
    expect(address[0]).toBe(address[1]);
    const [block] = blocksAfter(GENESIS, 1);
    expect(nodes.map(({ call }) => call('submitblock', [block?.hex ?? '']))).toEqual([null, null]);
    expect(nodes.map(({ call }) => call('getblockcount'))).toEqual([1, 1]);
    const texts = nodes.map(({ call }) => {
      call('createwallet', ['v']);
      try {
        return call('getwalletinfo');
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(texts[1]).toBe('Name one of your wallets.');
    expect(texts[0]).not.toBe(texts[1]);
  });
});
