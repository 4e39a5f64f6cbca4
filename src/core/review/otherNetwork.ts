import { isOfOtherNetwork } from '../holder/accounts.ts';
import { claimedKeys } from '../holder/claims.ts';
import { HARDENED } from '../keys/path.ts';
import { isVersionOf } from '../keys/slip132.ts';
import type { Network } from '../network/networks.ts';
import type { Psbt } from '../psbt/format/types.ts';

/** Names the network of keys and paths that are not for the given one. */
export function findOtherNetwork(psbt: Psbt, network: Network): string | undefined {
  const paths = [...psbt.inputs, ...psbt.outputs].flatMap(claimedKeys).map(({ origin }) => origin.path);
  const { xpubs = [] } = psbt.global;
  const other = [...paths, ...xpubs.map(({ path }) => path)].find((path) => isOfOtherNetwork(path, network));
  if (other) return coinName((other[1] ?? 0) - HARDENED, network);
  const isOtherVersion = xpubs.some(({ xpub }) => !isVersionOf(readVersion(xpub), network));
  return isOtherVersion ? 'another network' : undefined;
}

/** @see SLIP-0044 */
function coinName(coin: number, { ticker }: Network): string {
  if (coin === 0) return ticker === 'BTC' ? 'the main network' : 'Bitcoin';
  return coin === 1 ? 'a test network' : coin === 2 ? 'Litecoin' : 'another network';
}

const readVersion = ({ buffer, byteOffset }: Uint8Array): number => new DataView(buffer, byteOffset).getUint32(0);
