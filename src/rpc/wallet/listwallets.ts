import type { NodeMethod } from './context.ts';

/** @see Bitcoin Core `listwallets` */
export const listwallets: NodeMethod<readonly string[]> = {
  name: 'listwallets',
  needs: 'node',
  params: [],
  help: `Lists the loaded wallets.

Result:
their names

Examples:
> countersign listwallets`,
  run: (_, { node }) => [...node.loaded],
};

/** @see Bitcoin Core `listwalletdir` */
export const listwalletdir: NodeMethod<{ readonly wallets: readonly { readonly name: string }[] }> = {
  name: 'listwalletdir',
  needs: 'node',
  params: [],
  help: `Lists all wallets, loaded or not, in the order of their creation.

Result:
wallets     an object for each, with its "name"

Examples:
> countersign listwalletdir --wallet-dir wallets`,
  run: (_, { node }) => ({ wallets: [...node.wallets.keys()].map((name) => ({ name })) }),
};
