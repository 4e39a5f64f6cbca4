import { isOfOtherNetwork } from '../holder/accounts.ts';
import { claimedKeys } from '../holder/claims.ts';
import { HARDENED } from '../keys/path.ts';
import { isVersionOf } from '../keys/slip132.ts';
import type { Network } from '../network/networks.ts';
import type { Psbt } from '../psbt/format/types.ts';

/** Finds keys and paths of another network, with the coin type of their paths if these tell. @see SLIP-0044 */
export function findOtherNetwork(psbt: Psbt, network: Network): { readonly coinType?: number } | undefined {
  const paths = [...psbt.inputs, ...psbt.outputs].flatMap(claimedKeys).map(({ origin }) => origin.path);
  const { xpubs = [] } = psbt.global;
  const other = [...paths, ...xpubs.map(({ path }) => path)].find((path) => isOfOtherNetwork(path, network));
  if (other) return { coinType: (other[1] ?? 0) - HARDENED };
  return xpubs.some(({ xpub }) => !isVersionOf(readVersion(xpub), network)) ? {} : undefined;
}

const readVersion = ({ buffer, byteOffset }: Uint8Array): number => new DataView(buffer, byteOffset).getUint32(0);
