import type { OptionNames } from '../bytes/knownOptions.ts';
import { createSignatureCache } from '../crypto/signatureCache.ts';
import { BtcError, shortened } from '../errors.ts';
import type { Holder } from '../holder/holder.ts';
import { type HeldPsbt, holdPsbt } from '../holder/owner.ts';
import { ownsAddress } from '../holder/silentRole.ts';
import { type AnyPsbt, readPsbt } from '../psbt/format/parsePsbt.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { lacksScripts, withPlaceholderScripts } from '../psbt/format/version.ts';
import { extractHex } from '../psbt/roles/extractor.ts';
import { finalizePsbt } from '../psbt/roles/finalizer.ts';
import { requestsInSession, type SignOptions } from '../psbt/roles/signer.ts';
import { updatePsbt } from '../psbt/roles/updater.ts';
import { beginSession, type PsbtSession } from '../psbt/session.ts';
import { addSilentPaymentShares } from '../psbt/silentPayments/shares.ts';
import type { SilentPaymentOptions } from '../psbt/silentPayments/verify.ts';
import { assertAccepted } from '../report/assertAccepted.ts';
import type { Payee } from '../review/intent.ts';
import type { ProveName } from '../review/paymentName.ts';
import type { Policy, PolicyLimits } from '../review/policy.ts';
import { type PsbtReview, reviewInSession } from '../review/reviewPsbt.ts';
import { assertSighashType } from '../sighash/sighashType.ts';
import { keySigner } from '../signing/keySigner.ts';
import { shareSigner } from '../signing/shareSigner.ts';
import { parseSameReceiver } from '../silentPayments/oneReceiver.ts';
import { OPEN_WORDS } from './jobWords.ts';
import { addMusig2Round, type Musig2Counts, type Musig2Source, ownShares } from './musig2Round.ts';
import { findOpenReason, type OpenReason, withoutEarlyFinals } from './openReason.ts';
import { type InputProgress, measureProgress, progressText, waitingForShares } from './progress.ts';
import { answerRequests } from './signPsbt.ts';

/** Options for reviewing a PSBT. */
export interface PsbtOptions {
  readonly policy?: Policy;
  readonly limits?: Partial<PolicyLimits>;
  /** As in `SignOptions`. */
  readonly sighashType?: number;
  /** As in `ReviewOptions`. */
  readonly pays?: readonly Payee[];
  /** As in `ReviewOptions`. */
  readonly proveName?: ProveName;
  /**
   * Addresses of silent payments that the payer has from one receiver, such as those with different labels: of outputs with one
   * scan key and several spend keys, each has to be named here, or the signer's own. Nothing in a PSBT can prove it.
   */
  readonly sameReceiver?: readonly string[];
  /** Those whose hashes the scripts have, such as a swap's. They are written into the PSBT, for everyone who gets it to see. */
  readonly preimages?: readonly Uint8Array[];
}

/** Options for signing a PSBT. */
export interface SigningOptions extends PsbtOptions {
  /** 32 bytes for Schnorr signatures. Default zeros, as in Core, so that signatures repeat. */
  readonly auxRand?: Uint8Array;
  /**
   * Finalizes complete inputs, which drops what only signers need. Default: all, except those whose signatures leave
   * something open in a transaction that is not ready to broadcast.
   */
  readonly finalize?: boolean;
  /** Where nonces of MuSig2 are kept between its two rounds, and fresh random bytes for them. Default: no round is done. */
  readonly musig2?: Musig2Source;
}

export const PSBT_OPTIONS: OptionNames<PsbtOptions> = {
  policy: true,
  limits: true,
  sighashType: true,
  pays: true,
  proveName: true,
  sameReceiver: true,
  preimages: true,
};
export const SIGNING_OPTIONS: OptionNames<SigningOptions> = {
  ...PSBT_OPTIONS,
  auxRand: true,
  finalize: true,
  musig2: true,
};

/** A PSBT in the hands of its signer: one state from opening to signing, which shells only show. */
export interface Job {
  readonly psbt: Psbt;
  /** True if shares of silent payments were added. */
  readonly addedShares: boolean;
  readonly held: HeldPsbt;
  readonly session: PsbtSession;
  readonly payer: Pick<SilentPaymentOptions, 'sameReceiver' | 'isOwnAddress'>;
  readonly shared: Required<Pick<SignOptions, 'cache' | 'ecc'>> & Pick<SignOptions, 'sighashType'>;
}

/** The transaction if it is complete, else the PSBT to pass on. */
export type FinishedPsbt = {
  /** Input fields are final where `SigningOptions.finalize` says. */
  readonly psbt: Psbt;
  readonly inputs: readonly InputProgress[];
  /** True if shares of silent payments were added. The signatures wait until those of all inputs are there. */
  readonly addedShares: boolean;
  /** The reason why a signed transaction is not ready to broadcast. */
  readonly openReason?: OpenReason;
  /** The round of MuSig2 that was done; `no-store` if keys at hand take part, and the caller gave nowhere to keep nonces. */
  readonly musig2?: Musig2Counts | 'no-store';
} & (
  | { readonly isComplete: true; readonly hex: string; readonly txid: string }
  | { readonly isComplete: false; readonly hex?: undefined; readonly txid?: undefined }
);

/** A signed PSBT with the review that allowed the signatures. */
export type SignedByAccount = FinishedPsbt & { readonly review: PsbtReview };

export type OpenOptions = Pick<PsbtOptions, 'sighashType' | 'sameReceiver' | 'preimages'> & {
  /** Adds the shares of silent payments, and their scripts once all are there. Default false. */
  readonly addsShares?: boolean;
};

