import type { DnssecFault } from '../dnssec/fault.ts';
import type { Contradiction } from '../holder/contradictions.ts';
import type { WalletFault, WalletRoot } from '../holder/heldWallets.ts';
import type { FalseClaim } from '../holder/role.ts';
import type { Network } from '../network/networks.ts';
import type { FindingData, LeafOddity, LockNeed, MessageMismatch } from '../review/finding.ts';
import type { NameFault, NameProof } from '../review/paymentName.ts';
import { isAnyoneCanPay, outputMode } from '../sighash/sighashType.ts';
import { minuteText } from './ageText.ts';
import type { FindingPlace } from './words.ts';

type Money = (sats: bigint) => string;

/** `at` is the output at the beginning of a sentence. */
export function falseClaimText(claim: FalseClaim, at: string): string {
  return claim.reason === 'among-others'
    ? `${at} names your key at ${claim.origin}, but does not pay to it alone, and is of no wallet that you have registered. If it is one, register it; else the money would go to a stranger.`
    : `${at} claims to be yours, which is false: ${refutationText(claim)}. The money would go to a stranger.`;
}

function refutationText(claim: FalseClaim): string {
  switch (claim.reason) {
    case 'among-others':
    case 'other-key':
      return `your key at ${claim.origin} is another one`;
    case 'key-outside':
      return `your key at ${claim.origin} is not in its script`;
    case 'not-alone':
      return `it does not pay to your key at ${claim.origin} alone, as the coins being spent do`;
    case 'other-address':
      return `your key at ${claim.origin} has another address`;
    case 'scan-key':
      return 'its scan key is none of the keys that it names';
    case 'no-script':
      return `${claim.wallet} has no script at ${claim.origin}`;
    case 'other-script':
      return `${claim.wallet} has another script ${claim.chain === undefined ? '' : `on chain ${claim.chain} `}at index ${claim.index}`;
  }
}

/** Words two statements that cannot both be true, such as those of a wallet file. */
export function contradictionText(
  contradiction: Contradiction,
  { inputIndex, outputIndex }: Pick<FindingPlace, 'inputIndex' | 'outputIndex'> = {},
): string {
  switch (contradiction.reason) {
    case 'own-key':
      return `${capitalized(source(contradiction))} names another key than yours at ${contradiction.origin}: it is forged, or wrong.`;
    case 'depth': {
      const { depth, origin, steps } = contradiction;
      return `${capitalized(source(contradiction))} names an extended key of depth ${depth} at ${origin}, which has ${steps} ${steps === 1 ? 'step' : 'steps'}.`;
    }
    case 'two-keys':
      if (contradiction.source === contradiction.other) {
        return `${capitalized(source(contradiction))} names two keys at ${contradiction.origin}: one of both is false.`;
      }
      return `${capitalized(source(contradiction))} names another key at ${contradiction.origin} than ${other(contradiction)}: compare both with the signer.`;
    case 'two-fingerprints': {
      const { fingerprint, otherFingerprint } = contradiction;
      return `One key stands under two fingerprints: ${otherFingerprint} in ${other(contradiction)}, and ${fingerprint} in ${source(contradiction)}.`;
    }
    default: {
      const at = inputIndex === undefined ? `Output ${outputIndex}` : `Input ${inputIndex}`;
      return contradiction.other === undefined
        ? `${at} names another key than yours at ${contradiction.origin}.`
        : `${at} names another key at ${contradiction.origin} than ${contradiction.other}: one of both is false.`;
    }
  }
}

const THE_PSBT = 'the PSBT';
const source = ({ source: title = THE_PSBT }: { readonly source?: string }): string => title;
const other = ({ other: title = THE_PSBT }: { readonly other?: string }): string => title;
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const WALLET_FAULTS: Readonly<Record<WalletFault, string>> = {
  forged: 'has a registration that your key did not make',
  'shares-key': 'is not registered, and has a key of yours that a registered wallet has, too',
  'other-root': 'has registrations that no key at hand can verify',
};

/** Follows the name of a wallet. */
export const walletFaultText = (fault: WalletFault): string => WALLET_FAULTS[fault];

export const rootedTitle = (wallet = 'a listed wallet', root: WalletRoot): string =>
  root === 'registered'
    ? `your registered wallet ${wallet}`
    : root === 'listed'
      ? `${wallet} (not proven: no key at hand)`
      : wallet;

/** Follows "the keys are for". @see SLIP-0044 */
export function coinName(coinType: number | undefined, { ticker }: Network): string {
  if (coinType === 0) return ticker === 'BTC' ? 'the main network' : 'Bitcoin';
  return coinType === 1 ? 'a test network' : coinType === 2 ? 'Litecoin' : 'another network';
}

export function feeText(data: FindingData['fee-high'] | FindingData['fee-absurd'], money: Money): string {
  const { fee, isLeast } = data;
  if (data.by === 'amount') return `The fee is ${money(fee)}.`;
  const start = `The fee of ${isLeast ? 'at least ' : ''}${money(fee)} is`;
  return data.by === 'rate'
    ? `${start} ${data.isMost ? 'up to ' : ''}${rateText(data.rate, data.limit)} sat/vB, above ${data.limit}.`
    : `${start} ${data.percent.toFixed(1)} % of the ${data.of}.`;
}

