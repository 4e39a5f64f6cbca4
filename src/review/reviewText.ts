import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import { decodeMiniscript, printMiniscript } from '../descriptors/miniscript/index.ts';
import { formatAmount } from '../encoding/amount.ts';
import { formatPath } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import type { UnverifiableReason } from '../psbt/signatureVerifier.ts';
import { formatAsm } from '../script/asm.ts';
import { untilText } from '../tx/absoluteLock.ts';
import { formatTxid } from '../tx/txid.ts';
import type { AmountProof, AmountTrust, InputReview, SignatureReview, SignerReview } from './inputReview.ts';
import type { OutputReview } from './outputs.ts';
import type { VerifiedOwner } from './ownership.ts';
import type { Finding } from './policy.ts';
import type { FeeReason, PsbtReview } from './reviewPsbt.ts';

const STYLES = { bold: '1', red: '31', yellow: '33', green: '32' } as const;
type Paint = (style: keyof typeof STYLES, text: string) => string;

const SHOWN_SCRIPT = 520;
const GROUP = 4;

/**
 * Formats a review for the user who decides whether to sign: the coins, the payments, the fee and the findings, each
 * line ending in a line break. Shows each address in one piece, to copy, and in groups of four, to compare by eye.
 *
 * - `hasColours`: whether to mark warnings and refusals with ANSI colours. Default false.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, formatReview } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(4).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * formatReview(me.review(psbt)).includes('change, verified'); // true
 * ```
 */
