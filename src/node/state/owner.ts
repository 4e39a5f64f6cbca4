import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { jsonCodec } from '../store/codecs.ts';
import { KINDS } from '../store/kinds.ts';
import type { RecordStore } from '../store/recordStore.ts';

/** The network and the rules of the node whose records a store holds. */
export interface Owner {
  readonly network: string;
  readonly rules: string;
}

export const ownerCodec = jsonCodec<Owner, Owner>(
  ({ network, rules }) => ({ network, rules }),
  ({ network, rules }) => ({ network, rules }),
);

/** Returns the owner of a store that has one. @throws BtcError `store/*` */
export function ownerOf(store: Pick<RecordStore, 'get'>): Owner | undefined {
  const bytes = store.get(KINDS.owner);
  return bytes && ownerCodec.decode(bytes, '');
}

/**
 * Tells whether a store still has to get an owner. Replaces another one that has nothing else there.
 * @throws BtcError `store/mismatch` for a store of another owner
 */
export function needsOwner(store: RecordStore, { network, rules }: Owner): boolean {
  const owner = ownerOf(store);
  if (owner?.network === network && owner.rules === rules) return false;
  let others = 0;
  for (const [key] of store.list('')) {
    if (key !== KINDS.owner) others += 1;
    if (others > 0) break;
  }
  if (others === 0) return true;
  const found = owner ? `${owner.network} ${owner.rules}` : 'another program';
  const wanted = `${network} ${rules}`;
  const message = `The store belongs to ${withoutSecrets(found)}, not to ${withoutSecrets(wanted)}: open it as that, or use another`;
  throw new BtcError('store/mismatch', { found, wanted }, message);
}
