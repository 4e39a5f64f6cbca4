import { hash160 } from '../../core/crypto/hash.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { type Musig2Share, musig2Shares } from '../../core/psbt/roles/musig2Signer.ts';
import {
  addStoredNonce,
  addStoredPartialSignature,
  hasStoredNonce,
  type NonceStore,
  STORED_NONCE_RANDOM,
} from '../../core/psbt/roles/musig2Stored.ts';
import type { UpdatedPsbt } from '../../kit/account/accountPsbt.ts';
import { counted } from '../sync/syncProgress.ts';
import { UsageError } from '../terminal/usageError.ts';

/** What one run of `sign` added to the aggregate signatures of a PSBT. */
export interface Musig2Round {
  readonly psbt: Psbt;
  readonly nonces: number;
  readonly partialSignatures: number;
  /** Shares that wait for the nonces of others. */
  readonly waiting: number;
}

/**
 * Adds nonces, and where those of all participants are there, partial signatures. Expects a PSBT whose review was accepted.
 * @throws `musig2/*`, `store/*`
 */
export function addMusig2Round(
  { psbt, provider, shared }: UpdatedPsbt,
  { store, random }: { readonly store: NonceStore; readonly random: (size: number) => Uint8Array },
): Musig2Round {
  const own = musig2Shares(psbt, shared).flatMap((share) => {
    const secretKey = provider.key(hash160(share.participantPubkey))?.secretKey;
    return secretKey && !share.hasSigned ? [{ share, secretKey }] : [];
  });
  // One that is missing must not cost the others.
  const ready = own.filter(({ share }) => share.session !== undefined);
  if (ready.some(({ share }) => hasStoredNonce(psbt, share, store))) {
    const missing = ready.find(({ share }) => !hasStoredNonce(psbt, share, store));
    if (missing)
      throw new UsageError(
        `input ${missing.share.inputIndex} holds a nonce of yours that is not kept here, or was used: nothing was signed, so start anew from the unsigned PSBT`,
      );
  }
  let round: Musig2Round = { psbt, nonces: 0, partialSignatures: 0, waiting: 0 };
  for (const { share, secretKey } of own) {
    if (!share.hasNonce) {
      const added = addStoredNonce(round.psbt, share, { secretKey, rand: random(STORED_NONCE_RANDOM), store });
      round = { ...round, psbt: added, nonces: round.nonces + 1 };
    } else if (share.session) {
      const signed = addStoredPartialSignature(round.psbt, share, { secretKey, store });
      round = { ...round, psbt: signed, partialSignatures: round.partialSignatures + 1 };
    } else round = { ...round, waiting: round.waiting + 1 };
  }
  return round;
}

/** Says that a PSBT has aggregate keys, whose signing takes two rounds. */
export const hasMusig2Shares = ({ psbt, provider, shared }: UpdatedPsbt): boolean =>
  musig2Shares(psbt, shared).some((share: Musig2Share) => provider.key(hash160(share.participantPubkey)) !== undefined);

export const hasNonces = ({ inputs }: Psbt): boolean =>
  inputs.some(({ musig2PubNonces = [] }) => musig2PubNonces.length > 0);

/** Says what was added, and what comes next. */
export function musig2Text({ nonces, partialSignatures, waiting }: Musig2Round): readonly string[] {
  if (nonces > 0) {
    return [
      `${counted(nonces, 'MuSig2 nonce')} added. Next: combine the PSBT with those of the other participants, then sign again here, with the same --nonce-dir`,
    ];
  }
  if (partialSignatures > 0) {
    return [
      `${counted(partialSignatures, 'MuSig2 partial signature')} added. Next: pass the PSBT on to the next participant, or combine it with theirs and finalize it`,
    ];
  }
  return [
    `nothing was signed: ${counted(waiting, 'MuSig2 key')} still ${waiting === 1 ? 'waits' : 'wait'} for the nonces of other participants. Next: combine the PSBT with theirs, then sign again here`,
  ];
}
