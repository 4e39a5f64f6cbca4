import { hash160 } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import type { HeldPsbt } from '../holder/owner.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { type Musig2Share, musig2Shares } from '../psbt/roles/musig2Signer.ts';
import {
  addStoredNonce,
  addStoredPartialSignature,
  hasStoredNonce,
  type NonceStore,
  STORED_NONCE_RANDOM,
} from '../psbt/roles/musig2Stored.ts';
import type { SignOptions } from '../psbt/roles/signer.ts';

interface Musig2Job {
  readonly psbt: Psbt;
  readonly held: Pick<HeldPsbt, 'provider'>;
  readonly shared: SignOptions;
}

/** Where secret nonces wait for the second round, each for one use, and what makes them. */
export interface Musig2Source {
  readonly store: NonceStore;
  /** Returns fresh random bytes, never the same twice. */
  readonly random: (size: number) => Uint8Array;
}

/** What one round added to the aggregate signatures of a PSBT. */
export interface Musig2Counts {
  readonly nonces: number;
  readonly partialSignatures: number;
  /** Shares that wait for the nonces of others. */
  readonly waiting: number;
}

export interface Musig2Round extends Musig2Counts {
  readonly psbt: Psbt;
}

/**
 * Adds nonces, and where those of all participants are there, partial signatures. Expects a PSBT whose review was accepted.
 * @throws `musig2/*`, `store/*`
 */
export function addMusig2Round(psbt: Psbt, shares: readonly OwnShare[], { store, random }: Musig2Source): Musig2Round {
  const own = shares.filter(isOpen);
  // One that is missing must not cost the others.
  const ready = own.filter(({ share }) => share.session !== undefined);
  if (ready.some(({ share }) => hasStoredNonce(psbt, share, store))) {
    const missing = ready.find(({ share }) => !hasStoredNonce(psbt, share, store));
    if (missing)
      throw new BtcError(
        'musig2/nonce-state',
        { reason: 'missing' },
        `Input ${missing.share.inputIndex} holds a nonce of yours that is not kept here, or was used: nothing was signed, so start anew from the unsigned PSBT`,
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

/** A share in an aggregate signature, and the key at hand that may sign it. */
interface OwnShare {
  readonly share: Musig2Share;
  readonly secretKey: Uint8Array;
}

/** Lists the shares of keys at hand in aggregate signatures, which take two rounds. */
export function ownShares({ psbt, held: { provider }, shared }: Musig2Job): readonly OwnShare[] {
  return musig2Shares(psbt, shared).flatMap((share) => {
    const secretKey = provider.key(hash160(share.participantPubkey))?.secretKey;
    return secretKey ? [{ share, secretKey }] : [];
  });
}

const isOpen = ({ share: { hasSigned } }: OwnShare): boolean => !hasSigned;

/** Counts what the next round adds, if its nonces are kept. */
export function nextMusig2Round(job: Musig2Job): Musig2Counts {
  const shares = ownShares(job)
    .filter(isOpen)
    .map(({ share }) => share);
  const nonces = shares.filter(({ hasNonce }) => !hasNonce).length;
  const partialSignatures = shares.filter(({ hasNonce, session }) => hasNonce && session !== undefined).length;
  return { nonces, partialSignatures, waiting: shares.length - nonces - partialSignatures };
}

export const hasNonces = ({ inputs }: Psbt): boolean =>
  inputs.some(({ musig2PubNonces = [] }) => musig2PubNonces.length > 0);
