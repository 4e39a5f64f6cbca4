// German texts of what findings are about: false claims, contradictions, faults.
import type { WalletFault, WalletRoot } from 'countersign/holder';
import type { NameFault } from 'countersign/names';
import type { SilentPaymentFault } from 'countersign/psbt';
import type { Contradiction, FalseClaim, FindingData, FindingPlace } from 'countersign/review';
import { counted, dayText } from './dataTexts.ts';

/** Begins a sentence, or stands in it: `Eingang 0`, `Ausgang 1`. */
export const at = ({ inputIndex, outputIndex }: FindingPlace): string =>
  inputIndex === undefined ? `Ausgang ${outputIndex ?? 0}` : `Eingang ${inputIndex}`;

export function falseClaimText(claim: FalseClaim, place: FindingPlace): string {
  return claim.reason === 'among-others'
    ? `${at(place)} nennt Ihren Schlüssel ${claim.origin}, zahlt aber nicht an ihn allein und gehört zu keiner Wallet, die Sie registriert haben. Ist es Ihre Wallet, so registrieren Sie sie; sonst ginge das Geld an einen Fremden.`
    : `${at(place)} gehört angeblich Ihnen, aber das ist falsch: ${refutationText(claim)}. Das Geld ginge an einen Fremden.`;
}

function refutationText(claim: FalseClaim): string {
  switch (claim.reason) {
    case 'among-others':
    case 'other-key':
      return `Ihr Schlüssel ${claim.origin} ist ein anderer`;
    case 'key-outside':
      return `Ihr Schlüssel ${claim.origin} steht nicht im Skript`;
    case 'not-alone':
      return `Er zahlt nicht an Ihren Schlüssel ${claim.origin} allein, anders als die ausgegebenen Coins`;
    case 'other-address':
      return `Ihr Schlüssel ${claim.origin} hat eine andere Adresse`;
    case 'scan-key':
      return 'Der Scan-Schlüssel ist keiner der Schlüssel, die er nennt';
    case 'no-script':
      return `${claim.wallet} hat kein Skript unter ${claim.origin}`;
    case 'other-script':
      return `${claim.wallet} hat ein anderes Skript ${claim.chain === undefined ? '' : `auf Kette ${claim.chain} `}bei Index ${claim.index}`;
  }
}

export function contradictionText(contradiction: Contradiction, place: FindingPlace): string {
  switch (contradiction.reason) {
    case 'own-key':
      return `Zu ${contradiction.origin} nennt ${source(contradiction)} einen anderen Schlüssel als Ihren: Er ist gefälscht oder falsch.`;
    case 'depth': {
      const { origin, depth, steps } = contradiction;
      return `Zu ${origin} nennt ${source(contradiction)} einen erweiterten Schlüssel der Tiefe ${depth}, aber der Pfad hat ${counted(steps, 'Schritt', 'Schritte')}.`;
    }
    case 'two-keys': {
      const { origin } = contradiction;
      const [one, another] = [source(contradiction), other(contradiction)];
      const keys = one === another ? 'zwei verschiedene Schlüssel' : `einen anderen Schlüssel als ${another}`;
      return `Zu ${origin} nennt ${one} ${keys}: Vergleichen Sie beide mit dem Signiergerät.`;
    }
    case 'two-fingerprints': {
      const { fingerprint, otherFingerprint } = contradiction;
      return `Ein Schlüssel steht unter zwei Fingerabdrücken: ${otherFingerprint} (${other(contradiction)}) und ${fingerprint} (${source(contradiction)}).`;
    }
    default:
      return contradiction.other === undefined
        ? `${at(place)} nennt zu ${contradiction.origin} einen anderen Schlüssel als Ihren.`
        : `${at(place)} nennt zu ${contradiction.origin} einen anderen Schlüssel als ${contradiction.other}: Einer von beiden ist falsch.`;
  }
}

const THE_PSBT = 'die PSBT';
const source = ({ source: title = THE_PSBT }: { readonly source?: string }): string => title;
const other = ({ other: title = THE_PSBT }: { readonly other?: string }): string => title;

/** Follows „die Wallet“ and a comma. */
export const WALLET_FAULTS: Readonly<Record<WalletFault, string>> = {
  forged: 'deren Registrierung nicht von Ihrem Schlüssel stammt',
  'shares-key': 'die nicht registriert ist, aber einen Ihrer Schlüssel mit einer registrierten Wallet teilt',
  'other-root': 'deren Registrierungen kein vorliegender Schlüssel prüfen kann',
};

