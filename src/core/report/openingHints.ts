import { formatHex } from '../bytes/hex.ts';
import { isUnnamed } from '../holder/claims.ts';
import { fingerprintOf, isMaster } from '../holder/heldKey.ts';
import type { Holder } from '../holder/holder.ts';
import type { InputReview } from '../review/inputReview.ts';

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
