import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { plainCodec } from '../store/codecs.ts';
import { KINDS } from '../store/kinds.ts';
import type { RecordStore } from '../store/recordStore.ts';
import { unlessUnreadable } from '../store/storeFault.ts';
import type { Table } from '../store/tables.ts';

/** The network and the rules of the node whose records a store holds. */
export interface Owner {
  readonly network: string;
  readonly rules: string;
}

/** The record of the owner. */
export interface OwnerRow extends Owner {
  /** The number of wallets, so that a missing one is noticed. */
  readonly wallets: number;
}

export const ownerCodec = plainCodec<OwnerRow>();

export type OwnerTable = Table<'', OwnerRow>;

/** Returns the owner of a store that has one. @throws BtcError `store/*` */
export function ownerOf(store: Pick<RecordStore, 'get'>): Owner | undefined {
  const bytes = store.get(KINDS.owner);
  return bytes && unlessUnreadable(KINDS.owner, () => ownerCodec.decode(bytes, ''));
}

/**
 * Tells whether a store still has to get an owner. Replaces another one that has nothing else there.
 * @throws BtcError `store/mismatch` for a store of another owner, `store/corrupt` for one that has lost its owner
 */
export function needsOwner(store: RecordStore, { network, rules }: Owner): boolean {
  const owner = ownerOf(store);
  if (owner?.network === network && owner.rules === rules) return false;
  if (!hasOtherRecords(store)) return true;
  if (!owner) throw missingOwner();
  const found = `${owner.network} ${owner.rules}`;
  const wanted = `${network} ${rules}`;
  const message = `The store belongs to ${withoutSecrets(found)}, not to ${withoutSecrets(wanted)}: open it as that, or use another`;
  throw new BtcError('store/mismatch', { found, wanted }, message);
}

function hasOtherRecords(store: RecordStore): boolean {
  for (const [key] of store.list('')) if (key !== KINDS.owner) return true;
  return false;
}

function missingOwner(): BtcError {
  const message = 'The store lacks the record of its network and dialect: restore it from a backup';
  return new BtcError('store/corrupt', { path: '', reason: 'missing' }, message);
}

/** Returns the row of a store that has an owner. @throws BtcError `store/corrupt` */
export function ownerRow(owners: OwnerTable): OwnerRow {
  const row = owners.get('');
  if (!row) throw missingOwner();
  return row;
}
