// The words of a review in German: a table of functions from the data of each key. It keeps the decimal point of amounts, which are
// compared by eye, and so of all numbers.
import type { AmountProof, LineData, ReportWords } from 'countersign/review';
import { CHECKS } from './checks.ts';
import {
  counted,
  dayText,
  doubtText,
  FINAL,
  grouped,
  indexesText,
  keyText,
  lockAgeText,
  NOT_VALID,
  ownCoinsText,
  ownerText,
  payeeText,
  quorumText,
  quoted,
  signedText,
  TRUST,
  untilText,
} from './dataTexts.ts';

const inputs = (indexes: readonly number[]): string => indexesText(indexes, 'Eingang', 'Eingänge');
const outputs = (indexes: readonly number[]): string => indexesText(indexes, 'Ausgang', 'Ausgänge');

const AMOUNT_PROOF: Readonly<Record<AmountProof, string>> = {
  'previous-transaction': 'Die vorherige Transaktion zeigt ihn',
  signatures: 'Wäre er falsch, so wären die Signaturen ungültig',
};

const FEE_PROVEN =
  'Gebühr bewiesen: Alle Beträge sind es, und keine Signatur lässt andere Ausgänge ändern oder Eingänge hinzufügen';

const FEE_REASON: Readonly<Record<LineData['fee-trust']['reason'], string>> = {
  'previous-transactions': FEE_PROVEN,
  signatures: FEE_PROVEN,
  claims: 'Gebühr nur behauptet: Nicht alle Beträge sind bewiesen',
  'open-signatures': 'Gebühr nur behauptet: Die Signaturen lassen andere Ausgänge ändern oder Eingänge hinzufügen',
};

const SHARE_OF = { payments: 'Zahlungen', coins: 'Coins' } as const;

function roleText({ role, stays, owner }: LineData['role']): string {
  const whose = ownerText(owner);
  if (role === 'change') {
    if (!stays) return `gehört Ihnen (${whose}), kann aber noch ersetzt werden`;
    return owner.root === 'key' || owner.root === 'registered' ? `Rückgeld, geprüft (${whose})` : `Rückgeld (${whose})`;
  }
  if (role === 'own') return `gehört Ihnen (${whose})${stays ? '' : ', zählt als bezahlt'}`;
  return role === 'wallet' ? `Ihre Wallet (${whose}), zählt als bezahlt` : `eine andere Wallet (${whose})`;
}

