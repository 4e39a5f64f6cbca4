import { encodeTransaction, formatHex, formatTxid, txid } from '../../support/library.ts';
import { LABELS } from './importing.ts';
import { publicKeysOf } from './locks.ts';
import { watchStranger } from './walletSteps.ts';
import type { ChainBlock, World } from './world.ts';

/** Random changes of wallets: flags, fees, multisig addresses, and transactions added or removed without a rescan. */

type Step = (world: World, wallet: string) => Promise<void>;

/** Values that fit hardly any argument. */
const ODD: readonly unknown[] = [null, 'x', 1.5, -1, {}, [], '', true];

export const setFlag: Step = async (world, wallet) => {
  const { dice, both } = world;
  const names = [
    'blank',
    'key_origin_metadata',
    'disable_private_keys',
    'descriptor_wallet',
    'external_signer',
    'nope',
  ];
  const flag = dice.chance(0.8) ? 'avoid_reuse' : dice.pick<unknown>([...names, null, 1]);
  const args = [flag, dice.chance(0.9) ? dice.chance(0.5) : dice.pick(ODD)];
  await both.ask('setwalletflag', args.slice(0, 1 + dice.below(2)), wallet);
  await watchStranger(world, wallet);
};

export const setFee: Step = async ({ dice, both }, wallet) => {
  const rates = [0, 0, 0.0001, 0.0002, 0.1, '0.00015', 0.00001, 0.000009, 0.00009999, 0.10000001, 1, 1e-9, 84_000_001];
  await both.ask('settxfee', [dice.pick<unknown>(dice.chance(0.8) ? rates : ODD)], wallet);
  await both.ask('getwalletinfo', [], wallet);
};

export const addMultisig: Step = async (world, wallet) => {
  const { dice, both, locks } = world;
  const owned = locks.filter(({ keys }) => keys.length > 0);
  const several = dice.pick(owned.filter(({ kind }) => kind.includes('multi')));
  const addresses = dice.some(owned, 3).flatMap(({ address }) => address ?? []);
  const odd = ['', 'nope', 'rltc1qqqq', `02${'ff'.repeat(32)}`, '04'.padEnd(130, '1'), '02', 1, null];
  const keys = dice.weighed<readonly unknown[]>([
    [4, publicKeysOf(several)],
    [3, addresses],
    [1, [...publicKeysOf(several), ...addresses]],
    [0.5, [...addresses, dice.pick<unknown>(odd)]],
    [0.3, []],
    [0.3, Array.from({ length: 15 + dice.below(4) }, () => publicKeysOf(several)[0])],
  ]);
  const args = [
    dice.chance(0.9) ? 1 + dice.below(2) : dice.pick<unknown>([0, -1, 4, 'x', 1.5, null]),
    dice.chance(0.97) ? keys : dice.pick(ODD),
    dice.chance(0.9) ? dice.pick(LABELS) : dice.pick(ODD),
    dice.pick<unknown>(['legacy', 'p2sh-segwit', 'bech32', 'mweb', 'bech32m', null, 1]),
  ];
  await both.ask('addmultisigaddress', args.slice(0, 2 + dice.below(3)), wallet);
  await watchStranger(world, wallet);
};

/** Changes one byte of a hex text, or its length. */
function bent({ dice }: World, hex: string): string {
  const at = 2 * dice.below(hex.length / 2);
  const byte = dice.below(256).toString(16).padStart(2, '0');
  return dice.pick([hex.slice(0, at), `${hex}00`, hex.slice(0, at) + byte + hex.slice(at + 2), hex.slice(1)]);
}

/** Proves some transactions of a block. @returns the proof and, in hex, one of the transactions */
async function askProof(world: World): Promise<readonly [proof: string, hex: string]> {
  const { dice, both, blocks } = world;
  const block: ChainBlock = dice.pick([...blocks.values()].filter(({ txs }) => txs.length > 0));
  const chosen = dice.some(block.txs, 3);
  const ids = chosen.map((tx) => formatTxid(txid(tx)));
  const odd = dice.pick<readonly unknown[]>([[[]], [[...ids, ids[0]]], [[1]], [['11'.repeat(32)]], ['x'], [ids, 'zz']]);
  if (dice.chance(0.1)) await both.ask('gettxoutproof', odd, undefined);
  if (dice.chance(0.3)) await both.ask('gettxoutproof', [ids]);
  if (dice.chance(0.1)) await both.ask('gettxoutproof', [ids, dice.pick([...blocks.keys()])]);
  const { result } = await both.ask('gettxoutproof', [ids, block.hash]);
  const tx = dice.chance(0.9) ? dice.pick(chosen) : dice.pick(block.txs);
  return [result as string, formatHex(encodeTransaction(tx))];
}

export const importFunds: Step = async (world, wallet) => {
  const { dice, both } = world;
  const [proof, hex] = await askProof(world);
  const given = dice.chance(0.7) ? proof : bent(world, proof);
  await both.ask('verifytxoutproof', [dice.chance(0.95) ? given : dice.pick(ODD)]);
  const args = [dice.chance(0.95) ? hex : dice.pick<unknown>([bent(world, hex), ...ODD]), given];
  await both.ask('importprunedfunds', dice.chance(0.97) ? args : args.slice(0, 1), wallet);
  // The node keeps cached balances of the coins that the transaction spends.
  await watchStranger(world, wallet);
};

export const removeFunds: Step = async (world, wallet) => {
  const { dice, both, known } = world;
  const { result } = await both.ask('listunspent', [0], wallet);
  const listed = (result as { readonly txid: string }[] | null)?.map((coin) => coin.txid) ?? [];
  const ids = [...known.keys(), ...listed];
  const id = ids.length > 0 && dice.chance(0.9) ? dice.pick(ids) : dice.pick<unknown>(['11'.repeat(32), ...ODD]);
  await both.ask('removeprunedfunds', [id], wallet);
  await watchStranger(world, wallet);
  if (dice.chance(0.2)) await both.ask('abortrescan', [], wallet);
  const nowhere = dice.pick<unknown>(['/nonexistent/directory/file', 1, null, []]);
  if (dice.chance(0.2)) await both.ask('backupwallet', [nowhere], wallet);
};
