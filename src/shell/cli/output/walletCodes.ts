import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import type { Network } from '../../../core/network/networks.ts';
import { encodeWalletUr } from '../../../kit/qr/encodeWalletUr.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';
import type { CodeContent } from './showCodes.ts';

/** Encodes public descriptors for a watching wallet. */
export function walletCodes(descriptors: readonly string[], network: Network): CodeContent {
  const coin = network.ticker === 'LTC' ? 'litecoin' : 'bitcoin';
  return {
    bbqr: { type: 'text', content: encodeUtf8(descriptors.join('\n')) },
    ur: (fragmentSize) => withUsageErrors(() => encodeWalletUr(descriptors, { coin, fragmentSize })),
  };
}
