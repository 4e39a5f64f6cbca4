import { bytesKey } from '../../src/core/bytes/compare.ts';
import { taprootSpend } from '../../src/core/descriptors/taprootSpend.ts';
import { payToPubkey } from '../../src/core/script/build.ts';
import { createSignatureData, NO_LEAF, type SignatureData, signerName } from '../../src/core/signing/signatureData.ts';
import { aggregateKeys, nobleEcc, partialSign, tapLeafHash, tapTweakHash } from './library.ts';
import { filled, PAIR, prepare } from './musig2.ts';

// The records of an input whose key, or a key of its leaf, is the sum of two participants' keys. @see BIP373

export const participants = PAIR.secretKeys.map((secretKey) => nobleEcc.publicKey(secretKey));
export const SUM = aggregateKeys(participants);
export const X_ONLY = SUM.publicKey.slice(1);
export const ROOT = filled(9);
const script = payToPubkey(X_ONLY);
export const SPEND = taprootSpend(
  nobleEcc.publicKey(filled(3)).slice(1),
  [{ depth: 0, leafVersion: 0xc0, script }],
  nobleEcc,
);
export const leafHash = tapLeafHash(script);
const tweak = tapTweakHash(X_ONLY, ROOT);
export const tweakedKey = nobleEcc.tweakPublicKey(X_ONLY, tweak)?.publicKey ?? X_ONLY;

type Contributions = readonly { readonly leafHash?: Uint8Array; readonly isTweaked?: boolean }[];

/** Returns the records of an input for which every participant has contributed to these places. */
export function contributed(places: Contributions, skip: { nonce?: number; partial?: number } = {}): SignatureData {
  const pubNonces = new Map<string, { pubNonce: Uint8Array }>();
  const partialSigs = new Map<string, { partialSig: Uint8Array }>();
  for (const place of places) {
    const prepared = prepare({ ...PAIR, tweaks: place.isTweaked ? [{ tweak, isXOnly: true }] : [] });
    const aggregatePubkey = prepared.aggregate.publicKey;
    for (const [i, { publicKey, secretKey, publicNonce, secretNonce }] of prepared.participants.entries()) {
      const name = signerName({ participantPubkey: publicKey, aggregatePubkey, leafHash: place.leafHash ?? NO_LEAF });
      if (skip.nonce !== i) pubNonces.set(name, { pubNonce: publicNonce });
      const partialSig = partialSign(secretNonce, secretKey, prepared.session);
      if (skip.partial !== i) partialSigs.set(name, { partialSig });
    }
  }
  const data = createSignatureData({}, { pubNonces, partialSigs });
  const record = { aggregatePubkey: SUM.publicKey, participants };
  data.taproot.aggregates.set(bytesKey(SUM.publicKey), record);
  return data;
}