export function rootedTitle(wallet: string, root: WalletRoot): string {
  if (root === 'registered') return `Ihre registrierte Wallet ${wallet}`;
  return root === 'listed'
    ? `die Wallet ${wallet} (nicht bewiesen: es liegt kein Schlüssel vor)`
    : `die Wallet ${wallet}`;
}

/** Follows „gelten für“. @see SLIP-0044 */
export function coinName(coinType: number | undefined, ticker: string): string {
  if (coinType === 0) return ticker === 'BTC' ? 'das Hauptnetz' : 'Bitcoin';
  return coinType === 1 ? 'ein Testnetz' : coinType === 2 ? 'Litecoin' : 'ein anderes Netz';
}

const SHARE_OF = { payments: 'Zahlungen', coins: 'Coins' } as const;

export function feeText(data: FindingData['fee-high'], { money }: FindingPlace): string {
  const { fee, isLeast } = data;
  if (data.by === 'amount') return `Die Gebühr beträgt ${money(fee)}.`;
  const start = `Die Gebühr von ${isLeast ? 'mindestens ' : ''}${money(fee)} entspricht`;
  return data.by === 'rate'
    ? `${start} ${data.isMost ? 'bis zu ' : ''}${data.rate.toFixed(0)} sat/vB, mehr als ${data.limit}.`
    : `${start} ${data.percent.toFixed(1)} % der ${SHARE_OF[data.of]}.`;
}

export const MESSAGE_FAULTS: Readonly<Record<FindingData['message-mismatch']['reason'], string>> = {
  'two-texts': 'sie zeigt mehr als einen Text',
  'other-input': 'ihr Text steht nicht beim ersten Eingang',
  'no-script': 'sie zeigt das Skript ihrer Adresse nicht',
  'other-transaction': 'ihre Transaktion passt nicht zu diesem Text und dieser Adresse',
  'not-a-message': 'ihre Transaktion ist keine, die Nachrichten signiert',
  'other-commitment': 'ihr erster Eingang gehört nicht zu diesem Text',
  'not-all-coins': 'ihre Transaktion zahlt nicht alle ihre Coins an einen einzigen Ausgang',
  'open-signatures':
    'ihre Signaturen lassen Teile der Transaktion offen, sodass sie auch für eine Zahlung taugen könnten',
};

export function hiddenText({ reason, length }: FindingData['message-hidden']): string {
  switch (reason) {
    case 'message':
      return 'Hier wird eine Nachricht signiert, deren Text die PSBT nicht zeigt';
    case 'proof':
      return 'Dies sieht aus wie ein Nachweis von Guthaben (BIP127), dessen Text die PSBT nicht zeigt, und kann eine Zahlung aller Coins sein';
    case 'not-text':
      return 'Der Text, der hier signiert wird, ist kein UTF-8';
    default:
      return `Der Text, der hier signiert wird, hat ${length ?? 'zu viele'} Zeichen`;
  }
}

export const ODDITIES: Readonly<Record<FindingData['leaf-unusual']['oddity'], string>> = {
  version: 'hat eine undefinierte Version',
  unparsed: 'lässt sich nicht lesen',
  'op-success': 'enthält ein OP_SUCCESS, mit dem jeder den Coin ausgeben kann',
  'code-separator': 'enthält ein OP_CODESEPARATOR',
};

type LockNeed = Extract<FindingData['lock-unmet'], { readonly reason: 'all-ways' }>['needs'][number];

/** Follows „erstellen Sie sie neu mit“. */
export function lockNeedText({ kind, value }: LockNeed): string {
  switch (kind) {
    case 'version':
      return `Version ${value}`;
    case 'locktime':
      return `einer Locktime von mindestens ${value}`;
    default:
      return `einer Sequence ${kind === 'sequence' ? 'von' : 'unter'} ${value} in diesem Eingang`;
  }
}

