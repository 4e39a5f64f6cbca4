import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import { decodeMiniscript, printMiniscript } from '../descriptors/miniscript/index.ts';
import { formatAmount } from '../encoding/amount.ts';
import { formatPath } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import type { InputReview, SignerReview } from '../review/inputReview.ts';
import type { OutputReview } from '../review/outputs.ts';
import type { VerifiedOwner } from '../review/ownership.ts';
import type { Finding } from '../review/policy.ts';
import type { FeeReason, PsbtReview } from '../review/reviewPsbt.ts';
import { formatAsm } from '../script/asm.ts';
import { formatTxid } from '../tx/txid.ts';

const STYLES = { bold: '1', red: '31', yellow: '33', green: '32' } as const;
type Paint = (style: keyof typeof STYLES, text: string) => string;

const SHOWN_SCRIPT = 520;
const GROUP = 4;

/**
 * Describes what a PSBT would do, for the user who decides whether to sign it.
 *
 * - `scriptPubKeys`: of coins whose amount is unknown, which a raw transaction may spend
 */
export function psbtReviewText(
  review: PsbtReview,
  network: Network,
  { hasColours, scriptPubKeys = [] }: { hasColours: boolean; scriptPubKeys?: readonly (Uint8Array | undefined)[] },
): string {
  const paint: Paint = (style, text) => (hasColours ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
  const values = [...review.inputs.map(({ coin }) => coin?.value ?? 0n), ...review.outputs.map(({ value }) => value)];
  const width = values.reduce((most, value) => Math.max(most, formatAmount(value).length), 0);
  const money = (value: bigint): string => `${formatAmount(value).padStart(width)} ${network.ticker}`;
  return [
    paint('bold', `Spends (${review.inputs.length})`),
    ...review.inputs.flatMap((input) => inputLines(input, review.feeReason, { network, money, paint, scriptPubKeys })),
    paint('bold', `Pays (${review.outputs.length})`),
    ...review.outputs.flatMap((output) => outputLines(output, { network, money, paint })),
    paint('bold', 'Fee'),
    `  ${feeText(review, network)}`,
    ...(review.verifiedSpent === undefined
      ? []
      : [
          `  ${money(review.verifiedSpent)} leave your wallet in total${review.feeTrust === 'claimed' ? `, ${FEE_REASON[review.feeReason]}` : ''}`,
        ]),
    lockText(review),
    ...review.findings.map((finding) => findingText(finding, paint)),
    '',
  ].join('\n');
}

interface Style {
  readonly network: Network;
  readonly money: (value: bigint) => string;
  readonly paint: Paint;
}

function inputLines(
  input: InputReview,
  feeReason: FeeReason,
  style: Style & { readonly scriptPubKeys: readonly (Uint8Array | undefined)[] },
): readonly string[] {
  const { network, money, paint } = style;
  const { coin, outpoint, amountTrust, isAmountSigned } = input;
  const scriptPubKey = coin?.scriptPubKey ?? style.scriptPubKeys[input.inputIndex];
  const from = scriptPubKey ? payee(scriptPubKey, network) : '';
  const trust = amountTrust === 'claimed' ? `  ${claimText(isAmountSigned, feeReason)}` : '';
  const first = coin
    ? `  ${money(coin.value)}  ${from}${ownerText(input, paint)}${trust}`
    : paint('yellow', scriptPubKey ? `  unknown amount  ${from}` : '  unknown coin');
  const place = outpoint ? [`      ${formatTxid(outpoint.txid)}:${outpoint.vout}`] : [];
  const groups = scriptPubKey ? groupLines(scriptPubKey, network) : [];
  return [first, ...groups, ...place, ...signatureLines(input, paint)];
}

function claimText(isAmountSigned: boolean, feeReason: FeeReason): string {
  if (feeReason === 'signatures') return 'amount claimed; if it is false, the signature is invalid';
  return isAmountSigned ? 'amount only claimed; only its own signature commits to it' : 'amount only claimed';
}

function ownerText({ verifiedOwner, hasOwnKey }: InputReview, paint: Paint): string {
  if (verifiedOwner) return paint('green', `  yours (${placeOf(verifiedOwner)})`);
  return hasOwnKey ? paint('green', '  yours (an available key can sign for it)') : '';
}

function outputLines(
  { value, scriptPubKey, verifiedChange, verifiedOwner, claimedKeys }: OutputReview,
  { network, money, paint }: Style,
): readonly string[] {
  const note = (): string => {
    if (verifiedChange) return paint('green', `  change, verified (${placeOf(verifiedChange)})`);
    if (verifiedOwner) return paint('yellow', `  yours (${placeOf(verifiedOwner)}), but it can still be replaced`);
    return claimedKeys.length > 0 ? paint('yellow', '  claims to be change') : '';
  };
  return [`  ${money(value)}  ${payee(scriptPubKey, network)}${note()}`, ...groupLines(scriptPubKey, network)];
}

function signatureLines({ isFinal, isFinalValid, signatures, missingSignatures }: InputReview, paint: Paint): string[] {
  if (isFinal) return [isFinalValid ? '      final' : paint('red', '      final, but not valid')];
  return [
    ...signatures.map((signer) =>
      signer.isValid
        ? `      signed by ${signerText(signer)}`
        : paint('red', `      invalid signature of ${signerText(signer)}`),
    ),
    ...missingSignatures.map((signer) => `      not signed by ${signerText(signer)}`),
  ];
}

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

const FEE_REASON: Readonly<Record<FeeReason, string>> = {
  'previous-transactions': 'proven by the previous transactions',
  signatures: 'proven: a false amount would invalidate the signatures',
  claims: 'only claimed: a previous transaction is missing',
  'open-signatures': 'only claimed: the signatures let others change outputs or add inputs',
  'unknown-coins': 'unknown',
};

function feeText({ fee, feeReason, vsize, inputs }: PsbtReview, network: Network): string {
  if (fee === undefined) return 'unknown: not all coins and amounts are known';
  const spent = inputs.reduce((sum, { coin }) => sum + (coin?.value ?? 0n), 0n);
  const percent = spent > 0n ? `, ${((100 * Number(fee)) / Number(spent)).toFixed(2)} % of the spent amount` : '';
  const rate = vsize === undefined ? '' : `, about ${(Number(fee) / vsize).toFixed(1)} sat/vB`;
  return `${formatAmount(fee)} ${network.ticker} (${FEE_REASON[feeReason]})${percent}${rate}`;
}

function lockText({ lockedUntil, isReplaceable, inputs }: PsbtReview): string {
  const replaceable = isReplaceable
    ? 'signals that it may be replaced (BIP125)'
    : 'does not signal that it may be replaced (BIP125)';
  if (lockedUntil.kind === 'none') {
    const isHeldBack = inputs.some(({ relativeLock }) => relativeLock);
    return `  can be mined ${isHeldBack ? 'once its coins are old enough' : 'at once'}; ${replaceable}`;
  }
  const until =
    lockedUntil.kind === 'height' ? `block ${lockedUntil.value + 1}` : new Date(lockedUntil.value * 1000).toISOString();
  return `  cannot be mined before ${until}; ${replaceable}`;
}

function findingText({ action, check, text }: Finding, paint: Paint): string {
  return action === 'refuse'
    ? paint('red', `REFUSED: ${text} [${check}]`)
    : paint('yellow', `Warning: ${text} [${check}]`);
}

/** A longer miniscript is no easier to read than a hash. */
const MAX_TEXT = 200;
const SHOWN_HASH = 8;

/** Names a leaf of a taproot tree by its miniscript if that is short, or else by the first bytes of its hash. */
export function leafText(leafHash: Uint8Array, script: Uint8Array | undefined): string {
  const root = script && decodeMiniscript(script, () => undefined, 'tapscript');
  const text = root && printMiniscript(root, formatHex);
  return text !== undefined && text.length <= MAX_TEXT ? text : `${formatHex(leafHash.slice(0, SHOWN_HASH))}...`;
}
