import { describe, expect, test } from 'vitest';
import { toJsonValue } from '../../../src/answers/json/jsonValue.ts';
import { withControls } from '../../../src/shell/server/controls.ts';
import { createNodeRpc, type DialectName, RpcError } from '../../support/library.ts';

function serverOf(dialect: DialectName): {
  readonly ask: (name: string, ...params: unknown[]) => unknown;
  stopped: number;
} {
  const random = (size: number): Uint8Array => new Uint8Array(size);
  const server = { ask: (name: string, ...params: unknown[]) => rpc.callJson(name, toJsonValue(params)), stopped: 0 };
  const rpc = withControls(createNodeRpc({ dialect, clock: () => 0, random }), () => {
    server.stopped += 1;
  });
  return server;
}

const namesIn = (text: unknown): readonly string[] =>
  String(text)
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');

describe('help', () => {
  test("lists the dialect's methods, including help and stop", () => {
    const [old, modern] = (['core-0.21', 'core-32'] as const).map((name) => namesIn(serverOf(name).ask('help')));
    expect(old).toEqual(expect.arrayContaining(['decodepsbt', 'listunspent', 'importmulti', 'help', 'stop']));
    expect(old).not.toContain('listdescriptors');
    expect(modern).toContain('listdescriptors');
    expect(modern).not.toContain('importmulti');
  });

  test('returns the help of a known method', () => {
    const { ask } = serverOf('core-32');
    expect(ask('help', 'getblockhash')).toMatch(/^getblockhash height\n\nReturns the hash/);
    expect(ask('help', 'help')).toMatch(/^help \( "command" \)\n/);
    for (const name of ['importmulti', 'nothing']) expect(ask('help', name)).toBe(`help: unknown command: ${name}`);
    expect(() => ask('help', 1)).toThrow(RpcError);
  });
});

test('stop stops the server, unless its arguments are wrong', () => {
  const server = serverOf('core-0.21');
  expect(() => server.ask('stop', 1)).toThrow('Stops the server');
  expect(server.stopped).toBe(0);
  expect(server.ask('stop')).toBe('Countersign stopping');
  expect(server.stopped).toBe(1);
});

test('other methods are passed on to the node', () => {
  expect(serverOf('core-32').ask('getblockcount')).toBe(0);
  expect(() => serverOf('core-32').ask('nothing')).toThrow('Method not found');
});
