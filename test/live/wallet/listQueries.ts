import { LABELS } from './importing.ts';
import { watchStranger } from './walletSteps.ts';
import { mempoolTxs, type World } from './world.ts';

/** Random queries of lists, balances, blocks and the mempool. */

type Question = (world: World, wallet: string) => Promise<void>;

/** Values that fit no argument, or hardly any. */
const ODD: readonly unknown[] = [null, 'x', 1.5, -1, {}, [], '', true, 99_999_999_999];

/** A call: its method, and its arguments, of which the caller may drop some from the end. */
type Call = readonly [method: string, args: readonly unknown[], required?: number];

/** Asks one of the calls, perhaps with fewer arguments or with an odd one. */
async function askOne({ dice, both }: World, wallet: string | undefined, calls: readonly Call[]): Promise<void> {
  const [method, args, required = 0] = dice.pick(calls);
  const count = required + dice.below(args.length - required + 1);
  const given = args.slice(0, dice.chance(0.97) ? count : dice.below(args.length + 1));
  const place = dice.below(Math.max(1, given.length));
  const odd = dice.chance(0.05) ? given.map((arg, i) => (i === place ? dice.pick(ODD) : arg)) : given;
  await both.ask(method, odd, wallet);
}

function txidOf({ dice, known, blocks }: World): unknown {
  const ids = [...known.keys()];
  return dice.weighed<unknown>([
    [ids.length > 0 ? 6 : 0, ids.length > 0 ? dice.pick(ids) : ''],
    [3, dice.pick([...dice.pick([...blocks.values()]).coins.keys(), '11'.repeat(32)]).slice(0, 64)],
    [0.3, '11'.repeat(32)],
    [0.2, dice.pick(['zz', '', '11'])],
  ]);
}

const addressOf = ({ dice, locks }: World): unknown =>
  dice.chance(0.95) ? dice.pick(locks.flatMap(({ address }) => address ?? [])) : dice.pick(['', 'nope', 'rltc1qqqq']);

const labelOf = ({ dice }: World): unknown =>
  dice.weighed<unknown>([
    [9, dice.pick(LABELS)],
    [1, 'nobody'],
  ]);

/** Asks for balances. A node caches them, so it is made to compute them anew. */
export const askBalance: Question = async (world, wallet) => {
  const { dice } = world;
  await watchStranger(world, wallet);
  const minconf = dice.pick([0, 1, 2, 6]);
  await askOne(world, wallet, [
    ['getbalances', []],
    ['getunconfirmedbalance', []],
    ['getbalance', ['*', minconf, dice.chance(0.5), dice.chance(0.3)]],
    ['getbalance', ['*', minconf, dice.chance(0.5)]],
  ]);
};

export const askList: Question = async (world, wallet) => {
  const { dice } = world;
  const [minconf, isEmpty, watches] = [dice.pick([0, 1, 2, 100, 101]), dice.chance(0.5), dice.chance(0.6)];
  const label = dice.chance(0.5) ? '*' : labelOf(world);
  await askOne(world, wallet, [
    ['listtransactions', [label, dice.pick([10, 1, 3, 100, 1000, 0]), dice.pick([0, 0, 1, 5, 50]), watches]],
    ['listtransactions', [label, dice.pick([10, 30]), 0, watches]],
    ['gettransaction', [txidOf(world), watches, dice.chance(0.4)], 1],
    ['listreceivedbyaddress', [minconf, isEmpty, watches, addressOf(world)]],
    ['listreceivedbyaddress', [minconf, isEmpty, watches]],
    ['listreceivedbylabel', [minconf, isEmpty, watches]],
    ['getreceivedbyaddress', [addressOf(world), minconf], 1],
    ['getreceivedbylabel', [labelOf(world), minconf], 1],
    ['getaddressesbylabel', [labelOf(world)], 1],
    ['listlabels', [dice.pick(['', 'receive', 'send', 'other'])]],
    ['listaddressgroupings', []],
  ]);
};

export const askChain = async (world: World): Promise<void> => {
  const { dice, blocks, tip } = world;
  const hashes = [...blocks.keys()];
  const hash = dice.weighed<unknown>([
    [5, dice.pick(hashes)],
    [3, tip.hash],
    [0.3, '11'.repeat(32)],
    [0.2, 'zz'],
  ]);
  const pooled = mempoolTxs(world).map(({ id }) => id);
  const waiting = pooled.length > 0 && dice.chance(0.9) ? dice.pick(pooled) : txidOf(world);
  const [outpoint = ''] = dice.some([...tip.coins.keys(), `${'11'.repeat(32)}:0`], 1);
  const [txid = '', vout = '0'] = outpoint.split(':');
  await askOne(world, undefined, [
    ['getblock', [hash, dice.pick([0, 1, 2, 1])], 1],
    ['getblockheader', [hash, dice.chance(0.7)], 1],
    ['getblockhash', [dice.pick([0, 1, tip.height, tip.height + 1, dice.below(tip.height + 1)])], 1],
    ['getrawtransaction', [txidOf(world), dice.chance(0.6), hash], 1],
    ['getrawtransaction', [waiting, true], 1],
    ['gettxout', [dice.chance(0.8) ? txid : waiting, Number(vout), dice.chance(0.6)], 2],
    ['getmempoolentry', [waiting], 1],
    ['getmempoolancestors', [waiting, false], 1],
    ['getmempooldescendants', [waiting, false], 1],
    ['getdifficulty', []],
    ['getconnectioncount', []],
  ]);
};
