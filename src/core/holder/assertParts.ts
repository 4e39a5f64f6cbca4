import { assertText } from '../bytes/assertText.ts';
import { assertKnownOptions, assertList, assertShape, isObject, type OptionNames } from '../bytes/knownOptions.ts';
import { assertDescriptor } from '../descriptors/assertDescriptor.ts';
import type { OfferedWallet } from './heldWallets.ts';

const WALLET: OptionNames<OfferedWallet> = { descriptor: 'needed', name: true, gapLimit: true, registered: true };
const REGISTERED: OptionNames<NonNullable<OfferedWallet['registered']>> = {
  name: 'needed',
  retires: 'needed',
  registrations: 'needed',
};

/** Refuses keys, wallets and rules of callers in plain JavaScript, and quotes none. @throws `argument/invalid` */
export function assertHolderParts({
  keys = [],
  wallets = [],
  unregistered,
}: {
  readonly keys?: unknown;
  readonly wallets?: unknown;
  readonly unregistered?: unknown;
}): void {
  assertList('keys', keys);
  for (const [i, key] of (keys as readonly unknown[]).entries()) {
    const isKey = isObject(key) && 'key' in key && isObject(key.key) && 'secretKey' in key.key;
    assertShape(`keys[${i}]`, isKey, 'a key with its private key: pass heldKeyOf(key)');
  }
  assertList('wallets', wallets);
  for (const [i, wallet] of (wallets as readonly OfferedWallet[]).entries()) assertWallet(wallet, `wallets[${i}].`);
  const isRule = unregistered === undefined || unregistered === 'warn' || unregistered === 'refuse';
  assertShape('unregistered', isRule, "'warn' or 'refuse'");
}

function assertWallet(wallet: OfferedWallet, place: string): void {
  assertKnownOptions(wallet, WALLET, place);
  const { descriptor, name, gapLimit, registered } = wallet;
  assertDescriptor(descriptor, `${place}descriptor`);
  if (name !== undefined) assertText(`${place}name`, name);
  const isLimit = gapLimit === undefined || (Number.isSafeInteger(gapLimit) && gapLimit >= 0);
  assertShape(`${place}gapLimit`, isLimit, 'a whole number');
  if (registered === undefined) return;
  assertKnownOptions(registered, REGISTERED, `${place}registered.`);
  assertText(`${place}registered.name`, registered.name);
  assertList(`${place}registered.registrations`, registered.registrations);
  assertWalletIds(`${place}registered.retires`, registered.retires);
  for (const one of registered.registrations) {
    const isWhole = isObject(one) && typeof one.fingerprint === 'string' && typeof one.token === 'string';
    assertShape(`${place}registered.registrations`, isWhole, 'registrations with version, fingerprint and token');
  }
}

/** @throws `argument/invalid` */
export function assertWalletIds(argument: string, ids: readonly string[]): void {
  assertList(argument, ids);
  const areIds = ids.every((id) => typeof id === 'string' && /^[0-9a-f]{64}$/.test(id));
  assertShape(argument, areIds, 'ids of wallets, each of 64 hexadecimal digits');
}
