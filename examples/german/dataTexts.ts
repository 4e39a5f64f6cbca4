// German texts of what the lines of a review are about: owners, payees, keys, signatures, locks and ages.
import { formatHex } from 'countersign/bytes';
import { formatPath, type KeyOrigin, keyFingerprint } from 'countersign/keys';
import type { SignatureCause, UnverifiableReason } from 'countersign/psbt';
import type {
  AmountTrust,
  FindingData,
  FindingPlace,
  LineData,
  Need,
  OwnerData,
  PayeeData,
  QuorumProgress,
  SignatureReview,
  SignedData,
  SignerReview,
  UnmetLock,
} from 'countersign/review';

/** Forms of a noun: `1 Block`, `2 Blöcke`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const SHOWN_RANGES = 5;

/** `Eingang 7`, `Eingänge 0 bis 3, 7`. */
export function indexesText(indexes: readonly number[], one: string, many: string): string {
  const ranges: [number, number][] = [];
  for (const index of indexes) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  const shown = ranges.slice(0, SHOWN_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from} bis ${to}`));
  const more = ranges.length > SHOWN_RANGES ? ', ...' : '';
  return `${indexes.length === 1 ? one : many} ${shown.join(', ')}${more}`;
}

/** Quotes a text of strangers on one line, without control characters or invisible ones. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Groups an address by four characters, to compare by eye. */
export const grouped = (address: string): string => address.replace(/.{4}(?=.)/g, '$& ');

export const TRUST: Readonly<Record<AmountTrust, string>> = {
  proven: 'bewiesen',
  claimed: 'nur behauptet',
  unknown: 'unbekannt',
};

const ROOT_NOTES: Readonly<Record<OwnerData['root'], string>> = {
  key: '',
  registered: '',
  listed: ', nicht bewiesen: es liegt kein Schlüssel vor',
  none: ', nicht registriert',
};

type WalletOwner = Extract<OwnerData, { readonly kind: 'wallet' }>;

function chainText({ chain }: WalletOwner): string {
  if (chain === undefined) return 'Index ';
  return chain === 'receive' ? 'Empfang ' : chain === 'change' ? 'Rückgeld ' : `Kette ${chain}, Index `;
}

const titled = (title: string | undefined): string => (title === undefined ? '' : `${title}, `);

export function ownerText(owner: OwnerData): string {
  switch (owner.kind) {
    case 'account':
      return `${titled(owner.title)}${owner.path}${ROOT_NOTES[owner.root]}`;
    case 'wallet':
      return `${owner.title}, ${chainText(owner)}${owner.index}${ROOT_NOTES[owner.root]}`;
    case 'key':
      return 'ein vorliegender Schlüssel kann dafür signieren, neben anderen';
    case 'silent':
      return 'Silent Payment';
    default:
      return 'nicht als Ihr Eigentum bekannt';
  }
}

const SHOWN_INDEXES = 6;

export function ownCoinsText({ owner, indexes }: LineData['own-coins']['owners'][number]): string {
  const places = `${indexes.slice(0, SHOWN_INDEXES).join(', ')}${indexes.length > SHOWN_INDEXES ? ' ...' : ''}`;
  if (owner.kind === 'wallet') return `${owner.title}, ${chainText(owner)}${places}`;
  if (owner.kind !== 'account') return ownerText(owner);
  return `${titled(owner.title)}${owner.path}/${indexes.length > 1 ? `{${places}}` : places}`;
}

export function payeeText(payee: PayeeData): string {
  switch (payee.kind) {
    case 'data':
      return `Daten, keine Zahlung: ${payee.texts.map(quoted).join(' ')}`;
    case 'script':
      return payee.asm === undefined
        ? `Skript von ${payee.bytes} Bytes ${payee.hex ?? ''}...`
        : `Skript "${payee.asm}"`;
    default:
      return payee.name === undefined ? grouped(payee.address) : `₿${payee.name}`;
  }
}

const HASH_TYPES = ['DEFAULT', 'ALL', 'NONE', 'SINGLE'] as const;
const ANYONECANPAY = 0x80;

/** Names a hash type as it is passed to `--sighash`. */
export function hashTypeName(sighashType: number): string {
  const name = HASH_TYPES[sighashType & ~ANYONECANPAY];
  const isAlone = (sighashType & ANYONECANPAY) !== 0;
  if (name === undefined || sighashType === ANYONECANPAY) return `0x${sighashType.toString(16)}`;
  return isAlone ? `${name}|ANYONECANPAY` : name;
}

/** Follows „Signaturen“ or „die“: what a hash type covers, and what it leaves to others. */
export function commitmentText(sighashType: number, inputIndex: number): string {
  const bits = sighashType & 0x1f;
  const isAlone = (sighashType & ANYONECANPAY) !== 0;
  if (bits === 2) {
    const nothing = isAlone ? 'keinen Ausgang und keinen anderen Eingang' : 'keinen Ausgang';
    return `decken ${nothing} ab: Wer eine davon erhält, kann den Coin beliebig verschicken`;
  }
  if (bits === 3) {
    const more = isAlone ? ' und Eingänge hinzufügen' : '';
    return `decken nur Ausgang ${inputIndex} ab: Andere können alle übrigen Ausgänge ändern${more}`;
  }
  return isAlone
    ? 'decken alle Ausgänge ab, aber keinen anderen Eingang: Andere können Eingänge hinzufügen'
    : 'decken alles ab';
}

/** Tells whether others can change something without making the signature invalid. */
export const leavesOpen = (sighashType: number): boolean =>
  (sighashType & ANYONECANPAY) !== 0 || [2, 3].includes(sighashType & 0x1f);

const SHOWN_BYTES = 8;
const shortHex = (bytes: Uint8Array): string => `${formatHex(bytes.slice(0, SHOWN_BYTES))}...`;

export function keyText({ publicKey, claimedOrigin, verifiedOrigin }: SignerReview): string {
  const origin = verifiedOrigin ?? claimedOrigin;
  if (!origin || isKeyAlone(publicKey, origin)) return formatHex(publicKey);
  const place = `[${formatHex(origin.fingerprint)}${formatPath(origin.path)}]`;
  return verifiedOrigin ? place : `${place} (nur behauptet)`;
}

/** Tells whether an origin says no more than the fingerprint of the key itself. */
function isKeyAlone(publicKey: Uint8Array, { fingerprint, path }: KeyOrigin): boolean {
  if (path.length > 0) return false;
  const written = publicKey.length === 32 ? [2, 3].map((parity) => Uint8Array.of(parity, ...publicKey)) : [publicKey];
  return written.some((key) => formatHex(keyFingerprint({ publicKey: key })) === formatHex(fingerprint));
}

const DOUBTS: Readonly<Record<UnverifiableReason, string>> = {
  coin: 'Die PSBT zeigt den Coin nicht',
  'other-coins': 'Die PSBT zeigt nicht alle Coins',
  'redeem-script': 'Das redeemScript fehlt',
  'witness-script': 'Das witnessScript fehlt',
  'leaf-script': 'Das Skript des Blattes fehlt',
  'leaf-uncommitted': 'Das Blatt gehört nicht zum Coin',
  'code-separator': 'Das Skript enthält OP_CODESEPARATOR',
  'key-unnamed': 'Das Skript nennt den Schlüssel nicht',
  'key-foreign': 'Der Coin nimmt diesen Schlüssel nicht an',
};
const MISSING: readonly UnverifiableReason[] = [
  'coin',
  'other-coins',
  'redeem-script',
  'witness-script',
  'leaf-script',
];

const leafText = (leafHash: Uint8Array): string => `Blatt ${shortHex(leafHash)}`;

export function doubtText(signature: SignatureReview): string {
  const { publicKey, leafHash } = signature;
  const leaf = leafHash ? ` für das ${leafText(leafHash)}` : '';
  const whose = publicKey ? `von ${keyText({ ...signature, publicKey })}${leaf}` : 'für den direkten Taproot-Weg';
  if (signature.state !== 'unverifiable') return `ungültige Signatur ${whose}`;
  const { reason } = signature;
  const remedy = MISSING.includes(reason) ? '; führen Sie diese PSBT mit der verschickten zusammen (combine)' : '';
  return `Signatur ${whose}, die sich nicht prüfen lässt: ${DOUBTS[reason]}${remedy}`;
}

/** Says why a signature cannot count. */
export function causeText(cause: SignatureCause): string {
  switch (cause.kind) {
    case 'high-s':
      return 'Ihr s liegt in der oberen Hälfte der Ordnung (high S), und kein Node leitet das weiter';
    case 'encoding':
      return 'Sie ist nicht streng nach DER kodiert, und jeder Node lehnt das ab';
    case 'type-missing':
      return `Sie gilt für den Hashtyp ${hashTypeName(cause.sighashType)}, aber ihr fehlt das Byte dafür`;
    case 'type-other':
      return cause.sighashType === 0
        ? 'Sie gilt für den Hashtyp DEFAULT, der kein Byte hat, endet aber mit einem'
        : `Sie gilt für den Hashtyp ${hashTypeName(cause.sighashType)}, aber ihr letztes Byte nennt einen anderen`;
    case 'legacy-digest':
      return 'Sie signiert den alten Hash, obwohl der Coin segwit ist';
    case 'segwit-digest':
      return 'Sie signiert den segwit-Hash, obwohl der Coin nicht segwit ist';
    default:
      return 'Sie stammt vom inneren Schlüssel ohne die Anpassung (tweak) von Taproot';
  }
}

const DAY = 86_400;
const SECONDS_PER_BLOCK = 600;

function durationText(seconds: number): string {
  const days = seconds / DAY;
  const months = Math.round(days / 30.44);
  if (months >= 12 && (months % 12 === 0 || months > 36)) return counted(Math.round(months / 12), 'Jahr', 'Jahre');
  if (days >= 60) return counted(months, 'Monat', 'Monate');
  if (days >= 2) return counted(Math.round(days), 'Tag', 'Tage');
  return days >= 1 / 12
    ? counted(Math.round(days * 24), 'Stunde', 'Stunden')
    : counted(Math.max(1, Math.round(seconds / 60)), 'Minute', 'Minuten');
}

/** Words an age in seconds, of which a block has 600; absent or infinite for never. `since` says from when it is counted. */
export function ageText(age = Number.POSITIVE_INFINITY, since = ''): string {
  if (!Number.isFinite(age)) return 'nie';
  if (age === 0) return 'sofort';
  const blocks = counted(Math.ceil(age / SECONDS_PER_BLOCK), 'Block', 'Blöcken');
  return `nach etwa ${blocks} (${durationText(age)}${since})`;
}

/** Words an age that each payment to a wallet has to reach. */
export const agePerPayment = (age?: number): string => ageText(age, ' ab jeder Zahlung');

export const WHEN_UNLOCKED = 'erst, wenn eine absolute Zeitsperre abgelaufen ist';

type RelativeLock = LineData['age']['age'];
const UNIT = 512;

/** The age that a lock demands, in the nominative or the dative. */
export function lockAgeText({ kind, value }: RelativeLock, isDative = false): string {
  const n = isDative ? 'n' : '';
  if (kind === 'time') return `${((value * UNIT) / DAY).toFixed(1)} Tage${n}`;
  const seconds = value * SECONDS_PER_BLOCK;
  const about = seconds >= DAY * 2 ? ` (etwa ${durationText(seconds)})` : '';
  return `${counted(value, 'Block', `Blöcke${n}`)}${about}`;
}

const LOCKTIME_THRESHOLD = 500_000_000;
const TIME_FLAG = 0x0040_0000;
const LOCK_MASK = 0xffff;

export function lockText({ kind, lock }: UnmetLock): string {
  if (kind === 'older') {
    const age = { kind: (lock & TIME_FLAG) === 0 ? 'blocks' : 'time', value: lock & LOCK_MASK } as const;
    return `nach ${lockAgeText(age, true)}`;
  }
  return lock < LOCKTIME_THRESHOLD ? `nach Block ${lock}` : `nach dem ${dateText(lock)}`;
}

const dateText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');

type EffectiveLock = Extract<FindingData['locktime-unusual'], { readonly reason: 'until' }>['lock'];

/** Follows „nicht vor“: the block, with the year in which it may come, or the time. */
/** Der Tag einer Unix-Zeit, in UTC. */
export const dayText = (seconds: number): string => dateText(seconds).split(' ')[0] ?? '';

export function untilText({ kind, value }: EffectiveLock, { network }: FindingPlace): string {
  if (kind === 'time') return `dem ${dateText(value)}`;
  const { datedBlock, consensus } = network;
  if (!datedBlock || !consensus || value < datedBlock.height) return `Block ${value + 1}`;
  const seconds = datedBlock.time + (value - datedBlock.height) * consensus.targetSpacing;
  return `Block ${value + 1} (etwa ${new Date(seconds * 1000).getUTCFullYear()})`;
}

const signatures = (count: number): string => (count === 1 ? 'Signatur' : 'Signaturen');

function countText({ have, required }: Pick<QuorumProgress, 'have' | 'required'>): string {
  return required === undefined ? `${have}` : `${Math.min(have, required)} von ${required}`;
}

export function signedText(signed: SignedData): string {
  switch (signed.kind) {
    case 'final':
      return FINAL;
    case 'not-valid':
      return NOT_VALID;
    case 'unknown':
      return 'unbekannt';
    default: {
      const closed = signed.isClosed ? ', aber die Transaktion erfüllt die Zeitsperren nicht' : '';
      return `${signed.counts.map(countText).join(' oder ')}${closed}`;
    }
  }
}

export const FINAL = 'fertig signiert';
export const NOT_VALID = 'fertig signiert, aber nicht gültig';

const SHOWN_KEYS = 10;

export function quorumText(quorum: QuorumProgress): string {
  const { have, required, signed, wanted, isKeyPath, leafHash } = quorum;
  const count = `${countText(quorum)} ${signatures(required ?? have)} vorhanden${closedText(quorum)}`;
  const way = isKeyPath ? 'auf dem direkten Weg' : leafHash && `über das ${leafText(leafHash)}`;
  const needed = neededText(quorum);
  const missing = needed === undefined ? '' : `, noch nötig: ${needed}`;
  const [key] = [...signed, ...wanted];
  if (way !== undefined && key && signed.length + wanted.length === 1)
    return `Schlüssel ${keyText(key)} ${way}: ${count}${quorum.needed?.kind === 'preimage' ? missing : ''}`;
  return `${way === undefined ? '' : `${way}: `}${count}${missing}${laterText(quorum)}`;
}

function closedText({ isClosed, closedBy = [] }: QuorumProgress): string {
  if (!isClosed) return '';
  const locks = closedBy.length === 0 ? '' : ` (erst ${closedBy.map(lockText).join(' und ')})`;
  return `, aber die Transaktion erfüllt die Zeitsperre nicht${locks}`;
}

const isFull = ({ have, required }: QuorumProgress): boolean => required !== undefined && have >= required;

function neededText(quorum: QuorumProgress): string | undefined {
  const { have, required, needed, wanted } = quorum;
  if (needed) return needText(needed);
  if (isFull(quorum) || wanted.length === 0) return undefined;
  return chosenText(required === undefined ? 1 : required - have, wanted.map(keyText));
}

function needText(need: Need): string {
  if (need.kind === 'signature') return keyText(need.signer);
  if (need.kind === 'preimage') return `das Urbild (Preimage) von ${need.name} ${shortHex(need.hash)}`;
  const texts = need.of.map((one) => (one.kind === 'some' ? `(${needText(one)})` : needText(one)));
  return chosenText(need.required, texts);
}

function chosenText(required: number, texts: readonly string[]): string {
  const more = texts.length > SHOWN_KEYS ? [`${texts.length - SHOWN_KEYS} weitere`] : [];
  const shown = [...texts.slice(0, SHOWN_KEYS), ...more];
  if (required === texts.length) return shown.join(' und ');
  return required === 1 ? shown.join(' oder ') : `${required} von: ${shown.join(', ')}`;
}

function laterText(quorum: QuorumProgress): string {
  if (isFull(quorum) && !quorum.needed) return '';
  return (quorum.later ?? [])
    .map(({ signers, required, ...lock }) => {
      if (signers.length === 0) return `; ${required} ${required === 1 ? 'genügt' : 'genügen'} ${lockText(lock)}`;
      const more = signers.length > SHOWN_KEYS ? ', ...' : '';
      return `; ${signers.slice(0, SHOWN_KEYS).map(keyText).join(', ')}${more} erst ${lockText(lock)}`;
    })
    .join('');
}
