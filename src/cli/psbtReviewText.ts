import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import { formatPath } from '../keys/path.ts';
import { formatAmount } from '../network/amount.ts';
import type { Network } from '../network/networks.ts';
import type { InputReview, SignerReview } from '../psbt/review/inputs.ts';
import type { VerifiedOwner } from '../psbt/review/ownership.ts';
import type { Finding } from '../psbt/review/policy.ts';
import type { PsbtReview } from '../psbt/review/reviewPsbt.ts';
import { formatAsm } from '../script/asm.ts';
import { formatTxid } from '../tx/txid.ts';

const STYLES = { bold: '1', red: '31', yellow: '33', green: '32' } as const;
type Paint = (style: keyof typeof STYLES, text: string) => string;

const SHOWN_SCRIPT = 520;
const GROUP = 4;
const SHOWN_HASH = 8;

/** Says in words what a PSBT would do: for the person who is asked whether to sign it. */
export function psbtReviewText(review: PsbtReview, network: Network, { hasColours }: { hasColours: boolean }): string {
  const paint: Paint = (style, text) => (hasColours ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
  const values = [...review.inputs.map(({ coin }) => coin?.value ?? 0n), ...review.outputs.map(({ value }) => value)];
  const width = values.reduce((most, value) => Math.max(most, formatAmount(value).length), 0);
  const money = (value: bigint): string => `${formatAmount(value).padStart(width)} ${network.ticker}`;
  return [
    paint('bold', `Spends (${review.inputs.length})`),
    ...review.inputs.flatMap((input) => inputLines(input, { network, money, paint })),
    paint('bold', `Pays (${review.outputs.length})`),
    ...review.outputs.map(({ value, scriptPubKey, verifiedChange, claimedKeys }) => {
      const note = verifiedChange
        ? paint('green', `  change, verified (${placeOf(verifiedChange)})`)
        : claimedKeys.length > 0
          ? paint('yellow', '  claims to be change')
          : '';
      return `  ${money(value)}  ${payee(scriptPubKey, network)}${note}`;
    }),
    paint('bold', 'Fee'),
    `  ${feeText(review, network)}`,
    ...(review.verifiedSpent === undefined
      ? []
      : [
          `  ${money(review.verifiedSpent)} leave your descriptors in all${review.feeTrust === 'claimed' ? ', as far as amounts are claimed' : ''}`,
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

function inputLines(input: InputReview, { network, money, paint }: Style): readonly string[] {
  const { coin, outpoint, amountTrust, verifiedOwner } = input;
  const from = coin ? payee(coin.scriptPubKey, network) : '';
  const trust = amountTrust === 'claimed' ? '  amount only claimed' : '';
  const owner = verifiedOwner ? paint('green', `  yours (${placeOf(verifiedOwner)})`) : '';
  const first = coin
    ? `  ${money(coin.value)}  ${from}${owner}${trust}`
    : paint('yellow', '  a coin that is not known');
  const place = outpoint ? [`      ${formatTxid(outpoint.txid)}:${outpoint.vout}`] : [];
  return [first, ...place, ...signatureLines(input, paint)];
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

/** A key by its fingerprint and path, or in hex where those are not told. */
function signerText({ publicKey, claimedOrigin, leafHash }: SignerReview): string {
  const leaf = leafHash ? ` for the script ${formatHex(leafHash.slice(0, SHOWN_HASH))}...` : '';
  if (!claimedOrigin) return `${formatHex(publicKey)}${leaf}`;
  return `[${formatHex(claimedOrigin.fingerprint)}${formatPath(claimedOrigin.path)}]${leaf}`;
}

const placeOf = ({ descriptor, index }: VerifiedOwner): string => `descriptor ${descriptor + 1}, index ${index}`;

/** Addresses in groups of four, to be compared by eye. */
function payee(scriptPubKey: Uint8Array, network: Network): string {
  const address = formatAddress(scriptPubKey, network);
  if (address !== undefined) return address.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join(' ') ?? address;
  const shown = scriptPubKey.slice(0, SHOWN_SCRIPT);
  const { length } = scriptPubKey;
  return length > SHOWN_SCRIPT ? `script of ${length} bytes ${formatHex(shown)}...` : `script "${formatAsm(shown)}"`;
}

const FEE_TRUST = { proven: 'proven', claimed: 'only claimed', unknown: 'unknown' } as const;

function feeText({ fee, feeTrust, vsize, inputs }: PsbtReview, network: Network): string {
  if (fee === undefined) return 'unknown: not all coins are';
  const spent = inputs.reduce((sum, { coin }) => sum + (coin?.value ?? 0n), 0n);
  const percent = spent > 0n ? `, ${((100 * Number(fee)) / Number(spent)).toFixed(2)} % of what is spent` : '';
  const rate = vsize === undefined ? '' : `, about ${(Number(fee) / vsize).toFixed(1)} sat/vB`;
  return `${formatAmount(fee)} ${network.ticker} (${FEE_TRUST[feeTrust]})${percent}${rate}`;
}

function lockText({ lockedUntil, isReplaceable, inputs }: PsbtReview): string {
  const replaceable = isReplaceable ? 'may be replaced before it is mined' : 'does not ask to be replaceable';
  if (lockedUntil.kind === 'none') {
    const isHeldBack = inputs.some(({ relativeLock }) => relativeLock);
    return `  can be mined ${isHeldBack ? 'once its coins are old enough' : 'at once'}; ${replaceable}`;
  }
  const until =
    lockedUntil.kind === 'height' ? `block ${lockedUntil.value + 1}` : new Date(lockedUntil.value * 1000).toISOString();
  return `  not to be mined before ${until}; ${replaceable}`;
}

function findingText({ action, check, text }: Finding, paint: Paint): string {
  return action === 'refuse'
    ? paint('red', `REFUSED: ${text} [${check}]`)
    : paint('yellow', `Warning: ${text} [${check}]`);
}