/** Rounds a rate, but not to the limit that it exceeds. */
const rateText = (rate: number, limit: number): string =>
  [0, 1, 3].map((digits) => rate.toFixed(digits)).find((text) => Number(text) > limit) ?? `${rate}`;

const MESSAGE_FAULTS: Readonly<Record<MessageMismatch, string>> = {
  'two-texts': 'it shows more than one text',
  'other-input': 'its text is at another input than the first',
  'no-script': 'it does not show the script of its address',
  'other-transaction': 'its transaction is not for this text and this address',
  'not-a-message': 'its transaction is not one that signs messages',
  'other-commitment': 'its first input does not commit to this text',
  'not-all-coins': 'its transaction does not pay all of its coins to one output',
  'open-signatures': 'its signatures leave parts of the transaction open, so that they may serve for a payment',
};

export const messageFaultText = (reason: MessageMismatch): string => MESSAGE_FAULTS[reason];

export function hiddenText({ reason, length }: FindingData['message-hidden']): string {
  switch (reason) {
    case 'message':
      return 'This signs a message whose text the PSBT does not show';
    case 'proof':
      return 'This looks like a proof of reserves (BIP127) whose text the PSBT does not show, and may be a payment of all its coins';
    case 'not-text':
      return 'The text that this signs is not UTF-8';
    default:
      return `The text that this signs has ${length} characters`;
  }
}

export const ODDITY_TEXTS: Readonly<Record<LeafOddity, string>> = {
  version: 'has an undefined version',
  unparsed: 'does not parse',
  'op-success': 'holds an OP_SUCCESS, which anyone can spend',
  'code-separator': 'holds an OP_CODESEPARATOR',
};

/** A sentence without its end. */
export function nameFaultText(fault: NameFault): string {
  switch (fault) {
    case 'name':
      return 'it is not a payment name at all';
    case 'none':
      return 'whoever has that name asks for no payment';
    case 'several':
      return 'several payments are asked for in that name, of which none counts';
    case 'uri':
      return 'what is asked for in that name is not a valid payment on this network';
    default:
      return `its DNSSEC proof ${PROOF_FAULTS[fault]}`;
  }
}

const PROOF_FAULTS: Readonly<Record<DnssecFault, string>> = {
  malformed: 'is not a series of DNS records',
  size: 'is larger than what is read here',
  work: 'takes more work than is done here',
  unsupported: 'has an algorithm or a kind of record that is not accepted',
  missing: 'lacks records that lead to the name',
  unsigned: 'has records that no key of their zone signs',
  signature: 'has a false signature',
  key: 'has keys that nothing above them vouches for',
  'key-tag': 'has two keys for one signature',
  wildcard: 'has a wildcard where none may stand',
  denial: 'does not show that a wildcard applies to the name',
  alias: 'leads from name to name without an end',
};

/** Says why a proof does not prove its name: a sentence without its end. */
export const nameProofText = (proof: Exclude<NameProof, { readonly status: 'proven' }>): string =>
  'fault' in proof
    ? `${nameFaultText(proof.fault)}${proof.at === undefined ? '' : ` (${proof.at})`}`
    : unprovenText({ reason: proof.status, from: proof.from, until: proof.until });

/** A sentence without its end. */
export function unprovenText(data: FindingData['name-unproven']): string {
  switch (data.reason) {
    case 'not-checked':
      return 'nothing has checked its proof';
    case 'too-many':
      return 'the PSBT has more names than are checked';
    case 'no-address':
      return 'whoever has that name asks to be paid otherwise than on the chain';
    case 'unreadable':
      return nameFaultText(data.fault);
    case 'no-clock':
      return `its proof holds from ${minuteText(data.from)} to ${minuteText(data.until)}, and the time is not known`;
    case 'early':
      return `its proof holds only from ${minuteText(data.from)} on: set the clock, if it is wrong`;
    default:
      return `its proof was valid until ${minuteText(data.until)}: a new one is needed`;
  }
}

/** Follows "create it again with". */
export function needText({ kind, value }: LockNeed): string {
  switch (kind) {
    case 'version':
      return `version ${value}`;
    case 'locktime':
      return `a locktime of at least ${value}`;
    default:
      return `a sequence ${kind === 'sequence' ? 'of' : 'below'} ${value} in this input`;
  }
}

/** Follows "signatures" or "which". */
export function commitmentText(sighashType: number, inputIndex: number): string {
  const mode = outputMode(sighashType);
  const isAlone = isAnyoneCanPay(sighashType);
  if (mode === 'none') {
    const nothing = isAlone ? 'no output and no other input' : 'no output';
    return `commit to ${nothing}: whoever gets one can send the coin anywhere`;
  }
  if (mode === 'single') {
    const others = isAlone
      ? 'others can change all other outputs, and add inputs'
      : 'others can change all other outputs';
    return `commit to output ${inputIndex} only: ${others}`;
  }
  return isAlone ? 'commit to all outputs, but to no other input: others can add inputs' : 'commit to everything';
}