export function formatReview(
  review: PsbtReview,
  { hasColours = false }: { readonly hasColours?: boolean } = {},
): string {
  const { network } = review;
  const paint: Paint = (style, text) => (hasColours ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
  const values = [...review.inputs.map(({ coin }) => coin?.value ?? 0n), ...review.outputs.map(({ value }) => value)];
  const width = values.reduce((most, value) => Math.max(most, formatAmount(value).length), 0);
  const money = (value: bigint): string => `${formatAmount(value).padStart(width)} ${network.ticker}`;
  return [
    paint('bold', `Spends (${review.inputs.length})`),
    ...review.inputs.flatMap((input) => inputLines(input, { network, money, paint })),
    paint('bold', `Pays (${review.outputs.length})`),
    ...review.outputs.flatMap((output) => outputLines(output, { network, money, paint })),
    paint('bold', 'Fee'),
    `  ${feeText(review)}`,
    ...trustTexts(review).map((text) => `  ${text}`),
    ...balanceLines(review, money),
    lockText(review),
    ...review.findings.map((finding) => findingText(finding, paint)),
    '',
  ].join('\n');
}

/** Says how much leaves the wallet, or comes into it where others pay more to the wallet than it spends. */
function balanceLines({ verifiedSpent, feeTrust }: PsbtReview, money: Style['money']): readonly string[] {
  if (verifiedSpent === undefined) return [];
  const text =
    verifiedSpent < 0n ? `${money(-verifiedSpent)} come into your wallet` : `${money(verifiedSpent)} leave your wallet`;
  return [`  ${text} in total${feeTrust === 'claimed' ? ONLY_CLAIMED : ''}`];
}

interface Style {
  readonly network: Network;
  readonly money: (value: bigint) => string;
  readonly paint: Paint;
}

function inputLines(input: InputReview, { network, money, paint }: Style): readonly string[] {
  const { coin, outpoint, scriptPubKey, amountTrust } = input;
  const from = scriptPubKey ? payee(scriptPubKey, network) : '';
  const first = coin
    ? `  ${money(coin.value)}  ${from}${ownerText(input, paint)}  amount ${TRUST[amountTrust]}`
    : paint('yellow', scriptPubKey ? `  unknown amount  ${from}` : '  unknown coin');
  const place = outpoint ? [`      ${formatTxid(outpoint.txid)}:${outpoint.vout}`] : [];
  const groups = scriptPubKey ? groupLines(scriptPubKey, network) : [];
  return [first, ...groups, ...place, ...signatureLines(input, paint)];
}

function ownerText({ verifiedOwner, hasOwnKey }: InputReview, paint: Paint): string {
  if (verifiedOwner) return paint('green', `  yours (${placeOf(verifiedOwner)})`);
  return hasOwnKey ? paint('green', '  yours (an available key can sign for it)') : '';
}

function outputLines(
  { value, scriptPubKey, verifiedChange, verifiedOwner, isOtherWallet, claimedKeys }: OutputReview,
  { network, money, paint }: Style,
): readonly string[] {
  const note = (): string => {
    if (verifiedChange) return paint('green', `  change, verified (${placeOf(verifiedChange)})`);
    if (verifiedOwner && isOtherWallet) return paint('yellow', `  another wallet (${placeOf(verifiedOwner)})`);
    if (verifiedOwner) return paint('yellow', `  yours (${placeOf(verifiedOwner)}), but it can still be replaced`);
    return claimedKeys.length > 0 ? paint('yellow', '  claims to be change') : '';
  };
  return [`  ${money(value)}  ${payee(scriptPubKey, network)}${note()}`, ...groupLines(scriptPubKey, network)];
}

function signatureLines({ isFinal, isFinalValid, signatures, missingSignatures }: InputReview, paint: Paint): string[] {
  if (isFinal) return [isFinalValid ? '      final' : paint('red', '      final, but not valid')];
  return [
    ...signatures.map((signature) => signatureLine(signature, paint)),
    ...missingSignatures.map((signer) => `      not signed by ${signerText(signer)}`),
  ];
}

function signatureLine(signature: SignatureReview, paint: Paint): string {
  const signer = signerText(signature);
  if (signature.state === 'unverifiable') {
    return paint('yellow', `      signature of ${signer}, which cannot be verified: ${UNVERIFIABLE[signature.reason]}`);
  }
  return signature.state === 'valid'
    ? `      signed by ${signer}`
    : paint('red', `      invalid signature of ${signer}`);
}

/** The end of the reasons that the PSBT from before the signature remedies. */
export const COMBINE = '; combine this PSBT with the one that was sent';

/** Why a signature cannot be verified, in words. */
export const UNVERIFIABLE: Readonly<Record<UnverifiableReason, string>> = {
  coin: `the PSBT does not show the coin${COMBINE}`,
  'other-coins': `the PSBT does not show all coins${COMBINE}`,
  'redeem-script': `the redeemScript is missing${COMBINE}`,
  'witness-script': `the witnessScript is missing${COMBINE}`,
  'leaf-script': `the leaf script is missing${COMBINE}`,
  'leaf-uncommitted': 'the coin does not commit to the leaf',
  'code-separator': 'the script holds an OP_CODESEPARATOR',
  'key-unnamed': 'the script does not name the key',
};

/** Names a signer, and the leaf that it signs for. */
function signerText({ leafHash, leafScript, ...signer }: SignerReview): string {
  return `${keyText(signer)}${leafHash ? ` for the leaf ${leafText(leafHash, leafScript)}` : ''}`;
}

/** Formats a key by the key origin that the PSBT claims for it, or in hex if it claims none. */
export function keyText({ publicKey, claimedOrigin }: SignerReview): string {
  if (!claimedOrigin) return formatHex(publicKey);
  return `[${formatHex(claimedOrigin.fingerprint)}${formatPath(claimedOrigin.path)}] (claimed)`;
}

const placeOf = ({ descriptor, index }: VerifiedOwner): string => `descriptor ${descriptor + 1}, index ${index}`;

function payee(scriptPubKey: Uint8Array, network: Network): string {
  const address = formatAddress(scriptPubKey, network);
  if (address !== undefined) return address;
  const shown = scriptPubKey.slice(0, SHOWN_SCRIPT);
  const { length } = scriptPubKey;
  return length > SHOWN_SCRIPT ? `script of ${length} bytes ${formatHex(shown)}...` : `script "${formatAsm(shown)}"`;
}

/** Repeats the address in groups of four characters, which are easier to compare by eye. */
function groupLines(scriptPubKey: Uint8Array, network: Network): readonly string[] {
  const groups = formatAddress(scriptPubKey, network)?.match(new RegExp(`.{1,${GROUP}}`, 'g'));
  return groups ? [`      ${groups.join(' ')}`] : [];
}

/** The words for trust, the same for each amount and for the fee. */
const TRUST: Readonly<Record<AmountTrust, string>> = { proven: 'proven', claimed: 'only claimed', unknown: 'unknown' };
const ONLY_CLAIMED = `, ${TRUST.claimed}`;

function feeText({ fee, feeTrust, vsize, inputs, network }: PsbtReview): string {
  if (fee === undefined) return 'unknown: not all coins and amounts are known';
  const { percent, rate } = feeShares({ fee, vsize, inputs });
  const share = percent === undefined ? '' : `, ${percent.toFixed(2)} % of the spent amount`;
  const perSize = rate === undefined ? '' : `, about ${rate.toFixed(1)} sat/vB`;
  return `${formatAmount(fee)} ${network.ticker} (${TRUST[feeTrust]})${share}${perSize}`;
}

/** Returns a fee in percent of the spent amount and in satoshi per virtual byte, each if it is known. */
export function feeShares({ fee, vsize, inputs }: Pick<PsbtReview, 'fee' | 'vsize' | 'inputs'>): {
  readonly percent?: number;
  readonly rate?: number;
} {
  if (fee === undefined) return {};
  const spent = inputs.reduce((sum, { coin }) => sum + (coin?.value ?? 0n), 0n);
  return {
    ...(spent > 0n && { percent: (100 * Number(fee)) / Number(spent) }),
    ...(vsize !== undefined && { rate: Number(fee) / vsize }),
  };
}

/** Explains, one line each, the words for trust that the inputs and the fee carry. */
function trustTexts({ inputs, feeReason }: PsbtReview): readonly string[] {
  const proofs = new Set(inputs.flatMap(({ amountProof }) => amountProof ?? []));
  const proof = [...proofs].map((name) => AMOUNT_PROOF[name]).join(', or ');
  const isClaimed = inputs.some(({ amountTrust }) => amountTrust === 'claimed');
  return [
    ...(proof ? [`amount proven: ${proof}`] : []),
    ...(isClaimed ? ['amount only claimed: its previous transaction is missing'] : []),
    ...FEE_REASON[feeReason],
  ];
}

const AMOUNT_PROOF: Readonly<Record<AmountProof, string>> = {
  'previous-transaction': 'its previous transaction shows it',
  signatures: 'if it were false, the signatures would be invalid',
};

const ALL_PROVEN = ['fee proven: all amounts are, and no signature lets others change outputs or add inputs'];

/** A fee is proven if all amounts are and nothing can change. */
const FEE_REASON: Readonly<Record<FeeReason, readonly string[]>> = {
  'previous-transactions': ALL_PROVEN,
  signatures: ALL_PROVEN,
  claims: ['fee only claimed: not all amounts are proven'],
  'open-signatures': ['fee only claimed: the signatures let others change outputs or add inputs'],
  'unknown-coins': [],
};

function lockText({ lockedUntil, isReplaceable, inputs }: PsbtReview): string {
  const replaceable = isReplaceable
    ? 'signals that it may be replaced (BIP125)'
    : 'does not signal that it may be replaced (BIP125)';
  if (lockedUntil.kind === 'none') {
    const isHeldBack = inputs.some(({ relativeLock }) => relativeLock);
    return `  can be mined ${isHeldBack ? 'once its coins are old enough' : 'at once'}; ${replaceable}`;
  }
  return `  cannot be mined before ${untilText(lockedUntil)}; ${replaceable}`;
}

function findingText({ action, check, text }: Finding, paint: Paint): string {
  return action === 'refuse'
    ? paint('red', `REFUSED: ${text} [${check}]`)
    : paint('yellow', `Warning: ${text} [${check}]`);
}

/** A longer miniscript is no easier to read than a hash. */
const MAX_TEXT = 200;
const SHOWN_BYTES = 8;

/**
 * Names a leaf of a taproot tree by its miniscript if that is short, perhaps with the first bytes of its keys, or else by the
 * first bytes of its hash.
 */
export function leafText(leafHash: Uint8Array, script: Uint8Array | undefined): string {
  const root = script && decodeMiniscript(script, () => undefined, 'tapscript');
  const texts = root ? [printMiniscript(root, formatHex), printMiniscript(root, firstBytes)] : [];
  return texts.find(({ length }) => length <= MAX_TEXT) ?? firstBytes(leafHash);
}

const firstBytes = (bytes: Uint8Array): string => `${formatHex(bytes.slice(0, SHOWN_BYTES))}...`;
