import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Account, AccountAddress } from '../account/account.ts';

/** How far to look. */
export interface ScanOptions {
  /** After how many unused addresses in a row a chain ends. Default 20. @see BIP44 "Address gap limit" */
  readonly gap?: number;
  /** The most addresses of a chain that are looked up. Default 10 000. */
  readonly limit?: number;
}

const OPTIONS: OptionNames<ScanOptions> = { gap: true, limit: true };

/** A used address, and the answer of the lookup. */
export interface ScannedAddress<T> {
  readonly address: AccountAddress;
  readonly found: T;
}

/** What a scan found. */
export interface Scan<T> {
  /** Receive addresses before change addresses, each by index. */
  readonly used: readonly ScannedAddress<T>[];
  /** The index after the last used one, per chain. */
  readonly next: { readonly receive: number; readonly change: number };
  /** False if a chain was still in use at `limit`. */
  readonly isComplete: boolean;
}

/**
 * Looks up the addresses of an account until none of so many in a row was used. `lookup` says what it knows of an address, or
 * `undefined` if it was never used; as many addresses as the gap are asked about at once.
 * @throws `argument/invalid`; whatever `lookup` throws
 * @see BIP44 "Account discovery"
 *
 * @example
 * ```ts
 * import { accountFromWords } from 'countersign';
 * import { scan } from 'countersign/funding';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const balances = new Map([[me.receive(7).address, 5000n]]);
 * const { used, next } = await scan(me, async ({ address }) => balances.get(address));
 * used.length; // 1
 * next.receive; // 8
 * ```
 */
export async function scan<T>(
  account: Pick<Account, 'receive' | 'change'>,
  lookup: (address: AccountAddress) => Promise<T | undefined> | T | undefined,
  options: ScanOptions = {},
): Promise<Scan<T>> {
  assertKnownOptions(options, OPTIONS);
  const { gap = 20, limit = 10_000 } = options;
  const isAccount = isObject(account) && typeof account.receive === 'function';
  assertShape('account', isAccount, 'an account, such as accountFromKey makes');
  assertShape('lookup', typeof lookup === 'function', 'a function');
  assertCount('gap', gap, 1000);
  assertCount('limit', limit, 10_000_000);
  const receive = await scanChain(account.receive, lookup, { gap, limit });
  const change = await scanChain(account.change, lookup, { gap, limit });
  return {
    used: [...receive.used, ...change.used],
    next: { receive: receive.next, change: change.next },
    isComplete: receive.isComplete && change.isComplete,
  };
}

const assertCount = (name: string, value: number, most: number): void =>
  assertShape(name, Number.isInteger(value) && value >= 1 && value <= most, `a whole number from 1 to ${most}`);

async function scanChain<T>(
  at: (index: number) => AccountAddress,
  lookup: (address: AccountAddress) => Promise<T | undefined> | T | undefined,
  { gap, limit }: Required<ScanOptions>,
): Promise<{ readonly used: readonly ScannedAddress<T>[]; readonly next: number; readonly isComplete: boolean }> {
  const used: ScannedAddress<T>[] = [];
  let next = 0;
  let asked = 0;
  while (asked < Math.min(next + gap, limit)) {
    const count = Math.min(next + gap, limit) - asked;
    const addresses = Array.from({ length: count }, (_, i) => at(asked + i));
    const answers = await Promise.all(addresses.map(lookup));
    for (const [i, found] of answers.entries()) {
      const address = addresses[i];
      if (found === undefined || !address) continue;
      used.push({ address, found });
      next = address.index + 1;
    }
    asked += count;
  }
  return { used, next, isComplete: asked >= next + gap };
}