/**
 * Opens a PSBT with a holder: adds the scripts, keys and origins that the holder knows.
 * @throws as `parsePsbt`, `updatePsbt`
 */
export function openJob(
  input: AnyPsbt,
  holder: Holder,
  { sighashType, sameReceiver, preimages, addsShares = false }: OpenOptions = {},
): Job {
  assertSighashType(sighashType);
  const { network, ecc } = holder;
  const parsed = readPsbt(input, { mweb: network.mweb });
  const held = holdPsbt(holder, parsed);
  const shared = { ecc, cache: createSignatureCache(), ...(sighashType !== undefined && { sighashType }) };
  const provided = { ...shared, provider: held.provider, ...(preimages && { preimages }) };
  const updated = withoutAddedTypes(updatePsbt(parsed, provided), parsed);
  const payer = { sameReceiver: parseSameReceiver(sameReceiver, network), isOwnAddress: ownsAddress(holder) };
  const { sighashType: _, ...remembered } = shared;
  const psbt = addsShares
    ? addSilentPaymentShares(updated, shareSigner(held.sharing, remembered), { ...remembered, ...payer })
    : updated;
  const session = beginSession(withPlaceholderScripts(psbt), shared);
  return { psbt, addedShares: psbt !== updated, held, session, shared, payer };
}

/** Drops the hash types that updating added: other inputs' signers choose theirs. */
function withoutAddedTypes(psbt: Psbt, { inputs: before }: Psbt): Psbt {
  const inputs = psbt.inputs.map((input, index) => {
    const { sighashType: _, ...rest } = input;
    return before[index]?.sighashType === undefined ? rest : input;
  });
  return { ...psbt, inputs };
}

export function reviewJob(
  { psbt, held, session, shared, payer: { sameReceiver = [] } }: Job,
  { policy, limits, pays, proveName }: PsbtOptions = {},
): PsbtReview {
  return reviewInSession(session, psbt, {
    ...shared,
    held,
    sameReceiver,
    ...(pays !== undefined && { pays }),
    ...(proveName && { proveName }),
    ...(policy !== undefined && { policy }),
    ...(limits !== undefined && { limits }),
  });
}

/**
 * Signs a PSBT whose review was accepted, and finalizes what is complete, unless `openReason` says what is left open.
 * @throws `policy/refused` if the review refuses it; `account/nothing-signed` if signing changed nothing; `ecc/fault`
 */
export function signJob(job: Job, review: PsbtReview, options: FinishOptions = {}): SignedByAccount {
  assertAccepted(review);
  const result = finishJob(job, options);
  if (!isProgress(result)) {
    const inputs = result.inputs.map(progressText).join('; ') || OPEN_WORDS['no-inputs'].what;
    throw new BtcError(
      'account/nothing-signed',
      { inputs },
      shortened(`The account could not sign the PSBT: ${inputs}`),
    );
  }
  return { ...result, review };
}

export function isProgress({ isComplete, addedShares, inputs, musig2 }: FinishedPsbt): boolean {
  const hasContributed = typeof musig2 === 'object' && musig2.nonces + musig2.partialSignatures > 0;
  return (
    isComplete || addedShares || hasContributed || inputs.some(({ added, isFinalized }) => added > 0 || isFinalized)
  );
}

type FinishOptions = Pick<SigningOptions, 'auxRand' | 'finalize' | 'musig2'>;

/** Expects a PSBT whose review was accepted. @throws `ecc/fault` */
export function finishJob(job: Job, options: FinishOptions = {}): FinishedPsbt {
  const { psbt, addedShares } = job;
  if (lacksScripts(psbt)) {
    return { psbt, inputs: psbt.inputs.map(waitingForShares), addedShares, isComplete: false };
  }
  const shares = ownShares(job);
  if (shares.length === 0) return signAndFinalize(job, options);
  if (!options.musig2) return { ...signAndFinalize(job, options), musig2: 'no-store' };
  const { psbt: contributed, ...musig2 } = addMusig2Round(psbt, shares, options.musig2);
  return { ...signAndFinalize({ ...job, psbt: contributed }, options), musig2 };
}

function signAndFinalize(
  { psbt, addedShares, held, session, shared }: Job,
  { auxRand, finalize }: FinishOptions,
): FinishedPsbt {
  const { sighashType: _, ...sessionOptions } = shared;
  const { provider } = held;
  const signer = keySigner(provider, { ...sessionOptions, ...(auxRand && { auxRand }) });
  const requests = requestsInSession(session, psbt, { ...shared, publicKey: provider.publicKey });
  const signed = answerRequests(requests, signer);
  const finalized = finalizePsbt(signed.psbt, sessionOptions);
  const openReason = finalized.isComplete ? findOpenReason(finalized.psbt, session) : undefined;
  const isReady = finalized.isComplete && !openReason;
  const finished = withoutEarlyFinals(signed.psbt, finalized, { finalize, isReady });
  const options = { ...shared, held };
  const inputs = measureProgress(signed, finalized, options).map((progress, index) =>
    finished.inputs[index] === finalized.psbt.inputs[index]
      ? progress
      : { ...progress, isFinalized: false, isUnfinalized: true },
  );
  const result = { psbt: finished, inputs, addedShares, ...(openReason && { openReason }) };
  if (!finalized.isComplete || !(finalize ?? isReady)) return { ...result, isComplete: false };
  return { ...result, isComplete: true, ...extractHex(finalized.psbt, sessionOptions) };
}
