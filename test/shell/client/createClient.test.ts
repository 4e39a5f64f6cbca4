import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswers, createClient, type NodeIdentity } from 'countersign/client';
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import { RpcError } from '../../../src/core/errors.ts';
import { serveFake } from '../../support/fakeNode.ts';
import { freePort } from '../../support/freePort.ts';
import { refusalOf } from '../../support/refusal.ts';
import { startServe } from '../../support/server.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(version: '29' | '31' | '32', argv: readonly string[] = []) {
  const server = await startServe(['--network', 'regtest', '--dialect', `core-${version}`, ...argv]);
  closers.push(server.close);
  return { url: `http://127.0.0.1:${server.port}`, cookieFile: server.cookieFile };
}

/** Serves one text to every request, and keeps the bodies. */
async function serveText(text: string, status = 200) {
  const bodies: string[] = [];
  const { url, close } = await serveFake((_, body, response) => {
    bodies.push(body);
    response.writeHead(status).end(text);
  });
  closers.push(close);
  return { url, bodies };
}

const PSBT = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';

describe('a client of a node', () => {
  test('answers as ours of the same release', async () => {
    const node = createClient({ ...(await serve('31')), version: '31' });
    const ours = await createAnswers({ version: '31', network: 'regtest' });
    expect(await node.decodepsbt(PSBT)).toEqual(ours.decodepsbt(PSBT));
    expect(await node.call('decodepsbt', { psbt: PSBT })).toEqual(ours.decodepsbt(PSBT));
    expect(await node.getblockcount()).toBe(0);
  });

  test('reads amounts as satoshi, and passes satoshi as coins', async () => {
    const node = createClient({ ...(await serve('31')), version: '31', amounts: 'sats' });
    const { fee, tx } = await node.decodepsbt(PSBT);
    expectTypeOf(fee).toEqualTypeOf<bigint | undefined>();
    expect(tx?.vout.map(({ value, n }) => [value, n])).toEqual([[4096n, 0]]);
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    const hex = await node.createrawtransaction([], [{ [address]: 2_099_999_999_999_999n }]);
    expect((await node.decoderawtransaction(hex)).vout[0]?.value).toBe(2_099_999_999_999_999n);
  });

  test('asks wallets by their names', async () => {
    const node = createClient({ ...(await serve('31')), version: '31' });
    await node.createwallet('first');
    await node.createwallet('the second/of two');
    const second = node.wallet('the second/of two');
    expect((await second.getwalletinfo()).walletname).toBe('the second/of two');
    const first = createClient({ ...(await serve('31')), version: '31', wallet: 'missing' });
    await expect(first.getwalletinfo()).rejects.toMatchObject({ name: 'RpcError', code: -18 });
  });

  test('sends a batch as one request', async () => {
    const node = createClient({ ...(await serve('31')), version: '31' });
    const [count, hash] = await node.batch((each) => [each.getblockcount(), each.getblockhash(0)]);
    expectTypeOf(count).toEqualTypeOf<number>();
    expectTypeOf(hash).toEqualTypeOf<string>();
    expect([count, hash.length]).toEqual([0, 64]);
    expect(await node.batch(() => [])).toEqual([]);
    await expect(node.batch((each) => [each.getblockcount(), each.getblockhash(7)])).rejects.toThrow(RpcError);
    const [settled] = await node.batch((each) => [Promise.allSettled([each.getblockhash(7), each.getblockcount()])]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('throws what the node refuses', async () => {
    const node = createClient({ ...(await serve('31')), version: '31' });
    const error: unknown = await node.decodepsbt('x').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -22, message: 'TX decode failed invalid base64' });
  });

  test('shows no private key in what the node refuses', async () => {
    const key =
      'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK';
    const { url } = await serveText(
      JSON.stringify({ result: null, error: { code: -5, message: `wpkh(${key}) is bad` }, id: 0 }),
    );
    const error: unknown = await createClient({ url, version: '31' })
      .getdescriptorinfo('x')
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: -5, message: 'wpkh(...) is bad' });
  });

  test('refuses calls that a batch makes too late, and forgets those of one that fails', async () => {
    const node = createClient({ ...(await serve('31')), version: '31' });
    await expect(
      node.batch((each) => [each.getblockcount().then((height) => each.getblockhash(height))]),
    ).rejects.toThrow('takes all its calls at once');
    const broken = node.batch((each) => {
      void each.getblockcount();
      throw new Error('my own');
    });
    await expect(broken).rejects.toThrow('my own');
  });

  test('reads the login anew for all calls when the node has replaced it', async () => {
    const logins: (string | undefined)[] = [];
    let wanted = 'a:1';
    const { url, close } = await serveFake((request, _, response) => {
      const given = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
      logins.push(given);
      if (given === wanted) response.writeHead(200).end('{"result":1,"error":null,"id":0}');
      else response.writeHead(401).end();
    });
    closers.push(close);
    const cookieFile = join(temporaryDirectory(), '.cookie');
    writeFileSync(cookieFile, wanted);
    const node = createClient({ url, version: '31', cookieFile });
    await node.getblockcount();
    wanted = 'a:2';
    writeFileSync(cookieFile, wanted);
    expect(await Promise.all(Array.from({ length: 20 }, () => node.getblockcount()))).toEqual(new Array(20).fill(1));
    expect(logins).toContain('a:1');
  });

  test('has no other members, so that programs can print it', async () => {
    const node = createClient({ url: 'http://127.0.0.1:1', version: '31' });
    expect(JSON.stringify({ node, ours: await createAnswers({ version: '31' }) })).toBe('{"node":{},"ours":{}}');
  });

  test('is not a promise', async () => {
    const node = createClient({ url: 'http://127.0.0.1:1', version: '31' });
    expect(await node).toBe(node);
  });
});

