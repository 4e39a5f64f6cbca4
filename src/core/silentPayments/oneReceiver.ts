import { bytesKey } from '../bytes/compare.ts';
import { assertList } from '../bytes/knownOptions.ts';
import type { Network } from '../network/networks.ts';
import { parseSilentPaymentAddress, type SilentPaymentAddress } from './address.ts';

/** Parses what a payer names as the addresses of one receiver. @throws `address/invalid`, `argument/invalid` */
export function parseSameReceiver(
  texts: readonly string[] | undefined = [],
  network: Network,
): readonly SilentPaymentAddress[] {
  assertList('sameReceiver', texts);
  return texts.map((text) => parseSilentPaymentAddress(text, network));
}

/** Recognizes the addresses that a payer has named. */
export function namedAddresses(named: readonly SilentPaymentAddress[]): (address: SilentPaymentAddress) => boolean {
  const names = new Set(named.map(nameOf));
  return (address) => names.has(nameOf(address));
}

/**
 * Finds payments to one scan key that may be to several receivers, as far as the payer has named addresses.
 * @see haveOneReceiver
 */
export function findUnclear<T>(
  payments: readonly T[],
  addressOf: (payment: T) => SilentPaymentAddress,
  sameReceiver: readonly SilentPaymentAddress[],
): readonly [T, ...T[]] | undefined {
  const isNamed = namedAddresses(sameReceiver);
  return byScanKey(payments, addressOf).find(
    (group) => !haveOneReceiver(group, addressOf, (payment) => isNamed(addressOf(payment))),
  );
}

const nameOf = ({ scanKey, spendKey }: SilentPaymentAddress): string => bytesKey(scanKey) + bytesKey(spendKey);

/** Groups payments by the scan key of their addresses. */
export function byScanKey<T>(
  payments: readonly T[],
  addressOf: (payment: T) => SilentPaymentAddress,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const payment of payments) {
    const name = bytesKey(addressOf(payment).scanKey);
    const group = groups.get(name);
    if (group) group.push(payment);
    else groups.set(name, [payment]);
  }
  return [...groups.values()];
}

/**
 * Tells whether payments to one scan key are certainly to one receiver: all have one address, or the payer knows each. Nothing
 * but the private scan key tells a label from the key of a stranger, at whose payment the receiver would stop.
 * @see BIP352 "Scanning"
 */
export const haveOneReceiver = <T>(
  group: readonly T[],
  addressOf: (payment: T) => SilentPaymentAddress,
  knows: (payment: T) => boolean,
): boolean => new Set(group.map((payment) => nameOf(addressOf(payment)))).size < 2 || group.every(knows);
