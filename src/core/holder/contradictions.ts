import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { isZero } from '../crypto/scalar.ts';
import { flatKeys, type SingleKey } from '../descriptors/joinPaths.ts';
import { keyFingerprint } from '../keys/bip32.ts';
import { formatOrigin } from '../keys/path.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { isUnspendableKey } from '../script/tapTree.ts';
import { type ClaimedKey, claimedKeys, isUnnamed, namesKey } from './claims.ts';
import { isSamePoint } from './heldKey.ts';
import type { HeldWallet } from './heldWallets.ts';
import { type Holder, keyAtOrigin } from './holder.ts';
import type { HeldPsbt } from './owner.ts';
import { isContradicted } from './refutation.ts';

/**
 * Two statements about a key that cannot both be true, or one that a key at hand shows to be false. `source` and `other` are
 * titles of wallets, absent for the PSBT itself; origins are texts: `[73c5da0a/84h/0h/0h]`.
 */
export type Contradiction =
  /** Another key than the holder's. */
  | { readonly reason: 'own-key'; readonly source?: string; readonly origin: string }
  /** An extended key whose depth does not fit its path. */
  | {
      readonly reason: 'depth';
      readonly source?: string;
      readonly origin: string;
      readonly depth: number;
      readonly steps: number;
    }
  | { readonly reason: 'two-keys'; readonly source?: string; readonly other?: string; readonly origin: string }
  /** One key under two fingerprints, in hex. */
  | {
      readonly reason: 'two-fingerprints';
      readonly source?: string;
      readonly fingerprint: string;
      readonly other?: string;
      readonly otherFingerprint: string;
    }
  /** A record of an input or output, against the key at hand or that of a wallet. */
  | { readonly reason: 'record'; readonly origin: string; readonly other?: string };

/** A contradiction, and the map whose record it is about. */
export interface FoundContradiction {
  readonly data: Contradiction;
  readonly inputIndex?: number;
  readonly outputIndex?: number;
}

/** A key with its origin as a file or a record states it. */
interface Statement extends ClaimedKey {
  /** The title of a wallet; absent for the PSBT. */
  readonly source?: string;
  /** Of an extended key. */
  readonly chainCode?: Uint8Array;
  readonly depth?: number;
  readonly parentFingerprint?: Uint8Array;
  readonly isMine: boolean;
}

/**
 * Compares what wallets and records say of keys, with each other and with the keys at hand. A fingerprint is a label that
 * anybody can copy: only a key that is derived proves whose it is. @see BIP174 `PSBT_GLOBAL_XPUB`
 */
export function findContradictions(held: HeldPsbt, psbt: Psbt): readonly FoundContradiction[] {
  const stated = [...held.holder.wallets.flatMap(walletStatements), ...xpubStatements(psbt, held)];
  return [
    ...againstStatements(stated, held.holder).map((data) => ({ data })),
    ...psbt.inputs.flatMap((input, inputIndex) =>
      claimedKeys(input).flatMap((claim) => againstClaim(claim, held).map((data) => ({ data, inputIndex }))),
    ),
    ...psbt.outputs.flatMap((output, outputIndex) =>
      claimedKeys(output).flatMap((claim) => againstClaim(claim, held).map((data) => ({ data, outputIndex }))),
    ),
  ];
}

/** Compares what wallets alone say, as before one is registered. */
export function findStatedContradictions(
  holder: Pick<Holder, 'keys' | 'ecc'>,
  wallets: readonly HeldWallet[],
): readonly Contradiction[] {
  return againstStatements(wallets.flatMap(walletStatements), holder);
}

const againstStatements = (
  stated: readonly Statement[],
  holder: Pick<Holder, 'keys' | 'ecc'>,
): readonly Contradiction[] => [
  ...stated.flatMap((statement) => againstKeys(statement, holder)),
  ...againstDepths(stated),
  ...againstEachOther(stated),
];

function walletStatements({ chains, title, mine }: HeldWallet): readonly Statement[] {
  const [single] = chains;
  return single ? flatKeys(single).flatMap((key) => statementOf(key, title, mine.has(key))) : [];
}

