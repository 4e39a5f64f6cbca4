import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeTransaction, formatHex } from '../support/library.ts';
import { report } from '../support/report.ts';
import { seed } from '../support/seed.ts';
import { hasLitecoind } from './litecoind.ts';
import { type Both, LOGIN, startBoth } from './wallet/bothNodes.ts';
import { publicKeysOf, wifsOf } from './wallet/locks.ts';
import { begin, live } from './wallet/scenario.ts';
import { prevtxOf, unsignedTx } from './wallet/spending.ts';
import { create } from './wallet/walletSteps.ts';
import type { World } from './wallet/world.ts';

/** Runs the unmodified litecoin-cli against a node and against our server in the same state. */

const STEPS = 60;
const [USER, PASSWORD] = LOGIN.split(':');
const PSBT = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

function cli(port: number, args: readonly string[], input = ''): Promise<Run> {
  const fixed = ['-regtest', '-conf=/dev/null', `-rpcport=${port}`, `-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`];
  return new Promise((resolve) => {
    const child = execFile('litecoin-cli', [...fixed, ...args], (error, out, errorText) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: errorText });
    });
    // litecoin-cli may end before it reads its standard input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

describe.runIf(hasLitecoind())(
  `litecoin-cli on this machine gets the same replies for wallets of seed ${seed}:`,
  () => {
    let both: Both;
    let world: World;
    let compared = 0;
    beforeAll(async () => {
      both = await startBoth();
      world = await begin(both, seed);
      for (let i = 0; i < STEPS; i += 1) await live(world, 0);
      await create(world, 'w');
      const keys = [...new Set(world.locks.flatMap(wifsOf))];
      for (const wif of keys.slice(1)) await both.ask('importprivkey', [wif, 'own'], 'w');
      expect(both.differences).toEqual([]);
    });
    afterAll(async () => {
      report({ subject: 'litecoin-cli', passed: compared, total: compared });
      await both.stop();
    });

    /** Runs litecoin-cli against both, and expects the same output. */
    async function same(args: readonly string[], input = ''): Promise<Run> {
      const [theirs, ours] = await Promise.all([cli(both.ports.node, args, input), cli(both.ports.ours, args, input)]);
      expect(ours, args.join(' ')).toEqual(theirs);
      compared += 1;
      return theirs;
    }
    const ofWallet = (...args: readonly string[]): Promise<Run> => same(['-rpcwallet=w', ...args]);

    /** Builds an unsigned spend of one or two of the wallet's coins, with their prevtxs and keys. */
    function spend(): { readonly hex: string; readonly prevtxs: string; readonly keys: string } {
      const own = [...world.tip.coins.values()].filter(({ lock }) => lock.keys.length > 0 && lock.isOpenable);
      const coins = world.dice.some(own, 2);
      return {
        hex: formatHex(encodeTransaction(unsignedTx(world, coins, 1000n))),
        prevtxs: JSON.stringify(coins.map(prevtxOf)),
        keys: JSON.stringify(coins.flatMap(({ lock }) => wifsOf(lock))),
      };
    }

    test('decodepsbt', async () => {
      expect(JSON.parse((await same(['decodepsbt', PSBT])).out)).toMatchObject({ inputs: [{}] });
      await same(['-named', 'decodepsbt', `psbt=${PSBT}`]);
      await same(['-stdin', 'decodepsbt'], `${PSBT}\n`);
      expect(await same(['decodepsbt', 'cHNidP8A'])).toMatchObject({ code: 22 });
      // Our help text differs from the node's.
      const runs = await Promise.all([cli(both.ports.node, ['decodepsbt']), cli(both.ports.ours, ['decodepsbt'])]);
      expect(runs.map(({ code }) => code)).toEqual([1, 1]);
    });

    test('-getinfo, -rpcwait, and queries of the chain', async () => {
      const { out } = await same(['-rpcwallet=w', '-getinfo']);
      expect(JSON.parse(out)).toMatchObject({ version: 210_201, chain: 'regtest', connections: { total: 0 } });
      await same(['-rpcwait', 'getblockcount']);
      const tip = (await same(['getbestblockhash'])).out.trim();
      await same(['getblockheader', tip]);
      await same(['-named', 'getblock', `blockhash=${tip}`, 'verbosity=2']);
      await same(['getrawmempool']);
      // It begins with a new address, which this wallet cannot make.
      expect(await same(['-rpcwallet=w', '-generate', '1'])).toMatchObject({ code: 4 });
    });

    test('signrawtransactionwithkey', async () => {
      const { hex, keys, prevtxs } = spend();
      expect(JSON.parse((await same(['signrawtransactionwithkey', hex, keys, prevtxs])).out)).toMatchObject({
        complete: true,
      });
      await same(['signrawtransactionwithkey', hex, '[]', prevtxs, 'NONE']);
      await same(['-named', 'signrawtransactionwithkey', `hexstring=${hex}`, `privkeys=${keys}`, `prevtxs=${prevtxs}`]);
      await same(['-stdin', 'signrawtransactionwithkey', hex], `${keys}\n${prevtxs}\nALL|ANYONECANPAY\n`);
      expect(await same(['signrawtransactionwithkey', hex, '["x"]'])).toMatchObject({ code: 5 });
      expect(await same(['signrawtransactionwithkey', 'zz', '[]'])).toMatchObject({ code: 22 });
    });

    test('listunspent', async () => {
      const { out } = await ofWallet('listunspent');
      expect((JSON.parse(out) as unknown[]).length).toBeGreaterThan(0);
      await ofWallet('listunspent', '0', '9999999', '[]', 'false', '{"minimumAmount":0.5,"maximumCount":3}');
      await ofWallet('-named', 'listunspent', 'minconf=0', 'query_options={"minimumSumAmount":30}');
      await same(['-rpcwallet=w', '-stdin', 'listunspent'], '1\n50\n');
      expect(await ofWallet('listunspent', '0', '1', '["x"]')).toMatchObject({ code: 5 });
      expect(await ofWallet('listunspent', '-1', 'x')).toMatchObject({ code: 1 });
      expect(await same(['-rpcwallet=none', 'listunspent'])).toMatchObject({ code: 18 });
      expect(await same(['listunspent'])).toMatchObject({ code: 19 });
    });

    test('getaddressinfo', async () => {
      const addresses = world.locks.flatMap(({ address }) => address ?? []);
      for (const address of world.dice.some(addresses, 20)) await ofWallet('getaddressinfo', address);
      await ofWallet('-named', 'getaddressinfo', `address=${addresses[0] ?? ''}`);
      await same(['-rpcwallet=w', '-stdin', 'getaddressinfo'], `${addresses[1] ?? ''}\n`);
      expect(await ofWallet('getaddressinfo', publicKeysOf(world.locks[0] ?? { keys: [] })[0] ?? '')).toMatchObject({
        code: 5,
      });
      expect(await ofWallet('-named', 'getaddressinfo', 'nope=1')).toMatchObject({ code: 8 });
    });

    test('signrawtransactionwithwallet', async () => {
      const { hex, prevtxs } = spend();
      const { out } = await ofWallet('signrawtransactionwithwallet', hex);
      expect(JSON.parse(out)).toHaveProperty('complete');
      await ofWallet('signrawtransactionwithwallet', hex, prevtxs, 'SINGLE');
      await ofWallet('-named', 'signrawtransactionwithwallet', `hexstring=${hex}`, 'sighashtype=ALL');
      await same(['-rpcwallet=w', '-stdin', 'signrawtransactionwithwallet'], `${hex}\n`);
      expect(await ofWallet('signrawtransactionwithwallet', hex, '[]', 'SOME')).toMatchObject({ code: 1 });
      expect(await ofWallet('signrawtransactionwithwallet', '00')).toMatchObject({ code: 22 });
    });

    test('listsinceblock', async () => {
      const { out } = await ofWallet('listsinceblock');
      expect((JSON.parse(out) as { transactions: unknown[] }).transactions.length).toBeGreaterThan(0);
      for (const hash of world.dice.some([...world.blocks.keys()], 10))
        await ofWallet('listsinceblock', hash, '6', 'true');
      await ofWallet('-named', 'listsinceblock', `blockhash=${world.tip.hash}`, 'include_removed=false');
      await same(['-rpcwallet=w', '-stdin', 'listsinceblock'], `${world.tip.hash}\n`);
      expect(await ofWallet('listsinceblock', '11'.repeat(32))).toMatchObject({ code: 5 });
      expect(await ofWallet('listsinceblock', world.tip.hash, '0')).toMatchObject({ code: 8 });
    });
  },
);
