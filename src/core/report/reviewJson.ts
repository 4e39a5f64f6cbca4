import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import type { HashName } from '../descriptors/miniscript/index.ts';
import { placePath } from '../holder/accounts.ts';
import type { ClaimedKey } from '../holder/claims.ts';
import { isHolders, type Owner } from '../holder/owner.ts';
import { formatPath, type KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import type { SignatureVerdict } from '../psbt/signatureVerifier.ts';
import type { Finding } from '../review/finding.ts';
import type { AmountTrust, InputReview, LaterWay, Need, QuorumProgress, SignerReview } from '../review/inputReview.ts';
import type { OutputReview } from '../review/outputs.ts';
import type { FeeReason, FeeShare, PsbtReview } from '../review/reviewPsbt.ts';
import type { AbsoluteLock } from '../tx/absoluteLock.ts';
import { formatTxid } from '../tx/txid.ts';
import { assertReview } from './assertReview.ts';
import { ENGLISH, ownerText } from './english.ts';
import { findingText } from './findingText.ts';
import type { LabelledRole, ReportLine } from './lines.ts';
import { ownerData } from './lines.ts';
import { leafText } from './quorumText.ts';
import { reportReview } from './reportReview.ts';
import { wordLine } from './wordLine.ts';

/**
 * A review as JSON: bytes in hex, txids as displayed, satoshi as decimal strings. Unknown values are absent. Members
 * that `PsbtReview` has too mean the same.
 */
export interface ReviewJson {
  readonly network: string;
  readonly version: 0 | 2;
  readonly txVersion: number;
  /** True if a finding has the action `refuse`. */
  readonly isRefused: boolean;
  readonly purpose: PurposeJson;
  readonly inputs: readonly InputReviewJson[];
  readonly outputs: readonly OutputReviewJson[];
  readonly fee?: string;
  readonly feeTrust: AmountTrust;
  readonly feeReason: FeeReason;
  readonly feeShare?: FeeShare;
  /** Satoshi per virtual byte. */
  readonly feeRate?: number;
  readonly vsize?: number;
  readonly leaves?: string;
  readonly stays: string;
  readonly lockedUntil: AbsoluteLock;
  readonly isReplaceable: boolean;
  readonly findings: readonly FindingJson[];
  /** All of it in words, line by line. */
  readonly report: readonly ReportLineJson[];
}

/** A finding: what it says as data, and in words. */
export interface FindingJson extends Pick<Finding, 'check' | 'action' | 'inputIndex' | 'outputIndex'> {
  readonly data: DataJson;
  readonly text: string;
}

/** Data of a finding or a line: amounts as decimal strings, bytes in hex. */
export type DataJson = Readonly<Record<string, unknown>>;

/** A line of the report, as in `ReportLine`, with its text. */
export interface ReportLineJson extends Pick<ReportLine, 'role' | 'tone' | 'key' | 'inputIndex' | 'outputIndex'> {
  readonly data: DataJson;
  readonly text: string;
  /** Before a line of a label; the heading of a finding or an output. */
  readonly title?: string;
  /** Of a finding: what may happen to whoever signs nevertheless, what to do instead, and where else it was found. */
  readonly risk?: string;
  readonly remedy?: string;
  /** As in `CheckWords`. */
  readonly tool?: string;
  readonly also?: string;
}

/** What the signatures are for, as in `Purpose`. */
export type PurposeJson =
  | { readonly kind: 'payment' }
  | ((({ readonly kind: 'message' } & ScriptJson) | { readonly kind: 'proof-of-reserves' }) & {
      readonly text?: string;
    });

interface ScriptJson {
  readonly scriptPubKey: string;
  readonly address?: string;
}

/** The review of one input as JSON. */
export interface InputReviewJson
  extends Omit<
    InputReview,
    'outpoint' | 'coin' | 'scriptPubKey' | 'owner' | 'claimedKeys' | 'signatures' | 'missingSignatures' | 'quorums'
  > {
  readonly owner: OwnerJson;
  /** True if the coin is the signer's. */
  readonly isOwn: boolean;
  readonly txid?: string;
  readonly vout?: number;
  readonly value?: string;
  readonly scriptPubKey?: string;
  /** Of `scriptPubKey`, if it has one. */
  readonly address?: string;
  readonly claimedKeys: readonly KeyJson[];
  readonly signatures: readonly SignatureJson[];
  readonly missingSignatures: readonly SignerJson[];
  readonly quorums: readonly QuorumJson[];
}

/** The review of one output as JSON. */
export interface OutputReviewJson extends Omit<OutputReview, 'value' | 'scriptPubKey' | 'owner' | 'claimedKeys'> {
  readonly owner: OwnerJson;
  readonly value: string;
  readonly scriptPubKey: string;
  readonly address?: string;
  readonly claimedKeys: readonly KeyJson[];
}

/** Whose a coin or an output is. */
export interface OwnerJson {
  readonly kind: Owner['kind'];
  /** What makes it the signer's: a key at hand, a registration, that its wallet is listed, or nothing. */
  readonly root: Owner['root'];
  readonly text: string;
  /** Of an account: `84h/0h/0h/1/5`. */
  readonly path?: string;
  /** Of a wallet. */
  readonly wallet?: { readonly title: string; readonly id?: string; readonly positions: readonly number[] };
  /** 0-based. */
  readonly chain?: number;
  readonly index?: number;
}

/** A public key in hex, with its claimed and its proven origin. */
export interface KeyJson {
  readonly publicKey: string;
  readonly claimedOrigin?: OriginJson;
  readonly verifiedOrigin?: OriginJson;
}

/** A master fingerprint and the path from it: `m/84h/0h/0h/0/5`. */
export interface OriginJson {
  readonly fingerprint: string;
  readonly path: string;
}

/** The signatures for one way to spend a coin. */
export interface QuorumJson
  extends Pick<QuorumProgress, 'have' | 'required' | 'of' | 'isKeyPath' | 'isClosed' | 'closedBy'> {
  /** As in `QuorumProgress`. */
  readonly needed?: NeedJson;
  readonly later?: readonly LaterWayJson[];
  readonly leafHash?: string;
  /** As in `SignerJson`. */
  readonly leaf?: string;
}

/** What an input lacks, as in `Need`. */
export type NeedJson =
  | ({ readonly kind: 'signature' } & KeyJson)
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: string }
  | { readonly kind: 'some'; readonly required: number; readonly of: readonly NeedJson[] };

