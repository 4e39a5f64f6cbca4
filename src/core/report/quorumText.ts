import { equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { hash160 } from '../crypto/hash.ts';
import {
  decodeMiniscript,
  type HashName,
  type Miniscript,
  postOrder,
  printMiniscript,
} from '../descriptors/miniscript/index.ts';
import { formatOrigin, type KeyOrigin } from '../keys/path.ts';
import type { UnverifiableReason } from '../psbt/signatureVerifier.ts';
import type { Need, QuorumProgress, SignerReview } from '../review/inputReview.ts';
import { isFull } from '../review/quorums.ts';
import { lockText } from './ageText.ts';

/** Marks an origin unless a descriptor proves it. */
export function keyText({ publicKey, claimedOrigin, verifiedOrigin }: SignerReview): string {
  const origin = verifiedOrigin ?? claimedOrigin;
  if (!origin || isKeyAlone(publicKey, origin)) return formatHex(publicKey);
  return `${formatOrigin(origin)}${verifiedOrigin ? '' : ' (claimed)'}`;
}

/** Tells whether an origin is the fingerprint of the key itself, as descriptors give it to a key that states none. */
function isKeyAlone(publicKey: Uint8Array, { fingerprint, path }: KeyOrigin): boolean {
  if (path.length > 0) return false;
  const written = publicKey.length === 32 ? [2, 3].map((parity) => Uint8Array.of(parity, ...publicKey)) : [publicKey];
  return written.some((key) => equalBytes(hash160(key).subarray(0, fingerprint.length), fingerprint));
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

export const shortHex = (bytes: Uint8Array): string => `${formatHex(bytes.slice(0, SHOWN_HASH))}...`;

type OtherDoubt = 'leaf-uncommitted' | 'code-separator' | 'key-unnamed' | 'key-foreign';
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
  'key-foreign': 'the coin does not take its key',
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

export function countText({ have, required }: Pick<QuorumProgress, 'have' | 'required'>): string {
  return required === undefined ? `${have}` : `${Math.min(have, required)} of ${required}`;
}

export function quorumText(quorum: QuorumProgress): string {
  const { have, required, signed, wanted, isClosed } = quorum;
  const closed = isClosed ? ', but the transaction does not meet its lock' : '';
  const count = `have ${countText(quorum)} ${required === undefined && have === 1 ? 'signature' : 'signatures'}${closed}`;
  const way = wayText(quorum);
  const [key] = [...signed, ...wanted];
  const needed = neededText(quorum);
  const missing = needed === undefined ? '' : `, still needed: ${needed}`;
  if (way !== undefined && key && signed.length + wanted.length === 1) {
    return `key ${keyText(key)} ${way}: ${count}${quorum.needed?.kind === 'preimage' ? missing : ''}`;
  }
  return `${way === undefined ? '' : `${way}: `}${count}${missing}${laterText(quorum)}`;
}

const SHOWN_KEYS = 10;

function neededText(quorum: QuorumProgress): string | undefined {
  const { have, required, needed, wanted } = quorum;
  if (needed) return needText(needed);
  if (isFull(quorum) || wanted.length === 0) return undefined;
  const missing = required === undefined ? 1 : required - have;
  return chosenText(
    missing,
    wanted.map((signer) => keyText(signer)),
  );
}

const needText = (need: Need): string =>
  conditionText<Exclude<Need, Choice<unknown>>>(need, (part) =>
    part.kind === 'signature' ? keyText(part.signer) : preimageText(part),
  );

/** So many of several conditions. */
type Choice<T> = { readonly kind: 'some'; readonly required: number; readonly of: readonly (T | Choice<T>)[] };

/** Words a condition, which must be small, and so not deep: `A and B`, `2 of: A, B, C`. */
export function conditionText<T extends { readonly kind: string }>(
  condition: T | Choice<T>,
  partText: (part: T) => string,
): string {
  if (!isChoice(condition)) return partText(condition);
  const { required } = condition;
  const of = merged(condition);
  return chosenText(
    required === condition.of.length ? of.length : required,
    of.map((one) => (isChoice(one) ? `(${conditionText(one, partText)})` : partText(one))),
  );
}

const isChoice = <T extends { readonly kind: string }>(condition: T | Choice<T>): condition is Choice<T> =>
  condition.kind === 'some';

/** Unites all of all, and one of one. */
function merged<T extends { readonly kind: string }>({ required, of }: Choice<T>): readonly (T | Choice<T>)[] {
  const isAll = required === of.length;
  if (!isAll && required !== 1) return of;
  return of.flatMap((one) => {
    const isSame = isChoice(one) && (isAll ? one.required === one.of.length : one.required === 1);
    return isSame ? merged(one) : [one];
  });
}

function chosenText(required: number, texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN_KEYS);
  const more = texts.length > SHOWN_KEYS ? [`${texts.length - SHOWN_KEYS} others`] : [];
  if (required === texts.length) return [...shown, ...more].join(' and ');
  return required === 1 ? [...shown, ...more].join(' or ') : `${required} of: ${[...shown, ...more].join(', ')}`;
}

export const preimageText = ({ name, hash }: { readonly name: HashName; readonly hash: Uint8Array }): string =>
  `the preimage of ${name} ${shortHex(hash)}`;

function laterText(quorum: QuorumProgress): string {
  if (isFull(quorum) && !quorum.needed) return '';
  return (quorum.later ?? [])
    .map(({ signers, required, ...way }) => {
      const when = lockText(way);
      if (signers.length === 0) return `; ${required} ${required === 1 ? 'suffices' : 'suffice'} ${when}`;
      const names = signers.slice(0, SHOWN_KEYS).map((signer) => keyText(signer));
      return `; ${names.join(', ')}${signers.length > SHOWN_KEYS ? ', ...' : ''} only ${when}`;
    })
    .join('');
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
    if (fragment.kind === 'older' || fragment.kind === 'after')
      texts.push(lockText({ kind: fragment.kind, lock: fragment.lock }));
    if (fragment.kind === 'hash') texts.push(`with ${preimageText(fragment)}`);
  }
  return texts;
}
