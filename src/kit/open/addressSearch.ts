import { parseAddress } from '../../core/address/address.ts';
import { isRanged } from '../../core/descriptors/derive.ts';
import { unlessRefused } from '../../core/errors.ts';
import { USUAL_LABELS } from '../../core/holder/silentWallets.ts';
import { formatPath } from '../../core/keys/path.ts';
import type { Network } from '../../core/network/networks.ts';
import { classifyScript } from '../../core/script/template.ts';
import { isSilentPaymentText } from '../../core/silentPayments/address.ts';
import { CHANGE_LABEL } from '../../core/silentPayments/labels.ts';
import type { Account } from '../account/account.ts';
import { networksOfAddress } from './open.ts';

/** Where an address lies in a wallet. */
export interface AddressPlace {
  /** `silent`: without a label. */
  readonly chain: 'receive' | 'change' | 'silent' | 'label';
  readonly index: number;
  /** From the master key, if that is known. */
  readonly path?: string;
}

/** A wallet in which addresses are sought. */
export interface SearchedWallet {
  readonly name: string;
  readonly kind: 'ranged' | 'single' | 'silent';
  /** Looks through the first `count` indexes of each chain. */
  readonly find: (address: string, count: number) => AddressPlace | undefined;
}

export const INVALID_ADDRESS = 'the text is not a valid address: copy all of it, or it is mistyped';

/** Says why an address is none of a network: it is for others, or not valid. `nameOf` names networks, by default as options do. */
export function addressFault(
  address: string,
  networks: readonly Network[],
  nameOf = ({ name }: Network): string => name,
): string | undefined {
  const fitting = networksOfAddress(address);
  if (fitting.some(({ name }) => networks.some((network) => network.name === name))) return undefined;
  return fitting.length > 0
    ? `the address is for ${fitting.map(nameOf).join(' or ')}, not for ${networks.map(nameOf).join(' or ')}`
    : INVALID_ADDRESS;
}

/** An account as a wallet to search. A search that goes further derives only what is new. */
export function searchedAccount(
  { find, receive, change, descriptors, network }: Account,
  name: string,
): SearchedWallet {
  const typeOf = (scriptPubKey: Uint8Array): string => classifyScript(scriptPubKey).type;
  const isOfType = (type: string): boolean =>
    [receive, change].some((addressAt) => typeOf(addressAt(0).scriptPubKey) === type);
  return {
    name,
    kind: descriptors.some(isRanged) ? 'ranged' : 'single',
    find: (address, count) => {
      if (isSilentPaymentText(address)) return undefined;
      const wanted = unlessRefused(() => parseAddress(address, network));
      // All addresses of a chain are of one type.
      if (!wanted || !isOfType(typeOf(wanted))) return undefined;
      const found = find(wanted, count);
      if (!found) return undefined;
      const [key] = found.derived.keys;
      const path = key?.origin && key.origin.path.length > 0 ? `m${formatPath(key.origin.path)}` : undefined;
      return { chain: found.chain, index: found.index, ...(path !== undefined && { path }) };
    },
  };
}

/** The addresses of silent payments with the usual labels, and without one. */
export const searchedSilent = (addressAt: (label?: number) => string, name = 'silent payments'): SearchedWallet => ({
  name,
  kind: 'silent',
  find: (address) => labelOf(address, addressAt),
});

function labelOf(address: string, addressAt: (label?: number) => string): AddressPlace | undefined {
  if (!isSilentPaymentText(address)) return undefined;
  const wanted = address.trim().toLowerCase();
  if (addressAt() === wanted) return { chain: 'silent', index: 0 };
  const label = [CHANGE_LABEL, ...USUAL_LABELS].find((each) => addressAt(each) === wanted);
  return label === undefined ? undefined : { chain: 'label', index: label };
}

/** Says where an address was found. */
export function placeText({ name, kind }: SearchedWallet, { chain, index, path }: AddressPlace): string {
  if (kind === 'single') return `the only address of ${name}`;
  if (chain === 'silent') return 'the address of silent payments';
  if (chain === 'label') return `the address of silent payments with label ${index}`;
  return `${chain} address ${index} of ${name}${path === undefined ? '' : `, ${path}`}`;
}

/** Says where an address was sought: `the first 1000 receive and change addresses of P2WPKH account 0`. */
export function searchedText(searched: readonly SearchedWallet[], count: number): string {
  const named = (wanted: SearchedWallet['kind'], extent: string): readonly string[] => {
    const names = searched.flatMap(({ name, kind }) => (kind === wanted ? name : []));
    return names.length > 0 ? [`${extent} ${names.join('; ')}`] : [];
  };
  return [
    ...named('ranged', `the first ${count} receive and change addresses of`),
    ...named('single', 'the only address of'),
    ...named('silent', `the addresses up to label ${USUAL_LABELS.length} of`),
  ].join(', and ');
}
