import { formatHex } from '../../bytes/hex.ts';
import { type ExtendedKey, keyFingerprint } from '../../keys/bip32.ts';
import { HARDENED, type KeyOrigin } from '../../keys/path.ts';
import type { Network } from '../../network/networks.ts';
import type { Psbt } from '../../psbt/format/types.ts';
import { claimedKeys, isUnnamed } from '../claimedPlaces.ts';
import type { InputReview } from '../inputReview.ts';

/** Second steps of key paths. @see SLIP-0044 */
const COINS = { bitcoin: HARDENED, test: HARDENED + 1, litecoin: HARDENED + 2 } as const;

/** @see BIP44, BIP48, BIP49, BIP84, BIP86 */
function hasCoin([purpose = 0]: KeyOrigin['path']): boolean {
  return [44, 48, 49, 84, 86].includes(purpose - HARDENED);
}

/** Names the network of key paths, if none is for the given one. */
export function findOtherNetwork(psbt: Psbt, network: Network): string | undefined {
  const paths = [...psbt.inputs, ...psbt.outputs]
    .flatMap(claimedKeys)
    .map(({ origin }) => origin.path)
    .filter(hasCoin);
  const isTest = !network.isMain;
  const others = paths.filter(([, coin]) => (coin === COINS.test) !== isTest);
  if (others.length > 0 && others.length === paths.length) return isTest ? 'the main network' : 'a test network';
  const [theirs, name] = network.ticker === 'LTC' ? [COINS.bitcoin, 'Bitcoin'] : [COINS.litecoin, 'Litecoin'];
  return !isTest && paths.length > 0 && paths.every(([, coin]) => coin === theirs) ? name : undefined;
}

const SHOWN_FINGERPRINTS = 10;

/** Says which master keys a PSBT needs if no given key can sign, as after a wrong passphrase. */
export function otherMastersText(
  { inputs }: { readonly inputs: readonly Pick<InputReview, 'hasOwnKey' | 'claimedKeys'>[] },
  masters: readonly ExtendedKey[],
): string | undefined {
  if (inputs.some(({ hasOwnKey }) => hasOwnKey)) return undefined;
  const own = masters.filter(({ depth }) => depth === 0).map((master) => formatHex(keyFingerprint(master)));
  const origins = inputs.flatMap((input) => input.claimedKeys.map(({ origin }) => origin));
  const named = origins.filter((origin) => !isUnnamed(origin));
  const fingerprints = [...new Set(named.map(({ fingerprint }) => formatHex(fingerprint)))];
  if (own.length === 0 || fingerprints.length === 0 || fingerprints.some((fingerprint) => own.includes(fingerprint)))
    return undefined;
  const listed = fingerprints.slice(0, SHOWN_FINGERPRINTS).join(', ');
  return `the PSBT needs keys of the master ${fingerprints.length === 1 ? 'key' : 'keys'} ${listed}; yours is ${own.join(', ')}: are the words and the passphrase the right ones?`;
}
