import { describe, expect, expectTypeOf, test } from 'vitest';
import { allMethods } from '../../src/node/registry.ts';
import { type Recorded, readRecorded } from '../support/corpus.ts';
import { createRpc, type PsbtJson, type RpcAnswer } from '../support/library.ts';
import { typeErrors } from '../support/typecheck.ts';

describe('a call', () => {
  const { call } = createRpc({ network: 'regtest' });
  const PSBT = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';

  test('has the type of its answer, with arguments by position and by name', () => {
    const answer = call('decodepsbt', [PSBT]);
    expectTypeOf(answer).toEqualTypeOf<PsbtJson>();
    expect(answer.inputs).toHaveLength(1);
    expect(call('decodepsbt', { psbt: PSBT })).toEqual(answer);
    expectTypeOf(call('createpsbt', [[], {}])).toEqualTypeOf<string>();
  });

  test('by a name that only the running program knows answers any JSON', () => {
    const name: string = ['decode', 'psbt'].join('');
    const answer = call(name, [PSBT]);
    expectTypeOf(answer).toEqualTypeOf<RpcAnswer>();
    expect(answer).toEqual(call('decodepsbt', [PSBT]));
  });

  test('does not compile with a misspelt name or wrong arguments', () => {
    const lines = [
      "call('decodepsb', ['']);",
      "call('decodepsbt');",
      "call('decodepsbt', [1]);",
      "call('decodepsbt', ['', 1]);",
      "call('decodepsbt', { psb: '' });",
      "call('listunspent', ['0']);",
      "call('listunspent', { minconfs: 0 });",
      "call('signrawtransactionwithkey', { hexstring: '' });",
      "call('signrawtransactionwithkey', ['', [], null, 'SOME']);",
      "call('decodepsbt', ['']).nope;",
    ];
    const head = "import type { NodeRpc } from 'countersign/rpc';\ndeclare const { call }: NodeRpc;\n";
    const good = [
      "call('listunspent');",
      "call('listunspent', [null, null, ['address']], 'wallet');",
      "call('listunspent', { minconf: 0, maximumCount: 3 });",
      "call('signrawtransactionwithkey', { hexstring: '', privkeys: [] }).errors?.[0]?.hint;",
      "call('getbestblockhash').length;",
      "call('nope' as string, ['']);",
    ];
    const errors = typeErrors({ 'bad.ts': head + lines.join('\n'), 'good.ts': head + good.join('\n') });
    expect(errors.map((error) => error.split(':').slice(0, 2))).toEqual(lines.map((_, i) => ['bad.ts', String(i + 3)]));
  });
});

const FILES = ['core-32', 'litecoin-0.21'].flatMap((node) =>
  ['decode', 'sign', 'util', 'wallet-03'].map((part) => `${node}.${part}`),
);

/** Says which members an answer has, and of which types: one answer of each shape is enough. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.entries(value).map(([name, member]) => [/^[0-9a-f]*$/.test(name) ? '' : name, shapeOf(member)]);
}

test('the answers of real nodes have the types of the map, with no member more', () => {
  const known = new Set(allMethods().map(({ name }) => name));
  const shapes = new Map<string, Recorded>();
  for (const call of [...FILES, 'core-32.flow', 'core-32.rpc_psbt'].flatMap((file) => readRecorded(file, 'sample'))) {
    if (!known.has(call.method) || call.result === undefined || call.error) continue;
    shapes.set(`${call.method} ${JSON.stringify(shapeOf(call.result))}`, call);
  }
  expect(shapes.size).toBeGreaterThan(300);
  const answers = [...shapes.values()].map(
    ({ method, result }, i) => `export const a${i}: CallAnswer<RpcMethods, '${method}'> = ${JSON.stringify(result)};`,
  );
  expect(new Set([...shapes.values()].map(({ method }) => method)).size).toBeGreaterThan(30);
  const head = "import type { CallAnswer, RpcMethods } from 'countersign/rpc';\n";
  expect(typeErrors({ 'answers.ts': head + answers.join('\n') })).toEqual([]);
});