/** A way that a lock closes, as in `LaterWay`. */
export interface LaterWayJson extends Omit<LaterWay, 'signers'> {
  readonly signers: readonly KeyJson[];
}

/** The key of a signature, and the leaf of a script path. */
export interface SignerJson extends KeyJson {
  readonly leafHash?: string;
  readonly leafScript?: string;
  /** The leaf as miniscript if that is short, else the beginning of its hash. */
  readonly leaf?: string;
}

/** A signature that an input holds, as in `SignatureReview`. */
export type SignatureJson = Omit<SignerJson, 'publicKey'> &
  Partial<Pick<SignerJson, 'publicKey'>> & { readonly sighashType: number } & SignatureVerdict;

/**
 * Converts a review to JSON with every fact that `formatReview` shows.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewToJson, reviewWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(4).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * const json = reviewToJson(reviewWith(me, psbt));
 * json.fee; // 282
 * json.feeTrust; // proven
 * ```
 */
export function reviewToJson(review: PsbtReview): ReviewJson {
  assertReview(review);
  const { network, version, txVersion, fee, feeTrust, feeReason, feeShare, feeRate, vsize, leaves, stays } = review;
  return {
    network: network.name,
    version,
    txVersion,
    isRefused: review.isRefused,
    purpose: purposeJson(review),
    inputs: review.inputs.map((input) => inputJson(input, network)),
    outputs: review.outputs.map((output) => outputJson(output, network)),
    ...(fee !== undefined && { fee: String(fee) }),
    feeTrust,
    feeReason,
    ...(feeShare && { feeShare }),
    ...(feeRate !== undefined && { feeRate }),
    ...(vsize !== undefined && { vsize }),
    ...(leaves !== undefined && { leaves: String(leaves) }),
    stays: String(stays),
    lockedUntil: review.lockedUntil,
    isReplaceable: review.isReplaceable,
    findings: review.findings.map((finding) => findingJson(finding, network)),
    report: reportReview(review, { listsInputs: true }).map((line) => lineJson(line, network)),
  };
}

function purposeJson({ purpose, network }: PsbtReview): PurposeJson {
  if (purpose.kind !== 'message') return purpose;
  const { scriptPubKey, ...message } = purpose;
  return { ...message, ...scriptJson(scriptPubKey, network) };
}

const findingJson = (finding: Finding, network: Network): FindingJson => ({
  ...finding,
  data: dataJson(finding.data) as DataJson,
  text: findingText(finding, network),
});

function lineJson(line: ReportLine, network: Network): ReportLineJson {
  const { role, tone, key, data, inputIndex, outputIndex } = line;
  return {
    role,
    tone,
    key,
    data: dataJson(data) as DataJson,
    ...(inputIndex !== undefined && { inputIndex }),
    ...(outputIndex !== undefined && { outputIndex }),
    text: wordLine(line, ENGLISH, network),
    ...headedJson(line),
  };
}

function headedJson(line: ReportLine): Pick<ReportLineJson, 'title' | 'risk' | 'remedy' | 'tool' | 'also'> {
  const { checks, kinds, labels, also } = ENGLISH;
  if (line.role === 'finding') {
    const { title, risk, remedy, tool } = checks[line.key];
    return {
      title,
      risk,
      remedy,
      ...(tool !== undefined && { tool }),
      ...(line.also.count > 0 && { also: also(line.also) }),
    };
  }
  if (line.key === 'output') return { title: kinds[line.data.role] };
  return isLabelled(line.role) ? { title: labels[line.role] } : {};
}

