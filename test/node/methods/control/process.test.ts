import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toJsonValue } from '../../../../src/answers/json/jsonValue.ts';
import { parseJson } from '../../../../src/answers/json/parseJson.ts';
import type { OpenRpcJson } from '../../../../src/node/methods/control/openRpc.ts';
import { openRpcDocument } from '../../../../src/node/openRpcDocument.ts';
import { shared } from '../../../support/corpus.ts';
import { createNodeRpc, type DialectName, RpcError, stringifyRpc } from '../../../support/library.ts';

function serverOf(dialect: DialectName): {
  readonly ask: (name: string, ...params: unknown[]) => unknown;
  stopped: number;
} {
  const random = (size: number): Uint8Array => new Uint8Array(size);
  const server = { ask: (name: string, ...params: unknown[]) => rpc.callJson(name, toJsonValue(params)), stopped: 0 };
  const onStop = (): void => {
    server.stopped += 1;
  };
  const rpc = createNodeRpc({ dialect, clock: () => 0, random, onStop });
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

  test.runIf(shared).each(['29', '30', '31', '32'] as const)(
    'lists no method that Core %s does not list',
    (release) => {
      const recorded = namesIn(readFileSync(join(shared ?? '', 'vectors', `help-${release}.txt`), 'utf8'));
      const listed = namesIn(serverOf(`core-${release}`).ask('help'));
      expect(listed.length).toBeGreaterThan(100);
      // The recorded nodes were built without ZeroMQ.
      expect(listed.filter((name) => !recorded.includes(name))).toEqual(['getzmqnotifications']);
    },
  );

  test('leaves out methods for tests and of ours, which have help', () => {
    const { ask } = serverOf('core-31');
    const listed = namesIn(ask('help'));
    for (const name of ['generatetoaddress', 'setmocktime', 'reviewpsbt']) {
      expect(listed).not.toContain(name);
      expect(ask('help', name)).toMatch(new RegExp(`^${name} `));
    }
    expect(namesIn(serverOf('core-0.21').ask('help'))).toContain('generatetoaddress');
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
  expect(() => server.ask('stop', 1, 2)).toThrow('Stops the server');
  expect(server.stopped).toBe(0);
  expect(server.ask('stop')).toBe('Bitcoin Core stopping');
  expect(server.stopped).toBe(1);
});

test('other methods are passed on to the node', () => {
  expect(serverOf('core-32').ask('getblockcount')).toBe(0);
  expect(() => serverOf('core-32').ask('nothing')).toThrow('Method not found');
});

describe('echo', () => {
  test('returns its arguments, with gaps as null', () => {
    const { ask } = serverOf('core-31');
    expect(ask('echo', 1, 'a', null, { b: [true] })).toEqual([1, 'a', null, { b: [true] }]);
    expect(ask('echojson')).toEqual([]);
    const rpc = createNodeRpc({ clock: () => 0, random: (size) => new Uint8Array(size) });
    expect(rpc.call('echo', { arg2: 5 })).toEqual([null, null, 5]);
    expect(stringifyRpc(rpc.callJson('echo', parseJson('[1.0,1e3,{"a":2.50}]') ?? { type: 'null' }))).toBe(
      '[1.0,1e3,{"a":2.50}]',
    );
  });
});

describe('logging', () => {
  test('switches the categories of the release', () => {
    const { ask } = serverOf('core-31');
    expect(ask('logging')).toMatchObject({ kernel: false, libevent: false });
    expect(ask('logging', ['net', 'zmq'], ['zmq'])).toMatchObject({ net: true, zmq: false });
    expect(ask('logging', ['all'])).toMatchObject({ rpc: true });
    expect(ask('logging', [], ['1'])).toMatchObject({ net: false });
    expect(() => ask('logging', ['mempool', 'nothing'])).toThrow('unknown logging category nothing');
    expect(ask('logging')).toMatchObject({ mempool: true });
    expect(serverOf('core-32').ask('logging', ['libevent'])).not.toHaveProperty('libevent');
    expect(() => serverOf('core-30').ask('logging', ['kernel'])).toThrow('unknown logging category kernel');
  });
});

test('getmemoryinfo tells of no locked memory, and refuses other modes', () => {
  const { ask } = serverOf('core-31');
  expect(ask('getmemoryinfo')).toMatchObject({ locked: { used: 0, locked: 0 } });
  expect(() => ask('getmemoryinfo', 'mallocinfo')).toThrow('mallocinfo mode not available');
  expect(() => ask('getmemoryinfo', 'all')).toThrow('unknown mode all');
});

describe('getopenrpcinfo', () => {
  test('describes the methods of the release', () => {
    const { ask } = serverOf('core-32');
    const all = ask('getopenrpcinfo', true) as OpenRpcJson;
    const shown = ask('rpc.discover') as OpenRpcJson;
    expect(ask('getopenrpcinfo')).toEqual(shown);
    const names = (document: OpenRpcJson): readonly string[] => document.methods.map(({ name }) => name);
    expect(names(all).filter((name) => !names(shown).includes(name))).toEqual([
      'echo',
      'echojson',
      'generate',
      'generateblock',
      'generatetoaddress',
      'generatetodescriptor',
      'getmempoolfeeratediagram',
      'invalidateblock',
      'mockscheduler',
      'reconsiderblock',
      'setmocktime',
      'syncwithvalidationinterfacequeue',
    ]);
    expect(names(all)).not.toContain('dumpprivkey');
    const hash = shown.methods.find(({ name }) => name === 'getblockhash');
    expect(hash).toEqual({
      name: 'getblockhash',
      description: 'Returns the hash of the block at a height of the chain.',
      params: [{ name: 'height', required: true, schema: { type: 'number' }, description: 'the height of the block' }],
      result: { name: 'result', schema: { type: 'string', pattern: '^[0-9a-fA-F]+$', description: 'the hash' } },
      'x-bitcoin-category': 'blockchain',
    });
    expect(() => serverOf('core-31').ask('getopenrpcinfo')).toThrow('Method not found');
  });

  test('describes the answers of a release with its members', () => {
    const schemaIn = (dialect: DialectName): string => {
      const { methods } = openRpcDocument(dialect);
      return JSON.stringify(methods.find(({ name }) => name === 'decodepsbt')?.result.schema);
    };
    expect(schemaIn('core-29')).not.toContain('musig2_pubnonces');
    expect(schemaIn('core-31')).toContain('musig2_pubnonces');
    expect(schemaIn('core-31')).not.toContain('tx_version');
    expect(schemaIn('core-32')).toContain('"tx_version":{"type":"number"');
  });
});
