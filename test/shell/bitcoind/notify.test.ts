import { expect, test } from 'vitest';
import type { Notice } from '../../../src/node/state/notices.ts';
import { noticeCommands } from '../../../src/shell/bitcoind/notify.ts';
import { type Options, readOptions } from '../../../src/shell/bitcoind/options.ts';
import { createNodeRpc } from '../../support/library.ts';

const optionsOf = (values: Readonly<Record<string, string>>): Options =>
  readOptions(
    {
      forced: new Map(),
      saved: new Map(),
      configured: new Map(),
      commandLine: new Map(Object.entries(values).map(([name, value]) => [name, [{ type: 'string', value }]])),
    },
    'regtest',
    () => undefined,
  );

test('blocks and transactions of wallets become commands, in which the name of the wallet is quoted', () => {
  let now = 1_296_688_602;
  const rpc = createNodeRpc({
    ...{ network: 'regtest', dialect: 'core-31', clock: () => now },
    random: (size) => new Uint8Array(size).fill(7),
  });
  const told: Notice[] = [];
  rpc.node.listen((notices) => told.push(...notices));
  const name = "it's %h $& mine";
  rpc.call('createwallet', [name]);
  const address = rpc.call('getnewaddress', [], name);
  now += 60;
  const [hash = ''] = rpc.call('generatetoaddress', [1, address]);
  const { tx } = rpc.call('getblock', [hash]);
  const options = optionsOf({ blocknotify: 'block %s', walletnotify: 'echo %s %b %h %w' });
  expect(noticeCommands(options, told)).toEqual([`echo ${tx[0]} ${hash} 1 'it'"'"'s %h $& mine'`, `block ${hash}`]);
  told.length = 0;
  rpc.call('invalidateblock', [hash]);
  expect(noticeCommands(optionsOf({ walletnotify: '%s %b %h' }), told)).toEqual([`${tx[0]} unconfirmed -1`]);
  expect(noticeCommands(optionsOf({}), told)).toEqual([]);
});

test.each([
  [
    'core-29',
    'Warning: We do not appear to fully agree with our peers You may need to upgrade, or other nodes may need to upgrade.',
  ],
  [
    'core-31',
    'Warning: Found invalid chain more than 6 blocks longer than our best chain. This could be due to database corruption or consensus incompatibility with peers.',
  ],
] as const)('%s alerts once of an invalid branch with much more work', (dialect, text) => {
  const rpc = createNodeRpc({
    ...{ network: 'regtest', dialect, clock: () => 1_296_688_602 },
    random: (size) => new Uint8Array(size).fill(7),
  });
  const told: Notice[] = [];
  rpc.node.listen((notices) => told.push(...notices));
  const hashes = rpc.call('generatetoaddress', [8, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080']);
  const commands = (): readonly string[] => noticeCommands(optionsOf({ alertnotify: 'echo %s' }), told);
  rpc.call('invalidateblock', [hashes[2] ?? '']);
  expect([commands(), rpc.call('getnetworkinfo').warnings]).toEqual([[], []]);
  rpc.call('invalidateblock', [hashes[1] ?? '']);
  expect(commands()).toEqual([`echo '${text}'`]);
  expect(rpc.call('getblockchaininfo').warnings).toHaveLength(1);
  rpc.call('invalidateblock', [hashes[0] ?? '']);
  expect(commands()).toHaveLength(1);
  rpc.call('reconsiderblock', [hashes[0] ?? '']);
  expect(rpc.call('getmininginfo').warnings).toEqual([]);
});

test('a chain that is behind runs no commands for its blocks', () => {
  const rpc = createNodeRpc({
    ...{ network: 'regtest', dialect: 'core-31', clock: () => 1_900_000_000 },
    random: (size) => new Uint8Array(size).fill(7),
  });
  const block = rpc.node.chain.first;
  const tip = { type: 'tip', block, bytes: undefined, isNew: true } as const;
  const options = optionsOf({ blocknotify: '%s' });
  expect(noticeCommands(options, [{ ...tip, isCatchingUp: true }])).toEqual([]);
  expect(noticeCommands(options, [{ ...tip, isCatchingUp: false }])).toHaveLength(1);
});
