import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { formatAmount } from '../encoding/amount.ts';
import { formatOrigin, formatPath, isHardened, type KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import { faultText } from '../psbt/silentPayments/faults.ts';
import type { SilentPayment } from '../psbt/silentPayments/verify.ts';
import { isOutputKey, tapTreeRoot } from '../script/tapTree.ts';
import { CURRENT_TEMPLATES, classifyScript, type ScriptTemplate } from '../script/template.ts';
import { formatSilentPaymentAddress, hasSilentPayments } from '../silentPayments/address.ts';
import { CHANGE_LABEL } from '../silentPayments/labels.ts';
import { dustThreshold } from '../tx/dust.ts';
import type { TxOut } from '../tx/types.ts';
import type { ChangeRules } from './change.ts';
import { type ClaimedKey, claimedKeys } from './claimedPlaces.ts';
import { judgeFate } from './fate.ts';
import { descriptorName, type FindOwner, manyIndexes, type VerifiedOwner } from './ownership.ts';
import { type Observation, type PolicyLimits, when } from './policy.ts';
import { type UnwrappedRecords, unwrapRecords } from './scripts.ts';

/** The review of one output. */
export interface OutputReview {
  readonly outputIndex: number;
  /** In satoshi. */
  readonly value: bigint;
  /** Empty for a silent payment whose script is not computed yet. */
  readonly scriptPubKey: Uint8Array;
  /** The place in the given descriptors that derives the script. */
  readonly verifiedOwner?: VerifiedOwner;
  /** The same, if it is change and no signature lets anything change. */
  readonly verifiedChange?: VerifiedOwner;
  /** True if it counts as spent: the coins being spent are of other wallets. */
  readonly isOtherWallet: boolean;
  readonly claimedKeys: readonly ClaimedKey[];
  /** The address that it pays, if that is proven, or is said to pay. The network may lack such addresses. @see BIP375 */
  readonly silentPayment?: {
    readonly address?: string;
    /** As in `SilentPayment`; `conditional` also if coins are only claimed, or signatures leave something open. */
    readonly status: SilentPayment['status'];
    /** True if it provably pays the signer's own address, and only coins of the signer alone are spent: it is change. */
    readonly isOwn?: true;
  };
}

interface OutputFacts {
  readonly output: PsbtOutput;
  readonly review: OutputReview;
  readonly template: ScriptTemplate;
  readonly network: Network;
  readonly limits: PolicyLimits;
  readonly spent: Spent;
  readonly change: ChangeRules;
  readonly hasDescriptors: boolean;
  /** Index of the first output that pays to an anchor, or -1. */
  readonly firstAnchor: number;
  readonly ecc: Ecc;
  readonly silentPayment: ReviewedPayment | undefined;
  /** A coin may have another script than the PSBT claims. */
  readonly hasClaimedCoins: boolean;
  /** No signature, made or to be made, lets anything change. */
  readonly isFixed: boolean;
}

/** Facts about inputs, to compare change with; accounts by fingerprint. */
export interface Spent {
  readonly kinds: ReadonlySet<string>;
  readonly quorums: ReadonlySet<string>;
  readonly accounts: ReadonlyMap<string, ReadonlySet<string>>;
}

export function spentBy(
  inputs: readonly {
    readonly unwrapped: UnwrappedRecords | undefined;
    readonly review: { readonly coin: TxOut | undefined; readonly claimedKeys: readonly ClaimedKey[] };
  }[],
): Spent {
  const [kinds, quorums, accounts] = [new Set<string>(), new Set<string>(), new Map<string, Set<string>>()];
  for (const { unwrapped, review } of inputs) {
    const { coin, claimedKeys: claimed } = review;
    if (coin) kinds.add(scriptKind(coin.scriptPubKey));
    if (unwrapped) quorums.add(quorumName(unwrapped.template, claimed));
    for (const { origin } of claimed) {
      const key = bytesKey(origin.fingerprint);
      accounts.set(key, (accounts.get(key) ?? new Set()).add(accountPath(origin)));
    }
  }
  return { kinds, quorums, accounts };
}

type Found = Pick<Observation, 'check' | 'text'>;
type OutputCheck = (facts: OutputFacts) => readonly Found[];

export interface OutputContext extends Omit<OutputFacts, 'output' | 'review' | 'template' | 'silentPayment'> {
  readonly findOwner: FindOwner;
}

/** A silent payment of a review. */
export interface ReviewedPayment extends SilentPayment {
  /** True if it, and all others with its scan key, are to addresses of the signer, and none is refuted. */
  readonly isOwnAddress: boolean;
  /** True if the signer has the scan key, and another spend key than that of the address, with any label that is known. */
  readonly isOtherAddress: boolean;
}

interface ReviewedOutput {
  readonly output: PsbtOutput;
  readonly outputIndex: number;
  readonly silentPayment?: ReviewedPayment | undefined;
}

export function reviewOutput(
  { value, scriptPubKey }: TxOut,
  { output, outputIndex, silentPayment }: ReviewedOutput,
  { findOwner, ...context }: OutputContext,
): { readonly review: OutputReview; readonly observations: readonly Observation[] } {
  const claimed = claimedKeys(output);
  // The sender of a silent payment can choose the address so that the script is any: only the address says whose it is.
  const owner = silentPayment ? undefined : findOwner(scriptPubKey);
  const isChange = owner !== undefined && context.change.isChange(owner);
  const review: OutputReview = {
    outputIndex,
    value,
    scriptPubKey: silentPayment && !silentPayment.script ? NO_SCRIPT : scriptPubKey,
    ...(owner && { verifiedOwner: owner, ...(context.isFixed && isChange && { verifiedChange: owner }) }),
    isOtherWallet: owner !== undefined && !isChange,
    claimedKeys: claimed,
    ...(silentPayment && { silentPayment: silentPaymentReview(silentPayment, context) }),
  };
  const template = classifyScript(scriptPubKey, { ...CURRENT_TEMPLATES, mweb: context.network.mweb });
  const facts = { ...context, output, silentPayment, review: { ...review, scriptPubKey }, template };
  const observations = (silentPayment ? SILENT_CHECKS : CHECKS)
    .flatMap((check) => check(facts))
    .map((observation) => ({ ...observation, outputIndex }));
  return { review, observations };
}

const checkValue: OutputCheck = ({ output, review, template, network, limits, firstAnchor, ecc }) => {
  const { value, scriptPubKey, outputIndex } = review;
  const isImpossible = value < 0n || value > network.maxMoney;
  const fate = judgeFate({ scriptPubKey, template }, output, ecc);
  const isBurnt = fate === 'burnt';
  const limit = dustThreshold(scriptPubKey, limits.dustFeeRate);
  const isAnchor = template.type === 'anchor';
  const isGift = fate === 'open' && Number(value) > (outputIndex === firstAnchor ? ANCHOR_LIMIT * limit : 0);
  const isDust = !isBurnt && !isAnchor && value >= 0n && Number(value) < limit;
  const amount = `${formatAmount(value)} ${network.ticker}`;
  return [
    ...when(isImpossible, 'amount-impossible', () => `Output ${outputIndex} pays an amount that cannot exist.`),
    ...when(isBurnt && value > 0n, 'burn', () => `Output ${outputIndex} destroys ${amount}: it can never be spent.`),
    ...when(isGift, 'anyone-can-spend', () => `Output ${outputIndex} gives ${amount} away: anyone can spend it.`),
    ...when(isDust, 'dust', () => `Output ${outputIndex} is dust: it would cost more to spend than it is worth.`),
    ...manyIndexes(output, `Output ${outputIndex}`),
  ];
};

function silentPaymentReview(
  { address, status: verified, isOwnAddress }: ReviewedPayment,
  {
    network,
    hasClaimedCoins,
    change,
    isFixed,
  }: Pick<OutputContext, 'network' | 'hasClaimedCoins' | 'change' | 'isFixed'>,
) {
  const status = verified === 'proven' && (hasClaimedCoins || !isFixed) ? 'conditional' : verified;
  const isOwn = isOwnAddress && status === 'proven' && change.spendsAlone;
  return {
    ...(hasSilentPayments(network) && { address: formatSilentPaymentAddress(address, network) }),
    status,
    ...(isOwn && { isOwn: true as const }),
  };
}

const checkSilentPayment: OutputCheck = ({ review: { outputIndex }, silentPayment, hasClaimedCoins, isFixed }) => {
  const { status, fault } = silentPayment ?? {};
  if (status === undefined) return [];
  const named = `Output ${outputIndex}`;
  const reason = fault && faultText(fault);
  const isUnclear = fault?.reason === 'receivers';
  const follows = status === 'proven' || status === 'conditional';
  return [
    ...when(status === 'refuted', 'silent-payment-refuted', () => {
      return `${named} does not pay its silent payment address as it must: ${reason}.`;
    }),
    ...when(status === 'open' && isUnclear, 'silent-payment-receivers', () => {
      return `${named} pays a silent payment address, and its script is not computed yet: ${reason}.`;
    }),
    ...when(status === 'open' && !isUnclear, 'silent-payment-open', () => {
      return `${named} pays a silent payment address, and its script is not computed yet: ${reason ?? 'sign to compute it'}.`;
    }),
    ...when(status === 'claimed', 'silent-payment-unproven', () => {
      return `${named} claims to pay a silent payment address: ${reason}.`;
    }),
    ...when(status === 'conditional', 'silent-payment-conditional', () => {
      return `The receiver of output ${outputIndex} finds it only if the other outputs with the same scan key are its own, too: a stranger's spend key there hides the payment. Sign only if that receiver gave you all these addresses.`;
    }),
    ...when((follows || status === 'open') && hasClaimedCoins, 'silent-payment-conditional', () => {
      return `The receiver of output ${outputIndex} finds it only if the coins are what the PSBT claims: ask for their previous transactions.`;
    }),
    ...when(follows && !isFixed, 'silent-payment-conditional', () => {
      return `The receiver of output ${outputIndex} finds it only if nothing is changed that a signature leaves open: sign with the hash type ALL.`;
    }),
  ];
};

/** Coordinators name the scan key and the spend key of change. @see BIP375 "Change Detection" */
const checkSilentChange: OutputCheck = ({ output, review, silentPayment, change }) => {
  const { outputIndex, claimedKeys: claimed } = review;
  const isClaimed = claimed.length > 0 || output.spV0Label === CHANGE_LABEL;
  if (!silentPayment || silentPayment.isOwnAddress || !isClaimed) return [];
  const { scanKey } = silentPayment.address;
  // Of two keys, one is the scan key; the spend key alone may have a label.
  const isNamed = claimed.length < 2 || claimed.some(({ publicKey }) => equalBytes(publicKey, scanKey));
  const refutation =
    change.refuteOrigins(review) ??
    (isNamed ? undefined : 'its scan key is none of the keys that it names') ??
    (silentPayment.isOtherAddress
      ? 'it has your scan key, and neither your spend key nor one with a label in use'
      : undefined);
  const named = `Output ${outputIndex} claims to be change`;
  return refutation === undefined
    ? [{ check: 'change-unverified', text: `${named}, but pays none of the silent payment addresses at hand.` }]
    : [{ check: 'change-refuted', text: `${named}, which is false: ${refutation}. The money would go to a stranger.` }];
};

/** In dust limits: one anchor serves a child that pays the fee, and no transaction needs a second. */
const ANCHOR_LIMIT = 10;

const checkWallet: OutputCheck = ({ output, review, change }) => {
  const { outputIndex, verifiedOwner, isOtherWallet } = review;
  if (!verifiedOwner || !isOtherWallet) return [];
  const named = `Output ${outputIndex} pays to ${descriptorName(verifiedOwner)}`;
  const { control, hasOwnKey, hasOthersKeys } = change.walletAt(verifiedOwner);
  if (change.isSigning && control === 'strangers') {
    const reason = hasOwnKey
      ? 'of which another key than yours can spend the coins without you'
      : hasOthersKeys
        ? 'whose private keys are in its file'
        : 'which has no key of yours';
    return [{ check: 'wallet-foreign', text: `${named}, ${reason}: a stranger may have made that wallet file.` }];
  }
  if (change.addsStrangers(output, review, verifiedOwner)) {
    const reason = 'where keys of the coins being spent stand beside those of others';
    return [{ check: 'wallet-foreign', text: `${named}, ${reason}: a stranger may have made that wallet file.` }];
  }
  const from = change.isSpent(verifiedOwner) ? 'not all of your coins' : 'none of the coins being spent';
  return [{ check: 'wallet-other', text: `${named}, and ${from} come from it: it is not change.` }];
};

const checkChange: OutputCheck = ({ output, review, spent, limits, hasDescriptors, change }) => {
  const { claimedKeys: claimed, verifiedOwner, isOtherWallet, outputIndex, scriptPubKey } = review;
  const refutation = verifiedOwner ? undefined : change.refute(output, review);
  if (refutation !== undefined) {
    const text = `Output ${outputIndex} claims to be change, which is false: ${refutation}. The money would go to a stranger.`;
    return [{ check: 'change-refuted', text }];
  }
  const isClaimed = claimed.length > 0;
  const { template } = unwrapRecords(scriptPubKey, output);
  const isOtherQuorum = template.type === 'multisig' && !spent.quorums.has(quorumName(template, claimed));
  const isOtherKind = !spent.kinds.has(scriptKind(scriptPubKey));
  const oddPlace = verifiedOwner
    ? farIndex(verifiedOwner.index, limits)
    : claimed.flatMap(({ origin }) => oddPath(origin, spent, limits) ?? [])[0];
  return [
    ...when(isClaimed && !verifiedOwner, 'change-unverified', () => {
      const own = change.findOwnKey(review);
      if (own) {
        return `Output ${outputIndex} pays to your key at ${formatOrigin(own.origin)} alone, but counts as a payment: give the descriptors of its wallet.`;
      }
      const reason = hasDescriptors
        ? 'no given descriptor derives it: give the wallet file of the coins being spent'
        : 'no wallet is open to verify it: give the descriptors of yours';
      return `Output ${outputIndex} claims to be change, but ${reason}.`;
    }),
    ...when(isClaimed && !verifiedOwner && isOtherQuorum, 'quorum-mixed', () => {
      return `Output ${outputIndex} claims to be change, but pays to a quorum that no input has.`;
    }),
    ...when(oddPlace !== undefined, 'path-unusual', () => {
      return `Output ${outputIndex} ${verifiedOwner ? 'is yours, but at' : 'claims to be change at'} ${oddPlace}.`;
    }),
    ...when((verifiedOwner ? !isOtherWallet : isClaimed) && isOtherKind, 'path-unusual', () => {
      return `Output ${outputIndex} is change to a kind of script that no input has.`;
    }),
  ];
};

const checkScripts: OutputCheck = ({ output, review: { scriptPubKey, outputIndex }, template, ecc }) => {
  const { tapInternalKey, tapTree } = output;
  const isOtherTree =
    template.type === 'witness_v1_taproot' &&
    tapInternalKey !== undefined &&
    tapTree !== undefined &&
    !isOutputKey(template.program, { internalKey: tapInternalKey, merkleRoot: tapTreeRoot(tapTree) }, ecc);
  return [
    ...when(unwrapRecords(scriptPubKey, output).isMismatch, 'script-mismatch', () => {
      return `Output ${outputIndex} comes with a script that it does not pay to.`;
    }),
    ...when(isOtherTree, 'taproot-mismatch', () => {
      return `Output ${outputIndex} comes with an internal key and a tree that it does not pay to.`;
    }),
  ];
};

/** Compares claimed fingerprints, as the keys themselves differ from script to script. */
function quorumName(template: ScriptTemplate, claimed: readonly ClaimedKey[]): string {
  if (template.type !== 'multisig') return '';
  const signers = claimed.map(({ origin }) => formatHex(origin.fingerprint)).sort();
  return `${template.required} of ${template.pubkeys.length}: ${signers.join()}`;
}

const scriptKind = (scriptPubKey: Uint8Array): string => classifyScript(scriptPubKey).type;

/**
 * Describes an unusual path. Wallets look for change on the unhardened chains 0 and 1, at low indexes, in the accounts
 * that they spend from.
 */
function oddPath(origin: KeyOrigin, { accounts }: Spent, limits: PolicyLimits): string | undefined {
  const { fingerprint, path } = origin;
  const [chain = 0, index = 0] = path.length < 2 ? [0, ...path] : path.slice(-2);
  const place = `the path m${formatPath(path)}`;
  if (isHardened(chain) || isHardened(index)) return `${place}, which only a private key can derive`;
  if (chain > 1) return `${place}, on a chain that is neither 0 nor 1`;
  const far = farIndex(index, limits);
  if (far !== undefined) return far;
  const isForeign = accounts.get(bytesKey(fingerprint))?.has(accountPath({ path })) === false;
  return isForeign ? `${place}, of an account that no input has` : undefined;
}

const farIndex = (index: number, { maxIndex }: PolicyLimits): string | undefined =>
  index > maxIndex ? `index ${index}, above ${maxIndex}: a wallet that is restored may not find it` : undefined;

const accountPath = ({ path }: Pick<KeyOrigin, 'path'>): string => formatPath(path.slice(0, -2));

const NO_SCRIPT = /* @__PURE__ */ new Uint8Array(0);

const CHECKS: readonly OutputCheck[] = [checkValue, checkScripts, checkWallet, checkChange];

/** Records of a silent payment are about the keys of its address, not of its script. */
const SILENT_CHECKS: readonly OutputCheck[] = [checkValue, checkSilentPayment, checkSilentChange];
