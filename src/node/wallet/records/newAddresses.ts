import { hash160 } from '../../../core/crypto/hash.ts';
import { payToPubkeyHash, payToWitness, wrapInScriptHash } from '../../../core/script/build.ts';
import type { NoAddress, OutputKind, Side } from '../keys/activeDescriptors.ts';
import { extractDestination } from '../queries/ownership.ts';
import { setLabel } from './addressBook.ts';
import type { Wallet } from './walletState.ts';

export interface AddressTerms {
  readonly side: Side;
  readonly kind: OutputKind;
  readonly label?: string;
}

/** In the order of Core's descriptors. @see Bitcoin Core `OUTPUT_TYPES` */
export const OUTPUT_KINDS = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'] as const satisfies readonly OutputKind[];

/** @see Bitcoin Core `CWallet::CanGetAddresses` */
export function hasAddresses({ legacy, descriptors }: Wallet, side: Side): boolean {
  if (!legacy) return descriptors?.hasActive(side) ?? false;
  return legacy.hd.pool.size(side) > 0 || legacy.hd.seed() !== undefined;
}

/** Returns the script that {@link takeAddress} would hand out. @see DescriptorStore.nextScript */
export function nextAddress({ legacy, descriptors }: Wallet, { side, kind }: AddressTerms): Uint8Array | NoAddress {
  if (!legacy) return descriptors?.nextScript(side, kind) ?? 'lacking';
  const publicKey = legacy.hd.next(side);
  return publicKey ? scriptForKey(publicKey, kind) : 'used up';
}

/** Derives as many keys as the wallet keeps ahead. @see Bitcoin Core `CWallet::GetNewDestination` */
export function takeAddress(wallet: Wallet, { side, kind, label }: AddressTerms, now: number): void {
  const { legacy, descriptors } = wallet;
  legacy?.hd.topUp(now);
  const publicKey = legacy?.hd.pool.take(side);
  const script = publicKey ? scriptForKey(publicKey, kind) : descriptors?.takeScript(side, kind);
  const destination = script && extractDestination(wallet, script);
  if (destination && label !== undefined) setLabel(wallet, { script: destination, label });
}

/** Returns the legacy script for uncompressed keys. @see Bitcoin Core `GetDestinationForKey` */
function scriptForKey(publicKey: Uint8Array, kind: OutputKind): Uint8Array {
  const hash = hash160(publicKey);
  if (kind === 'legacy' || publicKey.length !== 33) return payToPubkeyHash(hash);
  const program = payToWitness(0, hash);
  return kind === 'p2sh-segwit' ? wrapInScriptHash(program) : program;
}