function statementOf(key: SingleKey, source: string, isMine: boolean): readonly Statement[] {
  const { origin } = key;
  if (!origin) return [];
  if (key.kind === 'fixed') return [{ source, publicKey: key.publicKey, origin, isMine }];
  const { publicKey, chainCode, depth, parentFingerprint } = key.key;
  return [{ source, publicKey, chainCode, depth, parentFingerprint, origin, isMine }];
}

function xpubStatements({ global: { xpubs = [] } }: Psbt, { isMine }: HeldPsbt): readonly Statement[] {
  return xpubs.map(({ xpub, fingerprint, path }) => ({
    publicKey: xpub.slice(45),
    chainCode: xpub.slice(13, 45),
    depth: xpub[4] ?? 0,
    parentFingerprint: xpub.slice(5, 9),
    origin: { fingerprint, path },
    isMine: isMine(xpub.slice(45)),
  }));
}

/** A file that names another key than the one at hand is false, whatever fingerprint it copies. */
function againstKeys(
  { source, publicKey, chainCode, origin, isMine }: Statement,
  holder: Pick<Holder, 'keys' | 'ecc'>,
): readonly Contradiction[] {
  if (isMine) return [];
  const own = keyAtOrigin(holder, origin);
  if (!own) return [];
  const isSame = isSamePoint(own.publicKey, publicKey) && (!chainCode || equalBytes(own.chainCode, chainCode));
  if (isSame) return [];
  return [{ reason: 'own-key', ...sourceOf(source), origin: formatOrigin(origin) }];
}

const sourceOf = (source: string | undefined) => (source === undefined ? {} : { source });

/** BIP174: the indexes "must match the depth" of an extended key. A fingerprint of zeros has no path to match. */
function againstDepths(statements: readonly Statement[]): readonly Contradiction[] {
  return statements.flatMap((statement) => {
    const { source, depth, origin } = statement;
    if (depth === undefined || depth === 0 || isUnnamed(origin) || depth === origin.path.length) return [];
    if (isOfParent(statement)) return [];
    const steps = origin.path.length;
    return [{ reason: 'depth', ...sourceOf(source), origin: formatOrigin(origin), depth, steps }];
  });
}

function againstEachOther(statements: readonly Statement[]): readonly Contradiction[] {
  const byOrigin = new Map<string, Statement>();
  const byKey = new Map<string, Statement>();
  const found: Contradiction[] = [];
  for (const statement of statements) {
    const { origin, source, publicKey, chainCode } = statement;
    if (isUnnamed(origin)) continue;
    const place = formatOrigin(origin);
    const other = byOrigin.get(place);
    if (!other) byOrigin.set(place, statement);
    else if (!isSamePoint(other.publicKey, publicKey)) {
      found.push({ reason: 'two-keys', ...sourceOf(source), ...otherOf(other), origin: place });
    }
    if (!chainCode || isUnspendableKey(publicKey) || isOfParent(statement)) continue;
    const name = bytesKey(publicKey) + bytesKey(chainCode);
    const same = byKey.get(name);
    if (!same) byKey.set(name, statement);
    else if (!equalBytes(same.origin.fingerprint, origin.fingerprint)) {
      found.push({
        reason: 'two-fingerprints',
        ...sourceOf(source),
        fingerprint: formatHex(origin.fingerprint),
        ...otherOf(same),
        otherFingerprint: formatHex(same.origin.fingerprint),
      });
    }
  }
  return found;
}

const otherOf = ({ source }: Statement) => (source === undefined ? {} : { other: source });

/** Wallets that do not know the master begin the path at the key, or its parent. */
const isOfParent = ({ publicKey, parentFingerprint, origin: { fingerprint } }: Statement): boolean =>
  equalBytes(fingerprint, keyFingerprint({ publicKey })) ||
  (parentFingerprint !== undefined && !isZero(parentFingerprint) && equalBytes(fingerprint, parentFingerprint));

/** A claim against the keys at hand, or against those that a wallet at hand derives at the same place. */
function againstClaim(claim: ClaimedKey, held: HeldPsbt): readonly Contradiction[] {
  const origin = formatOrigin(claim.origin);
  if (isContradicted(claim, held)) return [{ reason: 'record', origin }];
  const other = held.keyAt(claim.origin);
  if (!other || namesKey(claim, other.publicKey) || held.isMine(claim.publicKey)) return [];
  return [{ reason: 'record', origin, other: other.title }];
}