const SILENT_FAULTS: Readonly<Record<SilentPaymentFault['reason'], (of: string) => string>> = {
  coin: (of) => `Der Coin ${of} ist unbekannt; fügen Sie die vorherige Transaktion hinzu`,
  key: (of) =>
    `Der öffentliche Schlüssel ${of} ist unbekannt; fügen Sie die BIP32-Ableitung hinzu, und das redeemScript, falls es eines gibt`,
  'internal-key': (of) =>
    `Der innere Schlüssel ${of} fehlt; fügen Sie ihn hinzu, oder einen Anteil für diesen Eingang statt eines Anteils für alle`,
  share: (of) => `Der Anteil ${of} fehlt noch; wer mit dem Schlüssel dazu signiert, fügt ihn hinzu`,
  'no-proof': (of) => `Dem Anteil ${of} fehlt der Beweis; wer den Anteil berechnet hat, muss ihn hinzufügen`,
  proof: (of) => `Der Beweis für den Anteil ${of} ist falsch; wer ihn berechnet hat, muss beides neu berechnen`,
  script: () =>
    'Sein Skript, oder das eines anderen Ausgangs mit demselben Scan-Schlüssel, folgt nicht aus den Anteilen, sodass niemand das Geld fände; signieren Sie nicht',
  receivers: () =>
    'Ein anderer Ausgang hat denselben Scan-Schlüssel; geben Sie beide als Adressen desselben Empfängers an, wenn dieser Ihnen beide gegeben hat, denn die eines Fremden würde die Zahlung verbergen',
  input: (of) =>
    `Der Coin ${of} hat eine Witness-Version über 1, die hier nicht erlaubt ist; entfernen Sie den Eingang`,
  'no-key': () =>
    'Kein Eingang hat einen Schlüssel, der zählt, oder die Schlüssel heben einander auf; fügen Sie einen Eingang mit P2WPKH oder Taproot hinzu',
  sighash: (of) => `Die Signaturen ${of} sollen etwas offen lassen; erlaubt ist nur SIGHASH_ALL`,
  modifiable: () =>
    'Eingänge oder Ausgänge können noch hinzukommen und das Skript ändern; entfernen Sie diese Erlaubnis (modifiable flags)',
};

/** Follows a colon, and ends without a full stop. */
export function silentFaultText(fault: SilentPaymentFault | undefined): string {
  if (!fault) return 'Signieren Sie, um es zu berechnen';
  const { reason, inputIndex } = fault;
  const of = inputIndex === undefined ? 'aller Eingänge' : `von Eingang ${inputIndex}`;
  return SILENT_FAULTS[reason](of);
}

const NAME_FAULTS: Readonly<Record<NameFault, string>> = {
  name: 'Er ist gar kein Zahlungsname',
  none: 'Wer so heißt, bittet um keine Zahlung',
  several: 'In diesem Namen wird um mehrere Zahlungen gebeten, von denen keine gilt',
  uri: 'Was in diesem Namen erbeten wird, ist auf diesem Netz keine gültige Zahlung',
  malformed: 'Sein DNSSEC-Beweis besteht nicht aus DNS-Einträgen',
  size: 'Sein DNSSEC-Beweis ist größer, als hier gelesen wird',
  work: 'Sein DNSSEC-Beweis kostet mehr Arbeit, als hier getan wird',
  unsupported: 'Sein DNSSEC-Beweis verwendet ein Verfahren, das nicht angenommen wird',
  missing: 'In seinem DNSSEC-Beweis fehlen Einträge auf dem Weg zum Namen',
  unsigned: 'Sein DNSSEC-Beweis hat Einträge, die kein Schlüssel ihrer Zone signiert',
  signature: 'Sein DNSSEC-Beweis hat eine falsche Signatur',
  key: 'Sein DNSSEC-Beweis hat Schlüssel, für die nichts darüber bürgt',
  'key-tag': 'Sein DNSSEC-Beweis hat zwei Schlüssel für eine Signatur',
  wildcard: 'Sein DNSSEC-Beweis hat einen Platzhalter, wo keiner stehen darf',
  denial: 'Sein DNSSEC-Beweis zeigt nicht, dass ein Platzhalter für den Namen gilt',
  alias: 'Sein DNSSEC-Beweis führt endlos von Name zu Name',
};

export const nameFaultText = (fault: NameFault): string => NAME_FAULTS[fault];

export function unprovenText(data: FindingData['name-unproven']): string {
  switch (data.reason) {
    case 'not-checked':
      return 'Nichts hat seinen Beweis geprüft';
    case 'too-many':
      return 'Die PSBT hat mehr Namen, als geprüft werden';
    case 'no-address':
      return 'Wer so heißt, will nicht auf der Blockchain bezahlt werden';
    case 'unreadable':
      return nameFaultText(data.fault);
    case 'no-clock':
      return `Sein Beweis gilt vom ${dayText(data.from)} bis zum ${dayText(data.until)}, und die Zeit ist nicht bekannt`;
    case 'early':
      return `Sein Beweis gilt erst ab ${dayText(data.from)}: Stimmt die Uhr?`;
    default:
      return `Sein Beweis galt bis ${dayText(data.until)}: Er muss neu geholt werden`;
  }
}
