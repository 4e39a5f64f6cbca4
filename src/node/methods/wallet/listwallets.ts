import { list, maybe, members, text } from '../../../answers/method/results.ts';
import { nodeMethod } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const listwallets = nodeMethod({
  name: 'listwallets',
  category: 'wallet',
  about: 'Lists the loaded wallets.',
  params: [],
  result: list(text(), 'their names'),
  examples: ['listwallets'],
  run: (_, { node }) => [...node.loaded],
});

export const listwalletdir = nodeMethod({
  name: 'listwalletdir',
  category: 'wallet',
  about: 'Lists all wallets, loaded or not, in the order of their creation.',
  params: [],
  result: members({
    wallets: list(members({ name: text(), warnings: maybe(list(text(), 'none here'), { since: 'core-30' }) })),
  }),
  examples: ['listwalletdir --wallet-dir wallets'],
  run: (_, { node, dialect }) => {
    const { warnsOfWallets } = walletMethodRules[dialect.generation];
    const warnings = warnsOfWallets ? { warnings: [] } : {};
    return { wallets: [...node.wallets.keys()].map((name) => ({ name, ...warnings })) };
  },
});
