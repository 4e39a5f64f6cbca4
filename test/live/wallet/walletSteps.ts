import { setTimeout as sleep } from 'node:timers/promises';
import { importAddress, importKey, importMany, importPublicKey, LABELS } from './importing.ts';
import type { World } from './world.ts';

/** Random changes of wallets: creating, importing, encrypting, unloading and loading. */

type Step = (world: World, wallet: string) => Promise<void>;

const IMPORTS: readonly (readonly [number, Step])[] = [
  [3, importKey],
  [3, importAddress],
  [2, importPublicKey],
  [6, importMany],
];

export const loadedWallets = ({ wallets }: World): string[] =>
  [...wallets].filter(([, { isLoaded }]) => isLoaded).map(([name]) => name);

export async function create(world: World, name: string): Promise<void> {
  const { dice, both, wallets } = world;
  const watchesOnly = name.startsWith('watch');
  const passphrase = name.startsWith('born locked') ? 'first' : '';
  const { error } = await both.ask('createwallet', [name, watchesOnly, true, passphrase, name.startsWith('reuse')]);
  if (error) return;
  wallets.set(name, { isLoaded: true, watchesOnly, ...(passphrase !== '' && { passphrase }) });
  if (dice.chance(0.5)) await both.ask('createwallet', [name]);
  // A 0.21 wallet without any import has no ScriptPubKeyMan once it was unloaded and loaded: the node then calls no
  // transaction complete.
  await watchStranger(world, name);
}

export async function importSomething(world: World): Promise<void> {
  const { dice } = world;
  const loaded = loadedWallets(world);
  if (loaded.length === 0) return;
  const wallet = dice.pick(loaded);
  await dice.weighed(IMPORTS)(world, wallet);
  // After most imports, a node keeps its cached balances.
  await watchStranger(world, wallet);
}

/** Imports a script that pays nothing to the wallet: the node then computes its cached balances anew. */
export const watchStranger: Step = async ({ dice, both, locks }, wallet) => {
  const { address } = dice.pick(locks.filter(({ kind }) => kind === 'strange script'));
  await both.ask('importaddress', [address, '', false], wallet);
};

export const label: Step = async ({ dice, both, locks }, wallet) => {
  const addresses = locks.flatMap(({ address }) => address ?? []);
  const subject = dice.chance(0.95) ? dice.pick(addresses) : dice.pick<unknown>(['', 'nope', 1, null]);
  await both.ask('setlabel', [subject, dice.chance(0.95) ? dice.pick(LABELS) : dice.pick<unknown>([1, null])], wallet);
};

interface Listed {
  readonly txid: string;
  readonly vout: number;
}

export const lockCoins: Step = async ({ dice, both, known, blocks, tip }, wallet) => {
  const { result } = await both.ask('listunspent', [0], wallet);
  const listed = (result as Listed[] | null)?.map(({ txid, vout }) => ({ txid, vout })) ?? [];
  const { result: locked } = await both.ask('listlockunspent', [], wallet);
  const all = [...listed, ...((locked as Listed[] | null) ?? [])];
  const odd: readonly unknown[] = [
    { txid: [...known.keys()][0] ?? '', vout: dice.below(3) },
    { txid: [...(blocks.get(tip.hash)?.coins.keys() ?? [''])][0]?.slice(0, 64), vout: dice.below(4) },
    ...[{ txid: '11'.repeat(32), vout: 0 }, { txid: 'zz', vout: 0 }, { vout: 1 }, { txid: '11'.repeat(32), vout: -1 }],
    ...[{ txid: '11'.repeat(32), vout: 'x' }, { txid: 1, vout: 0 }, { txid: '11'.repeat(32) }, 1, null],
  ];
  const chosen = all.length > 0 && dice.chance(0.85) ? dice.some<unknown>(all, 3) : [];
  const outpoints = [...chosen, ...(dice.chance(0.2) ? [dice.pick(odd)] : [])];
  const args = [
    dice.chance(0.97) ? dice.chance(0.35) : null,
    dice.chance(0.9) ? outpoints : dice.pick<unknown>([null, 'x', {}]),
  ];
  await both.ask('lockunspent', dice.chance(0.95) ? args : args.slice(0, 1), wallet);
  await both.ask('listlockunspent', [], wallet);
};

export const abandon: Step = async ({ dice, both, known }, wallet) => {
  const odd = ['', 'zz', '11'.repeat(32), 1, null];
  const txid = known.size > 0 && dice.chance(0.95) ? dice.pick([...known.keys()]) : dice.pick<unknown>(odd);
  await both.ask('abandontransaction', [txid], wallet);
};

export const secure: Step = async ({ dice, both, wallets }, wallet) => {
  const state = wallets.get(wallet);
  if (!state) return;
  const isRight = dice.chance(0.8);
  const passphrase = isRight ? (state.passphrase ?? 'second') : 'wrong';
  const action = dice.weighed([
    [state.passphrase === undefined ? 0.4 : 0.1, 'encryptwallet'],
    [1, 'walletlock'],
    [2, 'walletpassphrase'],
  ]);
  if (action === 'walletpassphrase') {
    const timeout = dice.weighed<unknown>([
      [9, 50_000 + dice.below(1000)],
      [1, 3_000_000_000],
      [0.3, -1],
      [0.3, 1.5],
      [0.3, 'x'],
    ]);
    const given = dice.chance(0.95) ? passphrase : dice.pick<unknown>(['', null, 1, `${passphrase}\0x`]);
    await both.ask(action, [given, timeout], wallet);
    return;
  }
  if (action === 'walletlock') {
    await both.ask(action, [], wallet);
    return;
  }
  const { error } = await both.ask(action, [dice.chance(0.9) ? 'second' : dice.pick<unknown>(['', null, 1])], wallet);
  if (!error) state.passphrase = 'second';
};

/** Unloads a wallet, or loads one that was unloaded. */
export const shelve: Step = async ({ dice, both, wallets }, wallet) => {
  const away = [...wallets].filter(([, { isLoaded }]) => !isLoaded).map(([name]) => name);
  const name = dice.chance(0.1) ? dice.pick(['nope', wallet]) : (away[0] ?? wallet);
  const isAway = wallets.get(name)?.isLoaded === false;
  const loads = dice.chance(0.9) ? isAway : !isAway;
  const usual = dice.pick([[name], [name, null], [name, dice.chance(0.5)]]);
  const args = dice.chance(0.9) ? usual : dice.pick<unknown[]>([[], [null], [1], [name, 1]]);
  const { error } = await both.ask(loads ? 'loadwallet' : 'unloadwallet', args, dice.chance(0.1) ? name : undefined);
  const state = wallets.get(name);
  if (state && !error) state.isLoaded = isAway;
  await both.ask('listwallets', []);
};

/** Unlocks a wallet for one second: the timeout follows the machine's clock, not the mock time. */
export const unlockForSeconds: Step = async ({ both, wallets }, wallet) => {
  const passphrase = wallets.get(wallet)?.passphrase;
  if (passphrase === undefined) return;
  await both.ask('walletpassphrase', [passphrase, 1], wallet);
  await sleep(1500);
};
