import { formatHex } from '../../bytes/hex.ts';
import { isOfOtherNetwork } from '../../holder/accounts.ts';
import { claimedKeys, isUnnamed } from '../../holder/claims.ts';
import { fingerprintOf, isMaster } from '../../holder/heldKey.ts';
import type { Holder } from '../../holder/holder.ts';
import { HARDENED } from '../../keys/path.ts';
import { isVersionOf } from '../../keys/slip132.ts';
import type { Network } from '../../network/networks.ts';
import type { Psbt } from '../../psbt/format/types.ts';
import type { InputReview } from '../inputReview.ts';

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

const SHOWN_FINGERPRINTS = 10;

/** Says which master keys a PSBT needs if no given key can sign, as after a wrong passphrase. */
export function otherMastersText(
  { inputs }: { readonly inputs: readonly Pick<InputReview, 'canSign' | 'claimedKeys'>[] },
  { keys }: Pick<Holder, 'keys'>,
): string | undefined {
  if (inputs.some(({ canSign }) => canSign)) return undefined;
  const own = keys.filter(isMaster).map((key) => formatHex(fingerprintOf(key)));
  const origins = inputs.flatMap((input) => input.claimedKeys.map(({ origin }) => origin));
  const named = origins.filter((origin) => !isUnnamed(origin));
  const fingerprints = [...new Set(named.map(({ fingerprint }) => formatHex(fingerprint)))];
  if (own.length === 0 || fingerprints.length === 0 || fingerprints.some((fingerprint) => own.includes(fingerprint)))
    return undefined;
  const listed = fingerprints.slice(0, SHOWN_FINGERPRINTS).join(', ');
  return `the PSBT needs keys of the master ${fingerprints.length === 1 ? 'key' : 'keys'} ${listed}; yours is ${own.join(', ')}: are the words and the passphrase the right ones?`;
}
