import type { NodeRpc } from './library.ts';
import { ask, LEGACY, type WalletKind } from './walletWorld.ts';

const SEED = 'cRq6ZF6nt9wGoeZ92sNJnSe7NznZAjJr5UPBQsWAGMg2bEXTsu3e';
const MASTER =
  'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK';
const WRAPPERS = { legacy: ['pkh(', ')'], 'p2sh-segwit': ['sh(wpkh(', '))'], bech32: ['wpkh(', ')'] };

/** Makes a wallet, `w`, whose keys are always the same. */
export function makeKeyWallet(rpc: NodeRpc, kind: WalletKind): void {
  ask(rpc, 'createwallet', ['w', false, true]);
  if (kind === LEGACY) {
    ask(rpc, 'sethdseed', [true, SEED]);
    return;
  }
  const requests = Object.values(WRAPPERS).flatMap(([before, after], i) =>
    [0, 1].map((side) => {
      const text = `${before}${MASTER}/${i}h/${side}/*${after}`;
      const { checksum } = ask(rpc, 'getdescriptorinfo', [text]) as { readonly checksum: string };
      return { desc: `${text}#${checksum}`, active: true, internal: side === 1, timestamp: 1, range: [0, 1] };
    }),
  );
  ask(rpc, 'importdescriptors', [requests]);
}
