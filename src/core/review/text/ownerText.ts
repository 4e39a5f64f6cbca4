import { placePath } from '../../holder/accounts.ts';
import type { Owner } from '../../holder/owner.ts';
import type { WalletPlace } from '../../holder/search.ts';
import type { OutputReview } from '../outputs.ts';

/** The one wording of whose a coin or an output is, for text, JSON and page. */
export function ownerText(owner: Owner): string {
  switch (owner.kind) {
    case 'account':
      return `${owner.title === undefined ? '' : `${owner.title}, `}${placePath(owner.place)}${rootNote(owner.root)}`;
    case 'wallet':
      return `${owner.wallet.title}, ${chainText(owner.place)}${rootNote(owner.root)}`;
    case 'key':
      return 'a key at hand can sign for it, among others';
    case 'silent':
      return 'silent payments';
    default:
      return 'not known to be yours';
  }
}

/** Says what a root does not prove; empty for a key at hand and a registration. */
export const rootNote = (root: Owner['root']): string =>
  root === 'listed' ? ', not proven: no key at hand' : root === 'none' ? ', not registered' : '';

/** A third chain is neither for receiving nor for change. */
function chainText({ wallet, position, index }: WalletPlace): string {
  const name = wallet.hasUsualChains
    ? position === 0
      ? 'receive '
      : 'change '
    : wallet.chains.length > 1
      ? `chain ${position}, index `
      : 'index ';
  return `${name}${index}`;
}

/** Says what an output is to the signer; `undefined` for a payment to a stranger, and for data. */
export function roleText({ owner, role, stays }: Pick<OutputReview, 'owner' | 'role' | 'stays'>): string | undefined {
  const whose = ownerText(owner);
  switch (role) {
    case 'change':
      if (!stays) return `yours (${whose}), but it can still be replaced`;
      return owner.root === 'key' || owner.root === 'registered' ? `change, verified (${whose})` : `change (${whose})`;
    case 'own':
      return stays ? `yours (${whose})` : `yours (${whose}), counted as paid`;
    case 'wallet':
      return `your wallet (${whose}), counted as paid`;
    default:
      return owner.kind === 'wallet' ? `another wallet (${whose})` : undefined;
  }
}
