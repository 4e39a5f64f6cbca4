import type { Ecc } from '../crypto/ecc.ts';
import { type ClaimedKey, claimedKeys } from '../holder/claims.ts';
import type { Owner } from '../holder/owner.ts';
import { judgeRole, type Role, type RoleContext } from '../holder/role.ts';
import { type JudgedPayment, judgeSilentRole } from '../holder/silentRole.ts';
import type { Network } from '../network/networks.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import type { SilentPayment } from '../psbt/silentPayments/verify.ts';
import { isOutputKey, tapTreeRoot } from '../script/tapTree.ts';
import { CURRENT_TEMPLATES, classifyScript, type ScriptTemplate } from '../script/template.ts';
import { formatSilentPaymentAddress, hasSilentPayments } from '../silentPayments/address.ts';
import { dustThreshold } from '../tx/dust.ts';
import type { TxOut } from '../tx/types.ts';
import { judgeFate } from './fate.ts';
import { type Observation, when } from './finding.ts';
import { judgeName, type NameProver } from './name.ts';
import type { ProvenName } from './paymentName.ts';
import type { PolicyLimits } from './policy.ts';
import { unwrapRecords } from './scripts.ts';

/** The review of one output. */
export interface OutputReview {
  readonly outputIndex: number;
  /** In satoshi. */
  readonly value: bigint;
  /** Empty for a silent payment whose script is not computed yet. */
  readonly scriptPubKey: Uint8Array;
  readonly owner: Owner;
  /** Its kind: what it is to the signer. */
  readonly role: Role;
  /** True if the amount stays with the signer, and no signature lets anything change. */
  readonly stays: boolean;
  /** True if others can change it while a signature of the signer stays valid. */
  readonly isOpen: boolean;
  readonly claimedKeys: readonly ClaimedKey[];
  /** The address that it pays, if that is proven, or is said to pay. The network may lack such addresses. @see BIP375 */
  readonly silentPayment?: {
    readonly address?: string;
    /** As in `SilentPayment`; `conditional` also if coins are only claimed, or signatures leave something open. */
    readonly status: SilentPayment['status'];
  };
  /** The payment name that it pays, if that is proven. @see BIP353 */
  readonly name?: ProvenName;
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
  /** Tells whether others can change an output while a signature of the signer stays valid. */
  readonly isOpen: (outputIndex: number) => boolean;
  readonly proveName: NameProver | undefined;
}

type OutputCheck = (facts: OutputFacts) => readonly Observation[];

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
    : judgeRole({ scriptPubKey, output, ...bareRole(template) }, context);
  const bare: OutputReview = {
    outputIndex,
    value,
    scriptPubKey: silentPayment && !silentPayment.script ? NO_SCRIPT : scriptPubKey,
    owner: verdict.owner,
    role: verdict.role,
    stays: verdict.stays && context.isFixed,
    isOpen: context.isOpen(outputIndex),
    claimedKeys: claimedKeys(output),
    ...(silentPayment && { silentPayment: silentPaymentReview(silentPayment, context) }),
  };
  const named = judgeName(output.dnssecProof, bare, context);
  // Change is shown by the wallet's place alone.
  const review = { ...bare, ...(named.name && verdict.role !== 'change' && { name: named.name }) };
  const facts = { ...context, output, silentPayment, review: { ...review, scriptPubKey }, template };
  const found = (silentPayment ? SILENT_CHECKS : CHECKS).flatMap((check) => check(facts));
  const observations: readonly Observation[] = [
    ...found,
    ...named.observations,
    ...(verdict.finding ? [verdict.finding] : []),
  ];
  return { review, observations: observations.map((observation) => ({ ...observation, outputIndex })) };
}

const bareRole = ({ type }: ScriptTemplate): { readonly bare?: 'data' | 'anchor' } =>
  type === 'nulldata' ? { bare: 'data' } : type === 'anchor' ? { bare: 'anchor' } : {};

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
  return [
    ...when(isImpossible, 'amount-impossible', {}),
    ...when(isBurnt && value > 0n, 'burn', { value }),
    ...when(isGift, 'anyone-can-spend', { value }),
    ...when(isDust, 'dust', { value }),
  ];
};

function silentPaymentReview(
  { address, status: verified }: SilentPayment,
  { network, hasClaimedCoins, isFixed }: Pick<OutputContext, 'network' | 'hasClaimedCoins' | 'isFixed'>,
) {
  const status = verified === 'proven' && (hasClaimedCoins || !isFixed) ? 'conditional' : verified;
  return { ...(hasSilentPayments(network) && { address: formatSilentPaymentAddress(address, network) }), status };
}

const checkSilentPayment: OutputCheck = ({ silentPayment, hasClaimedCoins, isFixed, isAllOwn }) => {
  const { status, fault } = silentPayment ?? {};
  if (status === undefined) return [];
  const reason = fault ? { fault } : {};
  const isUnclear = fault?.reason === 'receivers';
  const follows = status === 'proven' || status === 'conditional';
  return [
    ...when(status === 'refuted', 'silent-payment-refuted', reason),
    ...when(status === 'open' && isUnclear, 'silent-payment-receivers', reason),
    // Signing computes it, if nobody else has to add a share.
    ...when(status === 'open' && !isUnclear && !isAllOwn, 'silent-payment-open', reason),
    ...when(status === 'claimed', 'silent-payment-unproven', reason),
    ...when(status === 'conditional', 'silent-payment-conditional', { reason: 'receivers' }),
    ...when((follows || status === 'open') && hasClaimedCoins, 'silent-payment-conditional', { reason: 'coins' }),
    ...when(follows && !isFixed, 'silent-payment-conditional', { reason: 'signatures' }),
  ];
};

/** In dust limits: one anchor serves a child that pays the fee, and no transaction needs a second. */
const ANCHOR_LIMIT = 10;

const checkScripts: OutputCheck = ({ output, review: { scriptPubKey }, template, ecc }) => {
  const { tapInternalKey, tapTree } = output;
  const isOtherTree =
    template.type === 'witness_v1_taproot' &&
    tapInternalKey !== undefined &&
    tapTree !== undefined &&
    !isOutputKey(template.program, { internalKey: tapInternalKey, merkleRoot: tapTreeRoot(tapTree) }, ecc);
  return [
    ...when(unwrapRecords(scriptPubKey, output).isMismatch, 'script-mismatch', {}),
    ...when(isOtherTree, 'taproot-mismatch', {}),
  ];
};

const NO_SCRIPT = /* @__PURE__ */ new Uint8Array(0);

const CHECKS: readonly OutputCheck[] = [checkValue, checkScripts];

/** Records of a silent payment are about the keys of its address, not of its script. */
const SILENT_CHECKS: readonly OutputCheck[] = [checkValue, checkSilentPayment];