export const GERMAN: ReportWords = {
  checks: CHECKS,
  labels: {
    leaves: 'Abgang',
    comes: 'Zugang',
    pays: 'Zahlt',
    fee: 'Gebühr',
    change: 'Rückgeld',
    signed: 'Signiert',
    mined: 'Wann',
    spends: 'Herkunft',
    proves: 'Beweist',
    signs: 'Zweck',
    moves: 'Bewegt',
  },
  kinds: {
    payment: 'Zahlung',
    change: 'Ihr Rückgeld',
    own: 'Ihre Adresse',
    wallet: 'Ihre andere Wallet',
    data: 'Daten, keine Zahlung',
    anchor: 'Anker, für eine Folgetransaktion, die die Gebühr zahlt',
  },
  refused: 'ABGELEHNT: ',
  warning: 'Warnung: ',
  also: (places) => {
    const named = [
      ...(places.inputs.length > 0 ? [inputs(places.inputs)] : []),
      ...(places.outputs.length > 0 ? [outputs(places.outputs)] : []),
    ];
    return `auch ${named.join(' und ') || `${places.count} weitere`}`;
  },
  question: ({ payments = [], signs, fee, feeTrust, leaves, warnings }, { money, coins }) => {
    const [first, ...others] = payments;
    const total = others.reduce((sum, { value }) => sum + value, 0n);
    const more =
      others.length > 0
        ? ` und ${coins(total)} an ${counted(others.length, 'weiteren Ausgang', 'weitere Ausgänge')}`
        : '';
    const pays = first ? `Zahlt ${money(first.value)} an ${payeeText(first.payee)}${more}` : 'Zahlt nichts an andere';
    const claimed = feeTrust === 'claimed' ? ' nur behauptet' : '';
    const cost = fee === undefined ? 'unbekannt' : `${coins(fee)}${claimed}`;
    const own = leaves === undefined ? '' : ownText(leaves, money);
    const what = signs ? `Signiert ${signsText(signs)}; bewegt nichts` : `${own}${pays}, Gebühr ${cost}`;
    const above = warnings > 0 ? `, ${counted(warnings, 'Warnung', 'Warnungen')} (siehe oben)` : '';
    return `${what}${above}. Signieren?`;
  },
  lines: {
    clean: () => 'Nichts Verdächtiges gefunden.',
    'clean-listed': () =>
      'Nichts Verdächtiges gefunden, soweit die Wallet-Datei stimmt: Kein vorliegender Schlüssel beweist sie.',
    leaves: ({ amount, fee, stays, isClaimed }, { money }) => {
      const ofIt = fee === undefined ? '' : `, davon ${money(fee)} Gebühr`;
      const trust = isClaimed ? `, ${TRUST.claimed}` : '';
      return `${money(amount)}${ofIt}${trust}${stays > 0n ? `; ${money(stays)} bleiben` : ''}`;
    },
    comes: ({ amount, isClaimed }, { money }) =>
      `${money(amount)} in Ihre Wallet${isClaimed ? `, ${TRUST.claimed}` : ''}`,
    pays: ({ amount, payees, haveAddresses }, { money }) =>
      `${money(amount)} an ${haveAddresses ? counted(payees, 'Adresse', 'Adressen') : counted(payees, 'Ausgangsskript', 'Ausgangsskripte')}`,
    'pays-nothing': () => 'nichts an andere',
    fee: ({ fee, rate, share, trust }, { money }) => {
      const perSize = rate === undefined ? '' : `, etwa ${rate.toFixed(1)} sat/vB`;
      const part = share ? `, ${share.percent.toFixed(2)} % der ${SHARE_OF[share.of]}` : '';
      return `${money(fee)}${perSize}${part}, ${TRUST[trust]}`;
    },
    'fee-unknown': () => 'unbekannt: Nicht alle Coins und Beträge sind bekannt',
    change: ({ amount }, { money }) => money(amount),
    signs: signsText,
    'moves-nothing': () => 'nichts: Dies ist keine Zahlung',
    signed: ({ groups }) =>
      groups.map((group) => `${inputs(group.inputs)}: ${signedText(group.signed)}`).join('; ') ||
      'nichts, denn es gibt keine Eingänge',
    mined: ({ lock, isNever, isWaiting, isReplaceable }, place) => {
      const replaceable = `${isReplaceable ? 'als ersetzbar' : 'nicht als ersetzbar'} markiert (BIP125)`;
      if (isNever) return `nie: Die Transaktion erfüllt die Zeitsperren ihrer Coins nicht; ${replaceable}`;
      const unlocked = isWaiting ? 'sobald die Coins alt genug sind' : 'sofort';
      return `${lock.kind === 'none' ? unlocked : `nicht vor ${untilText(lock, place)}`}; ${replaceable}`;
    },
    spends: (coins, { money }) =>
      `${coins.amount === undefined ? '' : `${money(coins.amount)} in `}${counted(coins.inputs, 'Eingang', coins.amount === undefined ? 'Eingänge' : 'Eingängen')}`,
    'own-coins': ({ owners, signers }) => {
      const signed = signers.length > 0 ? `; signiert von ${signers.join(' und ')}` : '';
      return `alle gehören Ihnen, Beträge bewiesen: ${owners.map(ownCoinsText).join('; ')}${signed}`;
    },
    output: ({ payee }) => payeeText(payee),
    role: roleText,
    'silent-proven': () => 'Silent Payment, bewiesen',
    'silent-conditional': () => 'Silent Payment, nicht bewiesen: Wer es empfängt, findet es nur unter einer Bedingung',
    'silent-open': () =>
      'Silent Payment: Das Signieren berechnet sein Skript, sobald alle Eigentümer der Eingänge beigetragen haben',
    'silent-claimed': ({ address }) =>
      `zahlt angeblich an ${address === undefined ? 'eine Silent-Payment-Adresse' : `die Silent-Payment-Adresse ${address}`}`,
    'name-proven': ({ address, until, isWildcard }) =>
      `${grouped(address)}: Name durch DNSSEC bewiesen bis ${dayText(until)}${isWildcard ? '; die Domain nennt diese Adresse für jeden Namen' : ''}`,
    'name-punycode': () =>
      'Der Name hat Buchstaben außerhalb von ASCII, geschrieben als xn--...: Vergleichen Sie ihn ganz',
    'compare-all': () => 'Vergleichen Sie die ganze Adresse: Die eines Fremden kann gleich beginnen und gleich enden',
    'output-refused': ({ checks }) => `abgelehnt: siehe oben ${checks.map((check) => `[${check}]`).join(' und ')}`,
    'output-open': () => 'Andere können diesen Ausgang ändern oder entfernen: Die Signaturen decken ihn nicht ab',
    input: ({ value, payee }) => {
      if (!payee) return 'unbekannter Coin';
      return value === undefined ? `Betrag unbekannt  ${payeeText(payee)}` : payeeText(payee);
    },
    owner: ({ owner, isOwn, trust }) => {
      const whose = isOwn
        ? `gehört Ihnen (${ownerText(owner)}), `
        : isOwn === false
          ? 'gehört, soweit bekannt, nicht Ihnen, '
          : '';
      return `${whose}Betrag ${TRUST[trust]}`;
    },
    age: ({ age }) => `kann erst bestätigt werden, wenn der Coin ${lockAgeText(age)} alt ist`,
    outpoint: ({ txid, vout }) => `${txid}:${vout}`,
    final: () => FINAL,
    'final-invalid': () => NOT_VALID,
    signers: ({ signers }) => `signiert von ${[...new Set(signers.map(keyText))].join(' und ')}`,
    doubt: ({ signature }) => doubtText(signature),
    quorum: ({ quorum, isAlternative }) => `${isAlternative ? 'oder ' : ''}${quorumText(quorum)}`,
    'amounts-proven': ({ proofs }) => `Betrag bewiesen: ${proofs.map((proof) => AMOUNT_PROOF[proof]).join(', oder: ')}`,
    'amounts-claimed': () => 'Betrag nur behauptet: Die vorherige Transaktion fehlt',
    'fee-trust': ({ reason }) => FEE_REASON[reason],
  },
};

function signsText({ kind, payee, text }: LineData['signs']): string {
  const whose = payee ? ` für ${payeeText(payee)}` : '';
  const what = kind === 'message' ? `eine Nachricht${whose}` : 'einen Nachweis von Guthaben (BIP127)';
  return text === undefined ? `${what}, Text nicht gezeigt` : `${what}: ${quoted(text)}`;
}

const ownText = (leaves: bigint, money: (sats: bigint) => string): string =>
  leaves < 0n ? `In Ihre Wallet kommen ${money(-leaves)}. ` : `Von Ihnen gehen ${money(leaves)} weg. `;
