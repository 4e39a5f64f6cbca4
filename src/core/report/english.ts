import { quotedLine } from '../encoding/printable.ts';
import type { Root } from '../holder/owner.ts';
import type { AmountProof, AmountTrust, SignatureReview } from '../review/inputReview.ts';
import { BITCOIN_SIGN } from '../review/paymentName.ts';
import type { FeeReason } from '../review/reviewPsbt.ts';
import { dayText, lockAgeText, untilText } from './ageText.ts';
import { CHECK_WORDS } from './checkWords.ts';
import { indexesText } from './indexesText.ts';
import type { LineData, OwnerData, PayeeData, SignedData } from './lines.ts';
import { countText, keyText, leafText, quorumText, unverifiableText } from './quorumText.ts';
import { grouped } from './textLines.ts';
import type { ReportWords } from './words.ts';

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const TRUST: Readonly<Record<AmountTrust, string>> = { proven: 'proven', claimed: 'only claimed', unknown: 'unknown' };

/** The one wording of whose a coin or an output is. */
export function ownerText(owner: OwnerData): string {
  switch (owner.kind) {
    case 'account':
      return `${owner.title === undefined ? '' : `${owner.title}, `}${owner.path}${rootNote(owner.root)}`;
    case 'wallet':
      return `${owner.title}, ${chainText(owner)}${owner.index}${rootNote(owner.root)}`;
    case 'key':
      return 'a key at hand can sign for it, among others';
    case 'silent':
      return 'silent payments';
    default:
      return 'not known to be yours';
  }
}

/** Says what a root does not prove; empty for a key at hand and a registration. */
export const rootNote = (root: Root): string =>
  root === 'listed' ? ', not proven: no key at hand' : root === 'none' ? ', not registered' : '';

function chainText({ chain }: Extract<OwnerData, { readonly kind: 'wallet' }>): string {
  if (chain === undefined) return 'index ';
  return typeof chain === 'number' ? `chain ${chain}, index ` : `${chain} `;
}

function signedText(signed: SignedData): string {
  switch (signed.kind) {
    case 'final':
      return FINAL;
    case 'not-valid':
      return NOT_VALID;
    case 'unknown':
      return 'unknown';
    default: {
      const counts = signed.counts.map(countText).join(' or ');
      return `${counts}${signed.isClosed ? ', but the transaction does not meet the locks' : ''}`;
    }
  }
}

const FINAL = 'final';
const NOT_VALID = 'final, but not valid';

/** Words what an output pays: a proven name, or an address in groups of four characters. */
export function payeeText(payee: PayeeData): string {
  switch (payee.kind) {
    case 'data':
      return `data: ${payee.texts.map(quotedLine).join(' ')}`;
    case 'script':
      return payee.asm === undefined ? `script of ${payee.bytes} bytes ${payee.hex}...` : `script "${payee.asm}"`;
    default:
      return payee.name === undefined ? grouped(payee.address) : `${BITCOIN_SIGN}${payee.name}`;
  }
}

function signsText({ kind, payee, text }: LineData['signs']): string {
  const what = kind === 'message' ? `a message for ${payee && payeeText(payee)}` : 'a proof of reserves (BIP127)';
  return text === undefined ? `${what}, whose text is not shown` : `${what}: ${quotedLine(text)}`;
}

function doubtText(signature: SignatureReview): string {
  const { publicKey, leafHash, leafScript, ...signer } = signature;
  // Only a signature for the key path is without a key.
  const whose = publicKey
    ? `of ${keyText({ publicKey, ...signer })}${leafHash ? ` for the leaf ${leafText(leafHash, leafScript)}` : ''}`
    : 'for the key path';
  return signature.state === 'unverifiable'
    ? `signature ${whose}, which cannot be verified: ${unverifiableText(signature.reason)}`
    : `invalid signature ${whose}`;
}

const AMOUNT_PROOF: Readonly<Record<AmountProof, string>> = {
  'previous-transaction': 'its previous transaction shows it',
  signatures: 'if it were false, the signatures would be invalid',
};

const ALL_PROVEN = 'fee proven: all amounts are, and no signature lets others change outputs or add inputs';

const FEE_REASON: Readonly<Record<Exclude<FeeReason, 'unknown-coins'>, string>> = {
  'previous-transactions': ALL_PROVEN,
  signatures: ALL_PROVEN,
  claims: 'fee only claimed: not all amounts are proven',
  'open-signatures': 'fee only claimed: the signatures let others change outputs or add inputs',
};