describe('a bigint in the arguments', () => {
  const TXID = 'ab'.repeat(32);
  const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

  async function send(method: string, params: unknown): Promise<string> {
    const { url, bodies } = await serveText('{"result":1,"error":null,"id":0}');
    await createClient({ url, version: '31' }).call(method, params as []);
    return bodies[0] ?? '';
  }

  test.each([
    ['getblockhash', [0n], 'height', 'a number'],
    ['getblockhash', { height: 0n }, 'height', 'a number'],
    ['getblockhash', { args: [0n] }, 'height', 'a number'],
    ['getblock', [TXID, 2n], 'verbosity', 'a number'],
    ['decodescript', [5n], 'hexstring', 'a string'],
    ['setmocktime', [1_700_000_000n], 'timestamp', 'a number'],
    ['getbalance', ['*', 6n], 'minconf', 'a number'],
    ['lockunspent', [0n], 'unlock', 'true or false'],
    ['createrawtransaction', [[{ txid: TXID, vout: 1n }], {}], 'inputs[0].vout', 'a number'],
    ['createrawtransaction', [[], [{ [ADDRESS]: 1n }], 5n], 'locktime', 'a number'],
    ['fundrawtransaction', ['00', { changePosition: 0n }], 'options.changePosition', 'a number'],
    ['listunspent', { minconf: 1n }, 'minconf', 'a number'],
    ['importdescriptors', [[{ desc: 'x', timestamp: 0n }]], 'requests[0].timestamp', 'a number'],
  ])('is refused before %s is sent: %#', async (method, params, place, wanted) => {
    await expect(send(method, params)).rejects.toMatchObject({
      code: 'argument/invalid',
      message: `The argument ${place} of ${method} must be ${wanted}: a bigint is an amount in satoshi`,
    });
  });

  test.each([
    ['sendtoaddress', [ADDRESS, 150_000_000n]],
    ['sendtoaddress', { address: ADDRESS, amount: 150_000_000n }],
    ['sendmany', ['', { [ADDRESS]: 150_000_000n }]],
    ['createpsbt', [[], [{ [ADDRESS]: 150_000_000n }, { data: '00' }]]],
    ['createpsbt', [[], { [ADDRESS]: 150_000_000n }]],
    ['signrawtransactionwithkey', ['00', [], [{ txid: TXID, vout: 0, scriptPubKey: '51', amount: 150_000_000n }]]],
    ['listunspent', [1, 9, [], true, { minimumAmount: 150_000_000n }]],
    ['listunspent', { minimumAmount: 150_000_000n }],
    ['nosuchmethod', [150_000_000n]],
    ['getblockcount', [150_000_000n]],
  ])('is sent as coins in %s: %#', async (method, params) => {
    expect(await send(method, params)).toContain('1.50000000');
  });

  test('is refused with all calls of its batch', async () => {
    const { url, bodies } = await serveText('[]');
    const node = createClient({ url, version: '31' });
    const batch = node.batch((each) => [each.getblockcount(), each.getblockhash(0n as unknown as number)]);
    await expect(batch).rejects.toMatchObject({ code: 'argument/invalid' });
    expect(bodies).toEqual([]);
  });
});

