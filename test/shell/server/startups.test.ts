import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS } from '../../support/blocks.ts';
import { type RunningServe, startServe } from '../../support/server.ts';

/** Replays what known programs ask of a node when they start and when they make a first payment. */

const TPUB =
  'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';
/** The receive and change descriptors of a hardware wallet, with their checksums filled in by `getdescriptorinfo`. */
const RECEIVE = `wpkh([d34db33f/84h/1h/0h]${TPUB}/0/*)`;
const CHANGE = `wpkh([d34db33f/84h/1h/0h]${TPUB}/1/*)`;
const MINED = blockAfter(GENESIS);

interface Call {
  readonly method: string;
  readonly params?: unknown;
  readonly wallet?: string;
}

const importsOf = (...descriptors: readonly string[]): object[] =>
  descriptors.map((desc) => ({
    desc,
    range: [0, 1000],
    timestamp: 'now',
    keypool: true,
    active: true,
    watchonly: true,
    internal: desc !== descriptors[0],
  }));

/** Specter Desktop checks the node, then makes a watching wallet and looks at its history. */
const specter = (receive: string, change: string): readonly Call[] => [
  { method: 'getblockchaininfo' },
  { method: 'getnetworkinfo' },
  { method: 'getmempoolinfo' },
  { method: 'uptime' },
  { method: 'getblockhash', params: [0] },
  { method: 'scantxoutset', params: ['status', []] },
  { method: 'listwallets' },
  { method: 'listwalletdir' },
  { method: 'createwallet', params: ['specter/hot', true, true, '', false, true] },
  { method: 'importdescriptors', params: [importsOf(receive, change)], wallet: 'specter/hot' },
  { method: 'getwalletinfo', wallet: 'specter/hot' },
  { method: 'getbalances', wallet: 'specter/hot' },
  { method: 'listtransactions', params: ['*', 1000, 0, true], wallet: 'specter/hot' },
  { method: 'listunspent', params: [0], wallet: 'specter/hot' },
  { method: 'listlockunspent', wallet: 'specter/hot' },
  { method: 'estimatesmartfee', params: [6] },
];

/** HWI's manual makes a watching wallet for a device, takes an address, and builds a PSBT for the device. */
const hardwareWallet = (receive: string, change: string): readonly Call[] => [
  { method: 'createwallet', params: { wallet_name: 'device', disable_private_keys: true, blank: true } },
  { method: 'importdescriptors', params: [importsOf(receive, change)], wallet: 'device' },
  { method: 'rescanblockchain', params: [0], wallet: 'device' },
  { method: 'getnewaddress', params: ['', 'bech32'], wallet: 'device' },
  { method: 'getrawchangeaddress', params: ['bech32'], wallet: 'device' },
  { method: 'listunspent', wallet: 'device' },
  { method: 'getbalances', wallet: 'device' },
];

/** Sparrow watches wallets through one wallet of the node, and asks for new blocks and the mempool. */
const sparrow = (receive: string, change: string): readonly Call[] => [
  { method: 'getnetworkinfo' },
  { method: 'getblockchaininfo' },
  { method: 'listwalletdir' },
  { method: 'listwallets' },
  { method: 'createwallet', params: ['cormorant', true, true, '', true, true] },
  { method: 'getindexinfo', params: ['txindex'] },
  { method: 'listdescriptors', params: [false], wallet: 'cormorant' },
  { method: 'importdescriptors', params: [importsOf(receive, change)], wallet: 'cormorant' },
  { method: 'listsinceblock', params: [MINED.hash, 1, true, true, true], wallet: 'cormorant' },
  { method: 'getbestblockhash' },
  { method: 'getblockheader', params: [MINED.hash] },
  { method: 'getmempoolinfo' },
  { method: 'getrawmempool', params: { verbose: true } },
  { method: 'estimatesmartfee', params: [2, 'conservative'] },
  { method: 'unloadwallet', params: { wallet_name: 'cormorant', load_on_startup: false } },
];

/** A lightning node with a bitcoind back end reads blocks and coins, and estimates fees. */
const lightning = (): readonly Call[] => [
  { method: 'getnetworkinfo' },
  { method: 'getblockchaininfo' },
  { method: 'getzmqnotifications' },
  { method: 'getindexinfo' },
  { method: 'getbestblockhash' },
  { method: 'getblockcount' },
  { method: 'getblockhash', params: [1] },
  { method: 'getblockheader', params: [MINED.hash, true] },
  { method: 'getblock', params: [MINED.hash, 0] },
  { method: 'getrawmempool', params: [false] },
  { method: 'gettxout', params: ['00'.repeat(32), 0, true] },
  { method: 'estimatesmartfee', params: [6, 'economical'] },
];

let served: RunningServe;

beforeAll(async () => {
  served = await startServe(['--network', 'regtest', '--dialect', 'core-32']);
  for (const { hex } of [MINED, ...blocksAfter(MINED, 3)]) await ask({ method: 'submitblock', params: [hex] });
});
afterAll(() => served.close());

/** Calls the server as these programs do. @throws for an answer with an error */
async function ask({ method, params = [], wallet }: Call): Promise<unknown> {
  const path = wallet === undefined ? '' : `wallet/${encodeURIComponent(wallet)}`;
  const reply = await fetch(`http://127.0.0.1:${served.port}/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(served.cookie())}` },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
  });
  const { result, error } = (await reply.json()) as {
    result: unknown;
    error: { code: number; message: string } | null;
  };
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
  return result;
}

async function withChecksum(descriptor: string): Promise<string> {
  const { descriptor: text } = (await ask({ method: 'getdescriptorinfo', params: [descriptor] })) as {
    descriptor: string;
  };
  return text;
}

describe('a node of Core 31 answers without an error what is asked by', () => {
  test.each([
    ['Specter Desktop', specter],
    ['HWI with a hardware wallet', hardwareWallet],
    ['Sparrow', sparrow],
    ['a lightning node', lightning],
  ])('%s', async (_name, callsOf) => {
    const calls = callsOf(await withChecksum(RECEIVE), await withChecksum(CHANGE));
    for (const call of calls) {
      const answer = await ask(call);
      if (call.method !== 'importdescriptors') continue;
      expect(answer).toEqual([expect.objectContaining({ success: true }), expect.objectContaining({ success: true })]);
    }
  });
});