/** What countersign says in English: its text, its page and its errors have no other words for a review. */
export const ENGLISH: ReportWords = {
  checks: CHECK_WORDS,
  labels: {
    leaves: 'Leaves',
    comes: 'Comes',
    pays: 'Pays',
    fee: 'Fee',
    change: 'Change',
    signed: 'Signed',
    mined: 'Mined',
    spends: 'Spends',
    proves: 'Proves',
    signs: 'Signs',
    moves: 'Moves',
  },
  kinds: {
    payment: 'Payment',
    change: 'Your change',
    own: 'Your address',
    wallet: 'Your other wallet',
    data: 'Data',
    anchor: 'Anchor, for a child that pays the fee',
  },
  refused: 'REFUSED: ',
  warning: 'Warning: ',
  also: ({ inputs, outputs, count }) =>
    `also ${
      [
        ...(inputs.length > 0 ? [indexesText(inputs)] : []),
        ...(outputs.length > 0 ? [indexesText(outputs, 'output')] : []),
      ].join(' and ') || `${count} more`
    }`,
  question: ({ payments = [], signs, fee, feeTrust, leaves, warnings }, { money, coins }) => {
    const [first, ...others] = payments;
    const total = others.reduce((sum, { value }) => sum + value, 0n);
    const to = first && `Pays ${money(first.value)} to ${payeeText(first.payee)}`;
    const more = others.length > 0 ? ` and ${coins(total)} to ${counted(others.length, 'other output')}` : '';
    const paid = to === undefined ? 'Pays nothing to others' : `${to}${more}`;
    const pays = signs ? `Signs ${signsText(signs)}, moves nothing` : paid;
    const claimed = feeTrust === 'claimed' ? ' only claimed' : '';
    const cost = signs ? '' : `, fee ${fee === undefined ? 'unknown' : `${coins(fee)}${claimed}`}`;
    const own =
      leaves === undefined
        ? ''
        : leaves < 0n
          ? `${money(-leaves)} come into your wallet. `
          : `Of yours, ${money(leaves)} leave. `;
    return `${own}${pays}${cost}${warnings > 0 ? `, ${counted(warnings, 'warning')} (above)` : ''}. Sign it?`;
  },
  lines: {
    clean: () => 'Nothing suspicious was found.',
    'clean-listed': () => 'Nothing suspicious was found, as far as the wallet file is true: no key at hand proves it.',
    leaves: ({ amount, fee, stays, isClaimed }, { money }) => {
      const ofIt = fee === undefined ? '' : `, of it the fee of ${money(fee)}`;
      const trust = isClaimed ? `, ${TRUST.claimed}` : '';
      return `${money(amount)}${ofIt}${trust}${stays > 0n ? `; ${money(stays)} stay` : ''}`;
    },
    comes: ({ amount, isClaimed }, { money }) =>
      `${money(amount)} into your wallet${isClaimed ? `, ${TRUST.claimed}` : ''}`,
    pays: ({ amount, payees, haveAddresses }, { money }) =>
      `${money(amount)} to ${haveAddresses ? counted(payees, 'address', 'addresses') : counted(payees, 'output script')}`,
    'pays-nothing': () => 'nothing to others',
    fee: ({ fee, rate, share, trust }, { money }) => {
      const perSize = rate === undefined ? '' : `, about ${rate.toFixed(1)} sat/vB`;
      const part = share ? `, ${share.percent.toFixed(2)} % of the ${share.of}` : '';
      return `${money(fee)}${perSize}${part}, ${TRUST[trust]}`;
    },
    'fee-unknown': () => 'unknown: not all coins and amounts are known',
    change: ({ amount }, { money }) => money(amount),
    signs: signsText,
    'moves-nothing': () => 'nothing: this is not a payment',
    signed: ({ groups }) =>
      groups.map(({ inputs, signed }) => `${indexesText(inputs)}: ${signedText(signed)}`).join('; ') ||
      'nothing, as it has no inputs',
    mined: ({ lock, isNever, isWaiting, isReplaceable }, { network }) => {
      const replaceable = `${isReplaceable ? 'signals' : 'does not signal'} that it may be replaced (BIP125)`;
      if (isNever) return `never: the transaction does not meet the locks of its coins; ${replaceable}`;
      const when =
        lock.kind !== 'none'
          ? `not before ${untilText(lock, network)}`
          : isWaiting
            ? 'once its coins are old enough'
            : 'at once';
      return `${when}; ${replaceable}`;
    },
    spends: ({ amount, inputs }, { money }) =>
      `${amount === undefined ? '' : `${money(amount)} in `}${counted(inputs, 'input')}`,
    'own-coins': ({ owners, signers }) => {
      const signed = signers.length > 0 ? `; signed by ${signers.join(' and ')}` : '';
      return `all yours, amounts proven: ${owners.map(ownCoinsText).join('; ')}${signed}`;
    },
    output: ({ payee }) => payeeText(payee),
    role: ({ role, stays, owner }) => {
      const whose = ownerText(owner);
      if (role === 'change') {
        if (!stays) return `yours (${whose}), but it can still be replaced`;
        return owner.root === 'key' || owner.root === 'registered'
          ? `change, verified (${whose})`
          : `change (${whose})`;
      }
      if (role === 'own') return stays ? `yours (${whose})` : `yours (${whose}), counted as paid`;
      return role === 'wallet' ? `your wallet (${whose}), counted as paid` : `another wallet (${whose})`;
    },
    'silent-proven': () => 'silent payment, proven',
    'silent-conditional': () => 'silent payment, not proven: its receiver finds it only under a condition',
    'silent-open': () =>
      'silent payment: signing computes its script, once the owners of all inputs have added their part',
    'silent-claimed': ({ address }) => `claims to pay the silent payment address ${address ?? ''}`.trimEnd(),
    'name-proven': ({ address, until, isWildcard }) =>
      `${grouped(address)}: name proven by DNSSEC until ${dayText(until)}${isWildcard ? '; its domain has this address for any name' : ''}`,
    'name-punycode': () => 'the name has letters that are not of ASCII, written as xn--...: compare all of it',
    'compare-all': () => "compare all of the address: a stranger's may begin and end alike",
    'output-refused': ({ checks }) => `refused: see ${checks.map((check) => `[${check}]`).join(' and ')} above`,
    'output-open': () => 'others can change or remove this output: the signatures do not cover it',
    input: ({ value, payee }) => {
      if (!payee) return 'unknown coin';
      return value === undefined ? `unknown amount  ${payeeText(payee)}` : payeeText(payee);
    },
    owner: ({ owner, isOwn, trust }) => {
      const whose = isOwn ? `yours (${ownerText(owner)}), ` : isOwn === false ? 'not known to be yours, ' : '';
      return `${whose}amount ${TRUST[trust]}`;
    },
    age: ({ age }) => `cannot be mined until the coin is ${lockAgeText(age)} old`,
    outpoint: ({ txid, vout }) => `${txid}:${vout}`,
    final: () => FINAL,
    'final-invalid': () => NOT_VALID,
    signers: ({ signers }) => `signed by ${[...new Set(signers.map(keyText))].join(' and ')}`,
    doubt: ({ signature }) => doubtText(signature),
    quorum: ({ quorum, isAlternative }) => `${isAlternative ? 'or ' : ''}${quorumText(quorum)}`,
    'amounts-proven': ({ proofs }) => `amount proven: ${proofs.map((proof) => AMOUNT_PROOF[proof]).join(', or ')}`,
    'amounts-claimed': () => 'amount only claimed: its previous transaction is missing',
    'fee-trust': ({ reason }) => FEE_REASON[reason],
  },
};

function ownCoinsText({ owner, indexes }: { readonly owner: OwnerData; readonly indexes: readonly number[] }): string {
  if (owner.kind !== 'account' && owner.kind !== 'wallet') return ownerText(owner);
  const isLong = indexes.length > SHOWN_INDEXES;
  const shown = indexes.slice(0, isLong ? SHOWN_INDEXES - 1 : undefined).join(', ');
  const places = isLong ? `${shown} ... ${indexes.at(-1)} (${indexes.length} in all)` : shown;
  if (owner.kind === 'wallet') return `${owner.title}, ${chainText(owner)}${places}`;
  const title = owner.title === undefined ? '' : `${owner.title}, `;
  return `${title}${owner.path}/${indexes.length > 1 ? `{${places}}` : places}`;
}

const SHOWN_INDEXES = 6;
