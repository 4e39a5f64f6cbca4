import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import { formatAmount } from '../encoding/amount.ts';
import type { Network } from '../network/networks.ts';
import type { SighashDanger, TransactionFeeReason, TransactionReview, Trust } from '../review/transactionReview.ts';
import { formatAsm } from '../script/asm.ts';
import { formatTxid } from '../tx/txid.ts';

const SHOWN_SCRIPT = 60;
const HIGH_FEE_SHARE = 5n;

const TRUST: Readonly<Record<Trust, string>> = {
  proven: 'proven by the signature',
  claimed: 'only claimed',
  unknown: 'unknown',
};

const FEE_REASON: Readonly<Record<TransactionFeeReason, string>> = {
  signatures: 'proven by the signatures',
  claims: 'only claimed: signatures of legacy inputs do not commit to amounts',
  'separate-signatures':
    'only claimed: each signature commits to the amount of its own input, not to those of the others',
  'open-signatures': 'only claimed: the signatures let others change outputs or add inputs',
  unknown: 'unknown',
};

const DANGERS: Readonly<Record<SighashDanger, string>> = {
  'outputs-open': 'NONE: the signatures commit to no output. Anyone who obtains them can send the coins anywhere.',
  'other-outputs-open': 'SINGLE: the signatures commit to one output each. The others can be changed.',
  'inputs-open': 'ANYONECANPAY: others can add inputs to the transaction.',
  'single-without-output': 'SINGLE: inputs without an output of the same index are not signed.',
};

/** Describes what a transaction does, for the user who decides whether to sign it. */
export function reviewText(review: TransactionReview, network: Network): string {
  return [
    'This transaction spends',
    ...review.inputs.map((input) => `  ${inputText(input, network)}`),
    'and pays',
    ...review.outputs.map(({ value, scriptPubKey }) => `  ${money(value, network)} to ${payee(scriptPubKey, network)}`),
    feeText(review, network),
    lockText(review),
    review.isReplaceable
      ? 'It signals that it may be replaced (BIP125).'
      : 'It does not signal that it may be replaced (BIP125).',
    ...review.dangers.map((danger) => `Danger: ${DANGERS[danger]}`),
    '',
  ].join('\n');
}

function inputText(
  { input, scriptPubKey, value, trust }: TransactionReview['inputs'][number],
  network: Network,
): string {
  const { txid, vout } = input.outpoint;
  const amount = value === undefined ? 'an unknown amount' : `${money(value, network)} (${TRUST[trust]})`;
  const from = scriptPubKey ? ` from ${payee(scriptPubKey, network)}` : '';
  return `${amount}${from}, ${formatTxid(txid)}:${vout}`;
}

const money = (value: bigint, { ticker }: Network): string => `${formatAmount(value)} ${ticker}`;

function payee(scriptPubKey: Uint8Array, network: Network): string {
  const address = formatAddress(scriptPubKey, network);
  if (address !== undefined) return address;
  const asm = formatAsm(scriptPubKey.slice(0, SHOWN_SCRIPT));
  return scriptPubKey.length > SHOWN_SCRIPT
    ? `script ${formatHex(scriptPubKey.slice(0, SHOWN_SCRIPT))}…`
    : `script "${asm}"`;
}

function feeText({ fee, feeReason, vsize, outputs }: TransactionReview, network: Network): string {
  if (fee === undefined) return 'The fee is unknown: not all coins and amounts are known.';
  if (fee < 0n) return `Danger: it pays ${money(-fee, network)} more than it spends, so it can never be valid.`;
  const rate = vsize === undefined ? '' : `, about ${(Number(fee) / vsize).toFixed(1)} sat/vB`;
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
  const isHigh = fee * 100n > (paid + fee) * HIGH_FEE_SHARE;
  const warning = isHigh ? `\nDanger: the fee is more than ${HIGH_FEE_SHARE} % of what is spent.` : '';
  return `The fee is ${money(fee, network)}${rate} (${FEE_REASON[feeReason]}).${warning}`;
}

function lockText({ lockedUntil }: TransactionReview): string {
  if (lockedUntil.kind === 'none') return 'It can be mined at once.';
  if (lockedUntil.kind === 'height') return `It cannot be mined before block ${lockedUntil.value + 1}.`;
  return `It cannot be mined before ${new Date(lockedUntil.value * 1000).toISOString()}.`;
}