describe('a node of another version', () => {
  test('is reported once, and the calls go on', async () => {
    const found: NodeIdentity[] = [];
    const node = createClient({ ...(await serve('29')), version: '31', onOtherVersion: (other) => found.push(other) });
    expect(await Promise.all([node.getblockcount(), node.wallet('x').getblockcount()])).toEqual([0, 0]);
    expect(found).toMatchObject([{ version: '29' }]);
  });

  test('is reported once the node says which it is', async () => {
    let isStarting = true;
    const { url, close } = await serveFake((_, body, response) => {
      const { method } = JSON.parse(body) as { method: string };
      const info = { version: 290000, subversion: '/Satoshi:29.0.0/' };
      const reply = isStarting
        ? { result: null, error: { code: -28, message: 'Loading' }, id: 0 }
        : { result: method === 'getnetworkinfo' ? info : 0, error: null, id: 0 };
      response.writeHead(200).end(JSON.stringify(reply));
    });
    closers.push(close);
    const found: NodeIdentity[] = [];
    const node = createClient({ url, version: '31', onOtherVersion: (other) => found.push(other) });
    await expect(node.getblockcount()).rejects.toThrow('Loading');
    isStarting = false;
    expect([await node.getblockcount(), await node.getblockcount()]).toEqual([0, 0]);
    expect(found).toEqual([{ version: '29', number: 290_000, subversion: '/Satoshi:29.0.0/' }]);
  });

  test('is not reported if it is the same', async () => {
    const found: NodeIdentity[] = [];
    const node = createClient({ ...(await serve('32')), version: '32', onOtherVersion: (other) => found.push(other) });
    await node.getblockcount();
    expect(found).toEqual([]);
  });
});

