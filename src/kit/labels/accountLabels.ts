import { assertShape, isObject } from '../../core/bytes/knownOptions.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { keyExpressions, withKeys, withoutMarks as withoutKeyMarks } from '../../core/descriptors/keyExpressions.ts';
import type { KeyExpression } from '../../core/descriptors/types.ts';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { keyFingerprint } from '../../core/keys/bip32.ts';
import type { Account } from '../account/account.ts';
import { type LabelRecord, withoutMarks } from './labels.ts';

/** An address, a transaction, a coin or a key that may have labels. */
export type Labelled = Pick<Account, 'network' | 'descriptors' | 'find'>;

/**
 * Abbreviates the descriptor of an account to the origins of its keys, which tell labels of several wallets apart.
 *
 * @throws `labels/origin` for an account without a descriptor of extended keys
 * @see BIP329 "Specification", `origin`
 *
 * @example
 * ```ts
 * import { accountFromWords } from 'countersign';
 * import { labelOrigin } from 'countersign/labels';
 *
 * labelOrigin(accountFromWords(`${'abandon '.repeat(11)}about`)); // wpkh([73c5da0a/84'/0'/0'])
 * ```
 */
export function labelOrigin(account: Pick<Account, 'network' | 'descriptors'>): string {
  const isAccount = isObject(account) && Array.isArray(account.descriptors);
  assertShape('account', isAccount, 'an account, such as accountFromKey makes');
  const { descriptors, network } = account;
  const [descriptor] = descriptors;
  if (!descriptor || !keyExpressions(descriptor).every(hasOrigin)) {
    throw new BtcError('labels/origin', {}, 'Only a wallet of extended keys has an origin to write into labels');
  }
  const text = formatDescriptor(withKeys(withoutKeyMarks(descriptor), withOrigin), network);
  // What follows an origin is the key with its path.
  return text.replace(/#.*/, '').replace(/(\[[0-9a-f/']*\])[0-9A-Za-z/'*<;>]+/g, '$1');
}

const hasOrigin = (key: KeyExpression): boolean =>
  key.kind === 'musig' ? key.participants.every(hasOrigin) : key.origin !== undefined || key.kind === 'extended';

function withOrigin(key: KeyExpression): KeyExpression {
  if (key.kind === 'musig') return { ...key, participants: key.participants.map(withOrigin) };
  if (key.kind !== 'extended' || key.origin) return key;
  return { ...key, origin: { fingerprint: keyFingerprint(key.key), path: [] } };
}

/**
 * Selects the records of an account: those that name its origin, and of those that name none, all but addresses that are
 * not found among its first 1000, or `searched`, of each chain.
 */
export function labelsOf(
  account: Labelled,
  records: readonly LabelRecord[],
  searched?: number,
): readonly LabelRecord[] {
  const own = labelOrigin(account);
  return records.filter(({ type, ref, origin }) => {
    if (origin !== undefined) return withoutMarks(origin) === own;
    return type !== 'addr' || unlessRefused(() => account.find(ref, searched)) !== undefined;
  });
}
