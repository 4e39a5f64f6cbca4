import { nodeMethod } from '../context.ts';

export const listwallets = nodeMethod({
  name: 'listwallets',
  about: 'Lists the loaded wallets.',
  params: [],
  result: 'their names',
  examples: ['listwallets'],
  run: (_, { node }): readonly string[] => [...node.loaded],
});

export const listwalletdir = nodeMethod({
  name: 'listwalletdir',
  about: 'Lists all wallets, loaded or not, in the order of their creation.',
  params: [],
  result: 'wallets     an object for each, with its "name"',
  examples: ['listwalletdir --wallet-dir wallets'],
  run: (_, { node }): { readonly wallets: readonly { readonly name: string }[] } => ({
    wallets: [...node.wallets.keys()].map((name) => ({ name })),
  }),
});
