import { UsageError } from '../usageError.ts';

/** Whether a user may call a method. */
export type MayCall = (user: string, method: string) => boolean;

/**
 * Makes the rule out of texts `USER:METHOD,METHOD`. Without any, all may call everything; with one, users that none names
 * may call nothing, and who is named twice may call what both allow.
 * @throws UsageError for a text without a user
 * @see Bitcoin Core `-rpcwhitelist`, `-rpcwhitelistdefault`
 */
export function createWhitelist(texts: readonly string[]): MayCall {
  if (texts.length === 0) return () => true;
  const allowed = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const [, user, methods] = /^([^:]+):(.*)$/.exec(text) ?? [];
    if (user === undefined || methods === undefined) throw new UsageError('--rpcwhitelist wants USER:METHOD,METHOD');
    const before = allowed.get(user);
    const names = methods.split(/[, ]+/).filter((name) => name !== '' && (!before || before.has(name)));
    allowed.set(user, new Set(names));
  }
  return (user, method) => allowed.get(user)?.has(method) ?? false;
}
