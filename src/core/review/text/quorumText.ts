import { formatHex } from '../../bytes/hex.ts';
import { decodeMiniscript, type Miniscript, postOrder, printMiniscript } from '../../descriptors/miniscript/index.ts';
import { formatPath } from '../../keys/path.ts';
import type { UnverifiableReason } from '../../psbt/signatureVerifier.ts';
import { LOCKTIME_THRESHOLD } from '../../tx/absoluteLock.ts';
import { parseRelativeLock, type RelativeLock, toSeconds } from '../../tx/relativeLock.ts';
import type { QuorumProgress, SignerReview } from '../inputReview.ts';
import { isFull } from '../quorums.ts';

/** Marks an origin unless a descriptor proves it. */
export function keyText({ publicKey, claimedOrigin, verifiedOrigin }: SignerReview): string {
  const origin = verifiedOrigin ?? claimedOrigin;
  if (!origin) return formatHex(publicKey);
  return `[${formatHex(origin.fingerprint)}${formatPath(origin.path)}]${verifiedOrigin ? '' : ' (claimed)'}`;
}

/** A longer miniscript is no easier to read than a hash. */
const MAX_TEXT = 200;
const SHOWN_HASH = 8;

/** Prints a short miniscript, if need be with shortened keys, else the beginning of the hash. */
export function leafText(leafHash: Uint8Array, script: Uint8Array | undefined): string {
  const root = script && decodeMiniscript(script, () => undefined, 'tapscript');
  const texts = root ? [printMiniscript(root, formatHex), printMiniscript(root, shortHex)] : [];
  return texts.find(({ length }) => length <= MAX_TEXT) ?? shortHex(leafHash);
}

const shortHex = (bytes: Uint8Array): string => `${formatHex(bytes.slice(0, SHOWN_HASH))}...`;

type OtherDoubt = 'leaf-uncommitted' | 'code-separator' | 'key-unnamed';
type MissingRecord = Exclude<UnverifiableReason, OtherDoubt>;

/** The PSBT from before the signature has these records. */
const MISSING_RECORDS: Readonly<Record<MissingRecord, string>> = {
  coin: 'the PSBT does not show the coin',
  'other-coins': 'the PSBT does not show all coins',
  'redeem-script': 'the redeemScript is missing',
  'witness-script': 'the witnessScript is missing',
  'leaf-script': 'the leaf script is missing',
};

const OTHER_DOUBTS: Readonly<Record<OtherDoubt, string>> = {
  'leaf-uncommitted': 'the coin does not commit to the leaf',
  'code-separator': 'the script holds an OP_CODESEPARATOR',
  'key-unnamed': 'the script does not name the key',
};

export const isRecordMissing = (reason: UnverifiableReason): reason is MissingRecord =>
  Object.hasOwn(MISSING_RECORDS, reason);

export const unverifiableText = (reason: UnverifiableReason): string =>
  isRecordMissing(reason)
    ? `${MISSING_RECORDS[reason]}; combine this PSBT with the one that was sent`
    : OTHER_DOUBTS[reason];

/** Returns texts such as `have 1 of 2 signatures, still needed: ...`. */
export function quorumTexts(quorums: readonly QuorumProgress[]): readonly string[] {
  return quorums.map((quorum, i) => `${i > 0 ? 'or ' : ''}${quorumText(quorum)}`);
}

export function countText({ have, required }: QuorumProgress): string {
  return required === undefined ? `${have}` : `${Math.min(have, required)} of ${required}`;
}

function quorumText(quorum: QuorumProgress): string {
  const { have, required, signed, wanted, isClosed } = quorum;
  const closed = isClosed ? ', but the transaction does not meet its lock' : '';
  const count = `have ${countText(quorum)} ${required === undefined && have === 1 ? 'signature' : 'signatures'}${closed}`;
  const way = wayText(quorum);
  const [key] = [...signed, ...wanted];
  if (way !== undefined && key && signed.length + wanted.length === 1) return `key ${keyText(key)} ${way}: ${count}`;
  return `${way === undefined ? '' : `${way}: `}${count}${isFull(quorum) ? '' : wantedText(wanted)}`;
}

const SHOWN_KEYS = 10;

function wantedText(missing: readonly SignerReview[]): string {
  if (missing.length === 0) return '';
  const keys = missing.slice(0, SHOWN_KEYS).map(keyText).join(' or ');
  const more = missing.length > SHOWN_KEYS ? ` or ${missing.length - SHOWN_KEYS} others` : '';
  return `, still needed: ${keys}${more}`;
}

function wayText({ isKeyPath, leafHash, leafScript }: QuorumProgress): string | undefined {
  if (isKeyPath) return 'at once';
  if (!leafHash) return undefined;
  const root = leafScript && decodeMiniscript(leafScript, (hash) => hash, 'tapscript');
  const conditions = root && conditionTexts(root);
  if (!conditions) return `by the leaf ${leafText(leafHash, leafScript)}`;
  return conditions.length > 0 ? conditions.join(' and ') : 'at once';
}

/** `undefined` if the leaf has alternatives. */
function conditionTexts(root: Miniscript): readonly string[] | undefined {
  const texts: string[] = [];
  for (const { fragment } of postOrder(root)) {
    if ('subs' in fragment && !fragment.kind.startsWith('and_')) return undefined;
    if (fragment.kind === '0') return undefined;
    if (fragment.kind === 'older') texts.push(`after ${ageText(parseRelativeLock(fragment.lock))}`);
    if (fragment.kind === 'after') texts.push(`after ${timeText(fragment.lock)}`);
    if (fragment.kind === 'hash') texts.push(`with the preimage of ${fragment.name} ${shortHex(fragment.hash)}`);
  }
  return texts;
}

const timeText = (lock: number): string =>
  lock < LOCKTIME_THRESHOLD ? `block ${lock}` : new Date(lock * 1000).toISOString();

const SECONDS_PER_DAY = 86_400;

export const ageText = (lock: RelativeLock): string =>
  lock.kind === 'blocks'
    ? `${lock.value} ${lock.value === 1 ? 'block' : 'blocks'}`
    : `${(toSeconds(lock) / SECONDS_PER_DAY).toFixed(1)} days`;
