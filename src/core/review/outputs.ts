import type { Ecc } from '../crypto/ecc.ts';
import { formatAmount } from '../encoding/amount.ts';
import { type ClaimedKey, claimedKeys } from '../holder/claims.ts';
import type { Owner } from '../holder/owner.ts';
import { judgeRole, type Role, type RoleContext } from '../holder/role.ts';
import { type JudgedPayment, judgeSilentRole } from '../holder/silentRole.ts';
import type { Network } from '../network/networks.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import { faultText } from '../psbt/silentPayments/faults.ts';
import type { SilentPayment } from '../psbt/silentPayments/verify.ts';
import { isOutputKey, tapTreeRoot } from '../script/tapTree.ts';
import { CURRENT_TEMPLATES, classifyScript, type ScriptTemplate } from '../script/template.ts';
import { formatSilentPaymentAddress, hasSilentPayments } from '../silentPayments/address.ts';
import { dustThreshold } from '../tx/dust.ts';
import type { TxOut } from '../tx/types.ts';
import { judgeFate } from './fate.ts';
import { type Observation, type PolicyLimits, when } from './policy.ts';
import { unwrapRecords } from './scripts.ts';

/** The review of one output. */
export interface OutputReview {
  readonly outputIndex: number;
  /** In satoshi. */
  readonly value: bigint;
  /** Empty for a silent payment whose script is not computed yet. */
  readonly scriptPubKey: Uint8Array;
  readonly owner: Owner;
  readonly role: Role;
  /** True if the amount stays with the signer, and no signature lets anything change. */
  readonly stays: boolean;
  readonly claimedKeys: readonly ClaimedKey[];
  /** The address that it pays, if that is proven, or is said to pay. The network may lack such addresses. @see BIP375 */
  readonly silentPayment?: {
    readonly address?: string;
    /** As in `SilentPayment`; `conditional` also if coins are only claimed, or signatures leave something open. */
    readonly status: SilentPayment['status'];
  };
}

interface OutputFacts {
  readonly output: PsbtOutput;
  readonly review: OutputReview;
  readonly template: ScriptTemplate;
  readonly network: Network;
  readonly limits: PolicyLimits;
  /** Index of the first output that pays to an anchor, or -1. */
  readonly firstAnchor: number;
  readonly ecc: Ecc;
  readonly silentPayment: JudgedPayment | undefined;
  /** A coin may have another script than the PSBT claims. */
  readonly hasClaimedCoins: boolean;
  /** True if every coin is the signer's, so that signing gives all shares of silent payments. */
  readonly isAllOwn: boolean;
  /** No signature, made or to be made, lets anything change. */
  readonly isFixed: boolean;
}

type Found = Pick<Observation, 'check' | 'text'>;
type OutputCheck = (facts: OutputFacts) => readonly Found[];

export interface OutputContext
  extends Omit<OutputFacts, 'output' | 'review' | 'template' | 'silentPayment'>,
    RoleContext {}

interface ReviewedOutput {
  readonly output: PsbtOutput;
  readonly outputIndex: number;
  readonly silentPayment?: JudgedPayment | undefined;
}

export function reviewOutput(
  { value, scriptPubKey }: TxOut,
  { output, outputIndex, silentPayment }: ReviewedOutput,
  context: OutputContext,
): { readonly review: OutputReview; readonly observations: readonly Observation[] } {
  const template = classifyScript(scriptPubKey, { ...CURRENT_TEMPLATES, mweb: context.network.mweb });
  const verdict = silentPayment
    ? judgeSilentRole(silentPayment, output, { ...context, isSure: isSure(silentPayment, context) })
    : judgeRole({ outputIndex, scriptPubKey, output, isData: template.type === 'nulldata' }, context);
  const review: OutputReview = {
    outputIndex,
    value,
    scriptPubKey: silentPayment && !silentPayment.script ? NO_SCRIPT : scriptPubKey,
    owner: verdict.owner,
    role: verdict.role,
    stays: verdict.stays && context.isFixed,
    claimedKeys: claimedKeys(output),
    ...(silentPayment && { silentPayment: silentPaymentReview(silentPayment, context) }),
  };
  const facts = { ...context, output, silentPayment, review: { ...review, scriptPubKey }, template };
  const found = (silentPayment ? SILENT_CHECKS : CHECKS).flatMap((check) => check(facts));
  const observations = [...found, ...(verdict.finding ? [verdict.finding] : [])];
  return { review, observations: observations.map((observation) => ({ ...observation, outputIndex })) };
}

/** The same before and after signing: what is still open, signing computes from the signer's own coins. */
function isSure({ status }: SilentPayment, { hasClaimedCoins, isAllOwn }: OutputContext): boolean {
  return !hasClaimedCoins && (status === 'proven' || (status === 'open' && isAllOwn));
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
  ];
};

function silentPaymentReview(
  { address, status: verified }: SilentPayment,
  { network, hasClaimedCoins, isFixed }: Pick<OutputContext, 'network' | 'hasClaimedCoins' | 'isFixed'>,
) {
  const status = verified === 'proven' && (hasClaimedCoins || !isFixed) ? 'conditional' : verified;
  return { ...(hasSilentPayments(network) && { address: formatSilentPaymentAddress(address, network) }), status };
}

const checkSilentPayment: OutputCheck = ({ review, silentPayment, hasClaimedCoins, isFixed, isAllOwn }) => {
  const { outputIndex } = review;
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
    // Signing computes it, if nobody else has to add a share.
    ...when(status === 'open' && !isUnclear && !isAllOwn, 'silent-payment-open', () => {
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

/** In dust limits: one anchor serves a child that pays the fee, and no transaction needs a second. */
const ANCHOR_LIMIT = 10;

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

const NO_SCRIPT = /* @__PURE__ */ new Uint8Array(0);

const CHECKS: readonly OutputCheck[] = [checkValue, checkScripts];

/** Records of a silent payment are about the keys of its address, not of its script. */
const SILENT_CHECKS: readonly OutputCheck[] = [checkValue, checkSilentPayment];
