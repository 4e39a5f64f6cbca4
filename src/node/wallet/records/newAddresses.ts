import { hash160 } from '../../../core/crypto/hash.ts';
import { payToPubkeyHash, payToWitness, wrapInScriptHash } from '../../../core/script/build.ts';
import type { OutputKind, Side } from '../keys/activeDescriptors.ts';
import { destinationOf } from '../queries/ownership.ts';
import { setLabel } from './addressBook.ts';
import type { Wallet } from './walletState.ts';

/** Conditions for the address that a wallet hands out. */
export interface AddressTerms {
  readonly side: Side;
  readonly kind: OutputKind;
  /** Missing for change, which has no label. */
  readonly label?: string;
}

/** The kinds of addresses of a key, in the order of a node's descriptors. @see Bitcoin Core `OUTPUT_TYPES` */
export const OUTPUT_KINDS: readonly OutputKind[] = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'];

/** Tells whether a wallet has an address to hand out, or can make one. @see Bitcoin Core `CWallet::CanGetAddresses` */
export function hasAddresses({ legacy, descriptors }: Wallet, side: Side): boolean {
  if (!legacy) return descriptors?.hasActive(side) ?? false;
  return legacy.hd.pool.size(side) > 0 || legacy.hd.seed() !== undefined;
}

/**
 * Returns the script of the address that {@link takeAddress} would hand out, without changing the wallet.
 * @returns `lacking` if no descriptor of that kind is active, `used up` if a locked wallet has no more keys
 */
export function nextAddress(
  { legacy, descriptors }: Wallet,
  { side, kind }: AddressTerms,
): Uint8Array | 'lacking' | 'used up' {
  if (!legacy) return descriptors?.nextScript(side, kind) ?? 'lacking';
  const publicKey = legacy.hd.next(side);
  return publicKey ? scriptOfKey(publicKey, kind) : 'used up';
}

/** Hands out an address, after deriving as many keys as the wallet keeps ahead. @see `CWallet::GetNewDestination` */
export function takeAddress(wallet: Wallet, { side, kind, label }: AddressTerms, now: number): void {
  const { legacy, descriptors } = wallet;
  legacy?.hd.topUp(now);
  const publicKey = legacy?.hd.pool.take(side);
  const script = publicKey ? scriptOfKey(publicKey, kind) : descriptors?.takeScript(side, kind);
  const destination = script && destinationOf(wallet, script);
  if (destination && label !== undefined) setLabel(wallet, destination, label);
}

/** Returns the script of a key's address; an uncompressed key has only one. @see Bitcoin Core `GetDestinationForKey` */
function scriptOfKey(publicKey: Uint8Array, kind: OutputKind): Uint8Array {
  const hash = hash160(publicKey);
  if (kind === 'legacy' || publicKey.length !== 33) return payToPubkeyHash(hash);
  const program = payToWitness(0, hash);
  return kind === 'p2sh-segwit' ? wrapInScriptHash(program) : program;
}
