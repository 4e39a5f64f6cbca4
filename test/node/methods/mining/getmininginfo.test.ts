import { describe, expect, test } from 'vitest';
import { spend } from '../../../support/blocks.ts';
import { openNode, rpcFault } from '../../../support/feeding.ts';
import { coinOf, openMature } from '../../../support/funded.ts';
import {
  createMemoryStore,
  type DialectName,
  encodeTransaction,
  formatHex,
  type NodeRpc,
  networks,
  stringifyRpc,
} from '../../../support/library.ts';

const TIME = 1_700_000_000;
const DIFFICULTY = '4.656542373906925e-10';
const TARGET = `7fffff${'00'.repeat(29)}`;

/** Opens a node that has mined blocks with its clock standing still. */
function open(dialect: DialectName, count = 0): NodeRpc {
  const rpc = openNode(createMemoryStore(), dialect, { clock: () => TIME });
  if (count > 0) rpc.call('generatetodescriptor', [count, 'raw(51)']);
  return rpc;
}

const printed = (rpc: NodeRpc, method: string): string => stringifyRpc(rpc.call(method, []));

describe('getmininginfo', () => {
  const next = (height: number): string =>
    `"next":{"height":${height},"bits":"207fffff","difficulty":${DIFFICULTY},"target":"${TARGET}"}`;

  test('has the members of the release, in their order', () => {
    const made = (weight: number): string => `"blocks":20,"currentblockweight":${weight},"currentblocktx":0,`;
    const rate = '"networkhashps":9.917894634880929e-08,"pooledtx":0,';
    const target = `"bits":"207fffff","difficulty":${DIFFICULTY},"target":"${TARGET}",`;
    expect(printed(open('core-0.21', 20), 'getmininginfo')).toBe(
      `{${made(4000)}"difficulty":${DIFFICULTY},${rate}"chain":"regtest","warnings":""}`,
    );
    expect(printed(open('core-29', 20), 'getmininginfo')).toBe(
      `{${made(8000)}${target}${rate}"chain":"regtest",${next(21)},"warnings":[]}`,
    );
    for (const dialect of ['core-30', 'core-31', 'core-32'] as const) {
      expect(printed(open(dialect, 20), 'getmininginfo')).toBe(
        `{${made(8000)}${target}${rate}"blockmintxfee":0.00000001,"chain":"regtest",${next(21)},"warnings":[]}`,
      );
    }
  });

  test('tells of the last block that was made, by whatever method, until the node is opened anew', () => {
    const rpc = openMature('core-31');
    const lastMade = (): unknown => {
      const { currentblockweight: weight, currentblocktx: count } = rpc.call('getmininginfo');
      return [weight, count];
    };
    expect(lastMade()).toEqual([undefined, undefined]);
    rpc.call('sendrawtransaction', [formatHex(encodeTransaction(spend([coinOf(1)]))), 0]);
    rpc.call('getblocktemplate', [{ rules: ['segwit'] }]);
    // One input and one output: 61 bytes.
    expect(lastMade()).toEqual([8000 + 4 * 61, 1]);
    rpc.call('generateblock', ['raw(51)', [], false]);
    expect(lastMade()).toEqual([8000, 0]);
  });

  test('shows the options of the node, and the challenge of a signet', () => {
    const rpc = openNode(createMemoryStore(), 'core-31', {
      blockmintxfee: 2500,
      network: { ...networks.signet, signetChallenge: '51' },
      clock: () => TIME,
    });
    expect(rpc.call('getmininginfo')).toMatchObject({
      ...{ blocks: 0, blockmintxfee: 0.000025, chain: 'signet', signet_challenge: '51' },
      next: { height: 1, bits: '1e0377ae' },
    });
    expect(printed(rpc, 'getmininginfo')).toContain('"blockmintxfee":0.00002500,');
  });
});

describe('getnetworkhashps', () => {
  test('divides the work of blocks by the time that they took, with 16 digits', () => {
    const [short, long] = [open('core-31', 20), open('core-31', 500)];
    for (const form of ['text', 'printable'] as const) {
      const text = (rpc: NodeRpc): string =>
        stringifyRpc(rpc.callJson('getnetworkhashps', { type: 'array', items: [] }, undefined, form));
      expect([text(short), text(long)]).toEqual(['9.917894634880929e-08', '12']);
    }
    expect(short.call('getnetworkhashps')).toBe(9.917894634880929e-8);
    // Blocks 11 to 20 were made within two seconds.
    expect(short.call('getnetworkhashps', [9])).toBe(9);
    expect(short.call('getnetworkhashps', [1, 12])).toBe(0);
    expect(short.call('getnetworkhashps', [120, 0])).toBe(0);
  });

  test('counts from the last change of difficulty for -1, every 144 blocks', () => {
    const rpc = open('core-31', 300);
    const since = (height: number): number => rpc.call('getnetworkhashps', [-1, height]);
    // Block 290 is the third of its period, and counts three blocks.
    expect(since(290)).toBe(rpc.call('getnetworkhashps', [3, 290]));
    expect(since(287)).toBe(rpc.call('getnetworkhashps', [144, 287]));
    expect(since(10)).toBe(rpc.call('getnetworkhashps', [11, 10]));
  });

  test('refuses other numbers, 0.21 none', () => {
    const [old, core] = [open('core-0.21', 20), open('core-29', 20)];
    const blocks = { code: -8, message: 'Invalid nblocks. Must be a positive number or -1.' };
    const height = { code: -8, message: 'Block does not exist at specified height' };
    for (const [params, fault] of [
      [[0], blocks],
      [[-2, 99], blocks],
      [[1, -2], height],
      [[1, 21], height],
    ] as const) {
      expect(rpcFault(() => core.call('getnetworkhashps', params))).toMatchObject(fault);
      expect(old.call('getnetworkhashps', params)).toBeGreaterThanOrEqual(0);
    }
    expect(old.call('getnetworkhashps', [5, 21])).toBe(old.call('getnetworkhashps', [5]));
    expect(rpcFault(() => core.call('getnetworkhashps' as string, ['5']))).toMatchObject({
      code: -3,
      message: expect.stringContaining(
        '"Position 1 (nblocks)": "JSON value of type string is not of expected type number"',
      ),
    });
  });
});
