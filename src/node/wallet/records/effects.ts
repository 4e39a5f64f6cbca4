import { parseHex } from '../../../core/bytes/hex.ts';
import { markUsed, setLabel } from './addressBook.ts';
import type { TxEffect, Wallet } from './walletState.ts';

/** Replays an effect without its transaction. */
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
      setLabel(wallet, { script: parseHex(effect.script), label: '' });
      break;
    default:
      markUsed(wallet, parseHex(effect.script));
  }
}