describe('what cannot be a node', () => {
  const refusal = async (call: Promise<unknown>) => {
    const error: unknown = await call.catch((caught: unknown) => caught);
    const { code, data, message } = refusalOf(() => {
      throw error;
    });
    return { code, data, message };
  };

  test('is named', async () => {
    const closed = `http://127.0.0.1:${await freePort()}`;
    expect(await refusal(createClient({ url: closed, version: '31' }).getblockcount())).toEqual({
      code: 'client/failed',
      data: { isPassing: true },
      message: `Cannot reach the node at ${closed}: connection refused`,
    });
    expect(await refusal(createClient({ url: 'http://127.0.0.1:1', version: '31' }).getblockcount())).toEqual({
      code: 'client/failed',
      data: { isPassing: false },
      message: 'Cannot reach the node at http://127.0.0.1:1: fetch refuses port 1, which another protocol uses',
    });
    const { url } = await serveText('<html>');
    expect(await refusal(createClient({ url, version: '31' }).getblockcount())).toMatchObject({
      message: `The node at ${url} answers HTTP 200 without a JSON-RPC reply to the call`,
    });
    const { url: other } = await serveText('[]');
    const node = createClient({ url: other, version: '31' });
    expect(await refusal(node.getblockcount())).toMatchObject({ code: 'client/failed' });
    expect(await refusal(node.batch((each) => [each.getblockcount()]))).toMatchObject({ code: 'client/failed' });
  });

  test.each([
    ['another id', '{"result":1,"error":null,"id":7}'],
    ['an error without a code', '{"result":null,"error":{"message":"x"},"id":0}'],
    ['an error that is a text', '{"result":null,"error":"bad","id":0}'],
    ['no result', '{"id":0}'],
  ])('is not believed: %s', async (_, text) => {
    const { url } = await serveText(text);
    expect(await refusal(createClient({ url, version: '31' }).getblockcount())).toMatchObject({
      code: 'client/failed',
    });
  });

  test.each([
    ['one object', '{"result":5,"error":null,"id":0}'],
    ['too few replies', '[{"result":5,"error":null,"id":0}]'],
    ['a reply twice', '[{"result":5,"error":null,"id":0},{"result":6,"error":null,"id":0}]'],
    ['too many replies', '[{"result":5,"id":0},{"result":6,"id":1},{"result":6,"id":2}]'],
  ])('is not believed by a batch: %s', async (_, text) => {
    const { url } = await serveText(text);
    const node = createClient({ url, version: '31' });
    expect(await refusal(node.batch((each) => [each.getblockcount(), each.getblockcount()]))).toMatchObject({
      code: 'client/failed',
    });
  });

  test.each(['coins', 'sats'] as const)(
    'counts the first of members with one name, as bitcoin-cli does: %s',
    async (amounts) => {
      const first = '{"mine":{"trusted":1.5,"trusted":2.5,"immature":0},"mine":{"trusted":3.5}}';
      const { url } = await serveText(
        `{"result":${first},"result":null,"error":null,"error":{"code":-1},"id":0,"id":7}`,
      );
      const node = createClient({ url, version: '31', amounts });
      const trusted = amounts === 'sats' ? 150_000_000n : 1.5;
      expect(await node.getbalances()).toMatchObject({ mine: { trusted } });
    },
  );

  test('an amount that is not a number of satoshi', async () => {
    const { url } = await serveText('{"result":{"mine":{"trusted":1e-9}},"error":null,"id":0}');
    const node = createClient({ url, version: '31', amounts: 'sats' });
    expect(await refusal(node.getbalances())).toMatchObject({ code: 'client/failed', data: { isPassing: false } });
  });

  test('a login that is refused', async () => {
    const { url } = await serve('31');
    expect(await refusal(createClient({ url, version: '31' }).getblockcount())).toMatchObject({
      message: `The node at ${url} requires a name and password (HTTP 401)`,
    });
    const wrong = createClient({ url, version: '31', user: 'a', password: 'b' });
    expect(await refusal(wrong.getblockcount())).toMatchObject({
      message: `The node at ${url} refuses the name and password (HTTP 401)`,
    });
    const missing = createClient({ url, version: '31', cookieFile: '/nowhere/.cookie' });
    expect(await refusal(missing.getblockcount())).toMatchObject({ code: 'client/failed', data: { isPassing: true } });
  });

  test.each([
    [{ version: 'core-31' }, 'The option version must be 0.21, litecoin-0.21, 29, 30, 31, 32; "core-31" is not'],
    [{ url: 'nowhere' }, 'The option url must be an address such as http://127.0.0.1:8332'],
    [
      { url: 'http://me:secret@127.0.0.1' },
      'The option url contains a name or a password: pass them as user and password',
    ],
    [{ amounts: 'btc' }, 'The option amounts must be coins or sats'],
    [{ version: 31 }, 'The option version must be 0.21, litecoin-0.21, 29, 30, 31, 32; number is not'],
    [{ timeout: Number.NaN }, 'The option timeout must be a number of seconds up to 2147483'],
    [{ timeout: 3_000_000 }, 'The option timeout must be a number of seconds up to 2147483'],
    [{ onOtherVersion: true }, 'The option onOtherVersion must be a function'],
    [{ user: 5, password: 'x' }, 'The option user must be a text'],
    [{ url: 'http://127.0.0.1:1//other' }, 'The option url must end with its port, or with a path of single slashes'],
    [{ url: 'http://127.0.0.1:1/?a' }, 'The option url must end with its port, or with a path of single slashes'],
    [{ wallet: '..' }, 'The option wallet must be the name of a wallet, other than "." and ".."'],
    [{ wallet: '\ud800' }, 'The option wallet must be the name of a wallet, other than "." and ".."'],
    [{ user: 'me' }, 'The option user needs the option password beside it'],
    [{ cookieFile: 'x', user: 'me', password: 'x' }, 'The option cookieFile contradicts user and password'],
  ])('%o', (options, message) => {
    const given = { url: 'http://127.0.0.1:1', version: '31', ...options } as never;
    expect(() => createClient(given)).toThrow(expect.objectContaining({ code: 'argument/invalid', message }));
  });
});

