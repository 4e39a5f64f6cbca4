import { parseHex } from '../bytes/hex.ts';
import { markUsed, setLabel } from './addressBook.ts';
import type { Wallet } from './walletState.ts';

/** A change of a wallet's keys, indexes or address book that came with a transaction. */
export type TxEffect =
  /** A key of a seed was paid; `at`: UNIX time. */
  | { readonly type: 'key'; readonly hash: string; readonly at: number }
  /** An index of a descriptor was paid. */
  | { readonly type: 'index'; readonly descriptor: string; readonly index: number }
  /** An address got an empty label. */
  | { readonly type: 'label'; readonly script: string }
  /** Coins of an address were spent. */
  | { readonly type: 'spent'; readonly script: string };

/** Applies an effect again, without its transaction. */
export function applyEffect(wallet: Wallet, effect: TxEffect): void {
  const { legacy, descriptors } = wallet;
  switch (effect.type) {
    case 'key':
      legacy?.hd.use(parseHex(effect.hash), effect.at);
      break;
    case 'index': {
      const owned = descriptors?.descriptors().find(({ id }) => id === effect.descriptor);
      if (owned) descriptors?.use({ owned, index: effect.index });
      break;
    }
    case 'label':
      setLabel(wallet, parseHex(effect.script), '');
      break;
    default:
      markUsed(wallet, parseHex(effect.script));
  }
}
