import type { OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { createSignatureCache } from '../../core/crypto/signatureCache.ts';
import { BtcError, shortened } from '../../core/errors.ts';
import type { ExtendedKey } from '../../core/keys/bip32.ts';
import type { KeyOrigin } from '../../core/keys/path.ts';
import type { Network } from '../../core/network/networks.ts';
import { parsePsbt } from '../../core/psbt/format/parsePsbt.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { lacksScripts, withPlaceholderScripts } from '../../core/psbt/format/version.ts';
import { extractHex } from '../../core/psbt/roles/extractor.ts';
import { finalizePsbt } from '../../core/psbt/roles/finalizer.ts';
import { requestsInSession, type SignOptions } from '../../core/psbt/roles/signer.ts';
import { updatePsbt } from '../../core/psbt/roles/updater.ts';
import { beginSession, type PsbtSession } from '../../core/psbt/session.ts';
import { addSilentPaymentShares } from '../../core/psbt/silentPayments/shares.ts';
import { findOpenReason, OPEN_TEXTS, type OpenReason, withoutEarlyFinals } from '../../core/review/openReason.ts';
import {
  createFindPlace,
  type DescriptorSearch,
  type SearchedDescriptors,
  searchDescriptors,
} from '../../core/review/ownership.ts';
import { assertAccepted, type Policy, type PolicyLimits } from '../../core/review/policy.ts';
import { type InputProgress, measureProgress, progressText, waitingForShares } from '../../core/review/progress.ts';
import { type PsbtReview, type ReviewOptions, reviewInSession } from '../../core/review/reviewPsbt.ts';
import { keyFinder } from '../../core/review/reviewTransaction.ts';
import { answerRequests } from '../../core/review/signReviewed.ts';
import { createFindOrigins } from '../../core/review/verifiedOrigins.ts';
import { keySigner } from '../../core/signing/keySigner.ts';
import { shareSigner } from '../../core/signing/shareSigner.ts';
import { createDescriptorProvider, type SigningProvider } from '../../core/signing/signingProvider.ts';
import { parseSameReceiver } from '../../core/silentPayments/oneReceiver.ts';
import type { SilentPaymentReceiver } from '../../core/silentPayments/receiver.ts';
import { createClaimedProvider } from './claimedKeys.ts';
import { createSilentOwner, type SilentOwner } from './silentOwner.ts';

export interface AccountKeys extends SearchedDescriptors {
  readonly network: Network;
  /** Master or account keys, which also sign wherever a PSBT names a key below them. */
  readonly masters: readonly ExtendedKey[];
  readonly others?: SigningProvider;
  /** The wallet of silent payments, if it is one. */
  readonly receiver?: SilentPaymentReceiver;
  readonly ecc: Ecc;
}

/** Options for reviewing a PSBT with an account. */
export interface PsbtOptions {
  readonly policy?: Policy;
  readonly limits?: Partial<PolicyLimits>;
  /** As in `SignOptions`. */
  readonly sighashType?: number;
  /**
   * Addresses of silent payments that the payer has from one receiver, such as those with different labels: of outputs with one
   * scan key and several spend keys, each has to be named here, or the account's own. Nothing in a PSBT can prove it.
   */
  readonly sameReceiver?: readonly string[];
}

/** Options for signing a PSBT with an account. */
export interface SigningOptions extends PsbtOptions {
  /** 32 bytes for Schnorr signatures. Default zeros, as in Core, so that signatures repeat. */
  readonly auxRand?: Uint8Array;
  /**
   * Finalizes complete inputs, which drops what only signers need. Default: all, except those whose signatures leave
   * something open in a transaction that is not ready to broadcast.
   */
  readonly finalize?: boolean;
}

export const PSBT_OPTIONS: OptionNames<PsbtOptions> = {
  policy: true,
  limits: true,
  sighashType: true,
  sameReceiver: true,
};
export const SIGNING_OPTIONS: OptionNames<SigningOptions> = { ...PSBT_OPTIONS, auxRand: true, finalize: true };

type UpdateOptions = PsbtOptions & {
  /** Adds the shares of silent payments, and their scripts once all are there, as only signing does. Default false. */
  readonly addsShares?: boolean;
};

export interface UpdatedPsbt extends Required<SearchedDescriptors> {
  readonly psbt: Psbt;
  readonly addedShares: boolean;
  readonly provider: SigningProvider;
  readonly publicKeyAt: NonNullable<ReviewOptions['publicKeyAt']>;
  readonly silentOwner: SilentOwner & Pick<ReviewOptions, 'sameReceiver'>;
  /** `provider` without the keys that count as keys of others. */
  readonly own: SigningProvider;
  readonly search: DescriptorSearch;
  readonly session: PsbtSession;
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
} & (
  | { readonly isComplete: true; readonly hex: string; readonly txid: string }
  | { readonly isComplete: false; readonly hex?: undefined; readonly txid?: undefined }
);

/** A signed PSBT with the review that allowed the signatures. */
export type SignedByAccount = FinishedPsbt & { readonly review: PsbtReview };

export function updateWithAccount(
  input: Psbt | string | Uint8Array,
  keys: AccountKeys,
  { sighashType, sameReceiver, addsShares = false }: UpdateOptions = {},
): UpdatedPsbt {
  const { network, descriptors, sources = [], masters, others, ecc } = keys;
  if (!isText(input) && !Array.isArray(input?.inputs)) {
    throw new BtcError(
      'psbt/unrecognized',
      {},
      'This is not a PSBT: pass its text, its bytes, or the result of parsePsbt',
    );
  }
  const parsed = isText(input) ? parsePsbt(input, { mweb: network.mweb }) : input;
  const search = searchDescriptors(parsed, { descriptors, sources }, ecc);
  const derived = createDescriptorProvider(
    search.places.map((place) => place.derived),
    { written: descriptors },
  );
  const findPlace = createFindPlace(search);
  const claimed = masters.map((own) => createClaimedProvider(parsed, { own, descriptors, findPlace }, ecc));
  const given = others ? [others] : [];
  const ofKeys = [...given, ...claimed.map((one) => one.provider)];
  const provider = ofKeys.reduce(joinProviders, derived);
  const isOwn = (descriptor: number): boolean => sources[descriptor]?.hasOthersKeys !== true;
  const own = descriptors.every((_, descriptor) => isOwn(descriptor))
    ? provider
    : createOwnProvider({ descriptors, search }, isOwn, ofKeys);
  const publicKeyAt = (origin: KeyOrigin): Uint8Array | undefined => {
    for (const one of claimed) {
      const publicKey = one.publicKeyAt(origin);
      if (publicKey) return publicKey;
    }
    return undefined;
  };
  const shared = { ecc, cache: createSignatureCache(), ...(sighashType !== undefined && { sighashType }) };
  const updatedPsbt = withoutAddedTypes(updatePsbt(parsed, { ...shared, provider }), parsed);
  const sharing = [...given, ...claimed.map((one) => one.sharing)].reduce(joinProviders, derived);
  const silentOwner = { ...createSilentOwner(keys), sameReceiver: parseSameReceiver(sameReceiver, network) };
  const { ownsSpendKey: _, ...payer } = silentOwner;
  const { sighashType: __, ...remembered } = shared;
  const psbt = addsShares
    ? addSilentPaymentShares(updatedPsbt, shareSigner(sharing, remembered), { ...remembered, ...payer })
    : updatedPsbt;
  const session = beginSession(withPlaceholderScripts(psbt), shared);
  const addedShares = psbt !== updatedPsbt;
  const found = { provider, own, publicKeyAt, silentOwner };
  return { psbt, addedShares, ...found, descriptors, sources, search, session, shared };
}

function createOwnProvider(
  { descriptors, search }: Pick<UpdatedPsbt, 'descriptors' | 'search'>,
  isOwn: (descriptor: number) => boolean,
  ofKeys: readonly SigningProvider[],
): SigningProvider {
  const derived = search.places.filter(({ descriptor }) => isOwn(descriptor)).map((place) => place.derived);
  const written = descriptors.filter((_, descriptor) => isOwn(descriptor));
  return ofKeys.reduce(joinProviders, createDescriptorProvider(derived, { written }));
}

/** Drops the hash types that updating added: other inputs' signers choose theirs. */
function withoutAddedTypes(psbt: Psbt, { inputs: before }: Psbt): Psbt {
  const inputs = psbt.inputs.map((input, index) => {
    const { sighashType: _, ...rest } = input;
    return before[index]?.sighashType === undefined ? rest : input;
  });
  return { ...psbt, inputs };
}

export function reviewUpdated(
  { psbt, provider, own, publicKeyAt, silentOwner, descriptors, sources, search, session, shared }: UpdatedPsbt,
  network: Network,
  { policy, limits }: PsbtOptions = {},
): PsbtReview {
  return reviewInSession(session, psbt, {
    ...shared,
    holdsKey: keyFinder(provider),
    publicKeyAt,
    ...silentOwner,
    ownsKey: keyFinder(own),
    publicKey: provider.publicKey,
    network,
    descriptors,
    sources,
    search,
    ...(policy && { policy }),
    ...(limits && { limits }),
  });
}

const isText = (value: Psbt | string | Uint8Array): value is string | Uint8Array =>
  typeof value === 'string' || value instanceof Uint8Array;

/** @throws as `Account.sign` */
export function signUpdated(updated: UpdatedPsbt, review: PsbtReview, options: FinishOptions = {}): SignedByAccount {
  assertAccepted(review.findings);
  const result = finishUpdated(updated, options);
  if (!isProgress(result)) {
    const inputs = result.inputs.map(progressText).join('; ') || OPEN_TEXTS['no-inputs'];
    throw new BtcError(
      'account/nothing-signed',
      { inputs },
      shortened(`The account could not sign the PSBT: ${inputs}`),
    );
  }
  return { ...result, review };
}

export function isProgress({ isComplete, addedShares, inputs }: FinishedPsbt): boolean {
  return isComplete || addedShares || inputs.some(({ added, isFinalized }) => added > 0 || isFinalized);
}

type FinishOptions = Pick<SigningOptions, 'auxRand' | 'finalize'>;

/** Expects a PSBT whose review was accepted. @throws `ecc/fault` */
export function finishUpdated(
  { psbt, addedShares, provider, session, search, shared }: UpdatedPsbt,
  { auxRand, finalize }: FinishOptions = {},
): FinishedPsbt {
  if (lacksScripts(psbt)) {
    return { psbt, inputs: psbt.inputs.map(waitingForShares), addedShares, isComplete: false };
  }
  const { sighashType: _, ...sessionOptions } = shared;
  const signer = keySigner(provider, { ...sessionOptions, ...(auxRand && { auxRand }) });
  const requests = requestsInSession(session, psbt, { ...shared, publicKey: provider.publicKey });
  const signed = answerRequests(requests, signer);
  const finalized = finalizePsbt(signed.psbt, sessionOptions);
  const openReason = finalized.isComplete ? findOpenReason(finalized.psbt, session) : undefined;
  const isReady = finalized.isComplete && !openReason;
  const finished = withoutEarlyFinals(signed.psbt, finalized, { finalize, isReady });
  const options = { ...shared, findOrigins: createFindOrigins(createFindPlace(search)) };
  const inputs = measureProgress(signed, finalized, options).map((progress, index) =>
    finished.inputs[index] === finalized.psbt.inputs[index]
      ? progress
      : { ...progress, isFinalized: false, isUnfinalized: true },
  );
  const result = { psbt: finished, inputs, addedShares, ...(openReason && { openReason }) };
  if (!finalized.isComplete || !(finalize ?? isReady)) return { ...result, isComplete: false };
  return { ...result, isComplete: true, ...extractHex(finalized.psbt, sessionOptions) };
}

export function joinProviders(first: SigningProvider, second: SigningProvider): SigningProvider {
  return {
    key: (hash) => first.key(hash) ?? second.key(hash),
    xOnlyKey: (publicKey) => first.xOnlyKey(publicKey) ?? second.xOnlyKey(publicKey),
    publicKey: (hash) => first.publicKey(hash) ?? second.publicKey(hash),
    origin: (publicKey) => first.origin(publicKey) ?? second.origin(publicKey),
    xOnlyOrigin: (publicKey) => first.xOnlyOrigin(publicKey) ?? second.xOnlyOrigin(publicKey),
    script: (hash) => first.script(hash) ?? second.script(hash),
    taproot: (outputKey) => first.taproot(outputKey) ?? second.taproot(outputKey),
    aggregates: [...first.aggregates, ...second.aggregates],
  };
}