const isLabelled = (role: string): role is LabelledRole => Object.hasOwn(ENGLISH.labels, role);

function dataJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return formatHex(value);
  if (Array.isArray(value)) return value.map(dataJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, dataJson(member)]));
}

function inputJson(input: InputReview, network: Network): InputReviewJson {
  const {
    inputIndex,
    outpoint,
    coin,
    scriptPubKey,
    owner,
    claimedKeys,
    signatures,
    missingSignatures,
    quorums,
    ...rest
  } = input;
  return {
    inputIndex,
    ...(outpoint && { txid: formatTxid(outpoint.txid), vout: outpoint.vout }),
    ...(coin && { value: String(coin.value) }),
    ...(scriptPubKey && scriptJson(scriptPubKey, network)),
    owner: ownerJson(owner),
    isOwn: isHolders(owner),
    ...rest,
    claimedKeys: claimedKeys.map(claimedKeyJson),
    signatures: signatures.map(({ sighashType, publicKey, ...signature }) => ({
      ...(publicKey && signerJson({ publicKey, ...signature })),
      sighashType,
      ...verdictJson(signature),
    })),
    missingSignatures: missingSignatures.map(signerJson),
    quorums: quorums.map(quorumJson),
  };
}

function outputJson(output: OutputReview, network: Network): OutputReviewJson {
  const { outputIndex, value, scriptPubKey, owner, claimedKeys, ...rest } = output;
  return {
    outputIndex,
    value: String(value),
    ...scriptJson(scriptPubKey, network),
    owner: ownerJson(owner),
    ...rest,
    claimedKeys: claimedKeys.map(claimedKeyJson),
  };
}

function ownerJson(owner: Owner): OwnerJson {
  const { kind, root } = owner;
  const text = ownerText(ownerData(owner));
  if (owner.kind === 'account') {
    const { chain, index } = owner.place;
    return { kind, root, text, path: placePath(owner.place), ...(chain !== undefined && { chain }), index };
  }
  if (owner.kind !== 'wallet') return { kind, root, text };
  const { title, id, positions } = owner.wallet;
  const wallet = { title, ...(id !== undefined && { id }), positions };
  return { kind, root, text, wallet, chain: owner.place.position, index: owner.place.index };
}

function scriptJson(scriptPubKey: Uint8Array, network: Network): ScriptJson {
  const address = formatAddress(scriptPubKey, network);
  return { scriptPubKey: formatHex(scriptPubKey), ...(address !== undefined && { address }) };
}

const claimedKeyJson = ({ publicKey, origin }: ClaimedKey): KeyJson => keyJson({ publicKey, claimedOrigin: origin });

function keyJson({
  publicKey,
  claimedOrigin,
  verifiedOrigin,
}: Pick<SignerReview, 'publicKey' | 'claimedOrigin' | 'verifiedOrigin'>): KeyJson {
  return {
    publicKey: formatHex(publicKey),
    ...(claimedOrigin && { claimedOrigin: originJson(claimedOrigin) }),
    ...(verifiedOrigin && { verifiedOrigin: originJson(verifiedOrigin) }),
  };
}

function verdictJson(verdict: SignatureVerdict): SignatureVerdict {
  switch (verdict.state) {
    case 'valid':
      return { state: verdict.state };
    case 'invalid':
      return { state: verdict.state, ...(verdict.cause && { cause: verdict.cause }) };
    default:
      return { state: verdict.state, reason: verdict.reason };
  }
}

const originJson = ({ fingerprint, path }: KeyOrigin): OriginJson => ({
  fingerprint: formatHex(fingerprint),
  path: `m${formatPath(path)}`,
});

const leafJson = (leafHash: Uint8Array, leafScript: Uint8Array | undefined): Pick<SignerJson, 'leafHash' | 'leaf'> => ({
  leafHash: formatHex(leafHash),
  leaf: leafText(leafHash, leafScript),
});

function signerJson({ leafHash, leafScript, ...key }: SignerReview): SignerJson {
  return {
    ...keyJson(key),
    ...(leafHash && leafJson(leafHash, leafScript)),
    ...(leafScript && { leafScript: formatHex(leafScript) }),
  };
}

function quorumJson(progress: QuorumProgress): QuorumJson {
  const { leafHash, leafScript, signed: _, wanted: __, needed, later, ...quorum } = progress;
  return {
    ...quorum,
    ...(needed && { needed: needJson(needed) }),
    ...(later && { later: later.map((way) => ({ ...way, signers: way.signers.map(keyJson) })) }),
    ...(leafHash && leafJson(leafHash, leafScript)),
  };
}

function needJson(need: Need): NeedJson {
  if (need.kind === 'signature') return { kind: 'signature', ...keyJson(need.signer) };
  return need.kind === 'preimage'
    ? { ...need, hash: formatHex(need.hash) }
    : { ...need, of: need.of.map((one) => needJson(one)) };
}