describe('the types of a release', () => {
  const at = <const V extends '29' | '31' | '32'>(version: V) => createClient({ url: 'http://127.0.0.1:1', version });

  const HASH = '00'.repeat(32);
  /** Only compiles. */
  const compile = (): void => {
    const [r29, r31, r32] = [at('29'), at('31'), at('32')] as const;
    // @ts-expect-error: a misspelt method
    void r31.decodepsbtt(PSBT);
    // @ts-expect-error: a method of earlier releases
    void r31.dumpprivkey('x');
    void r29.dumpprivkey('x');
    // @ts-expect-error: a method of earlier releases, by its name
    void r31.call('dumpprivkey', ['x']);
    // @ts-expect-error: a method of ours
    void r31.reviewpsbt(PSBT);
    // @ts-expect-error: a wrong type
    void r31.getblockhash('1');
    // @ts-expect-error: a missing argument
    void r31.getblockhash();
    // @ts-expect-error: a misspelt argument
    void r31.call('getblockhash', { heights: 1 });
    void r31.call('getblockhash', { height: 1 });
    // @ts-expect-error: a parameter of later releases
    void r31.createpsbt([], [], 0, true, 2, 2);
    void r32.createpsbt([], [], 0, true, 2, 2);
    // @ts-expect-error: a parameter of later releases, by its name
    void r31.call('createpsbt', { inputs: [], outputs: [], psbt_version: 2 });
    void (async () => {
      const [old, decoded, next] = [await r29.decodepsbt(PSBT), await r31.decodepsbt(PSBT), await r32.decodepsbt(PSBT)];
      // @ts-expect-error: a misspelt member
      void decoded.fees;
      // @ts-expect-error: a member of later releases
      void decoded.tx_version;
      expectTypeOf(next.tx_version).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: a member of later releases, deep inside
      void old.inputs[0]?.musig2_pubnonces;
      expectTypeOf(decoded.inputs[0]?.musig2_pubnonces?.[0]?.pubnonce).toEqualTypeOf<string | undefined>();
      // @ts-expect-error: a member of getrawtransaction
      void decoded.tx?.vin[0]?.prevout;
      // One argument chooses the answer.
      expectTypeOf((await r31.getblock(HASH)).tx).toEqualTypeOf<readonly string[]>();
      expectTypeOf((await r31.getblock(HASH, 2)).tx[0]?.fee).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: a member of verbosity 3
      void (await r31.getblock(HASH, 2)).tx[0]?.vin[0]?.prevout;
      expectTypeOf(await r31.getblock(HASH, 0)).toEqualTypeOf<string>();
      expectTypeOf((await r31.call('getblockheader', [HASH])).height).toEqualTypeOf<number>();
      expectTypeOf(
        (await r31.call('getblock', { blockhash: HASH, verbosity: 3 })).tx[0]?.vin[0]?.prevout?.height,
      ).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: a misspelt argument of a method whose answer is chosen
      void r31.call('getblock', { blockhash: HASH, verbosty: 3 });
      // @ts-expect-error: a wrong type
      void r31.getblock(HASH, 'x');
      expectTypeOf((await r31.call('getrawtransaction', [HASH, true])).txid).toEqualTypeOf<string>();
      expectTypeOf(await r31.getrawtransaction(HASH)).toEqualTypeOf<string>();
      expectTypeOf(await r31.call('getrawmempool')).toEqualTypeOf<readonly string[]>();
      expectTypeOf((await r31.call('getrawmempool', [true]))[HASH]?.vsize).toEqualTypeOf<number | undefined>();
      expectTypeOf((await r31.getrawmempool(false, true)).mempool_sequence).toEqualTypeOf<number>();
      expectTypeOf(await r31.sendtoaddress('x', 1)).toEqualTypeOf<string>();
      expectTypeOf((await r31.scantxoutset('start', [])).txouts).toEqualTypeOf<number>();
      // A value that only the running program knows leaves all answers.
      const isVerbose = HASH.length > 64;
      expectTypeOf(await r31.getmempoolancestors(HASH, isVerbose)).not.toEqualTypeOf<readonly string[]>();
      // What only a node with connections answers.
      const [peer] = await r31.getpeerinfo();
      expectTypeOf(peer?.inv_to_send).toEqualTypeOf<number | undefined>();
      expectTypeOf((await r31.estimatesmartfee(6)).feerate).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: a member of later releases
      void (await r29.getpeerinfo())[0]?.inv_to_send;
    })();
  };

  test('are those of its methods', async () => {
    expect(compile).toBeTypeOf('function');
    const ours = await createAnswers({ version: '29' });
    // @ts-expect-error: needs a node
    expect(() => ours.getblockcount()).toThrow('Method not found');
  });
});
