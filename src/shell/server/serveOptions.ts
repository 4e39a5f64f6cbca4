import { UsageError } from '../terminal/usageError.ts';

export type MayCall = (user: string, method: string) => boolean;

/**
 * Parses texts `USER:METHOD,METHOD`. Without any, everybody may call everything; otherwise users without a text may
 * call nothing, and several texts for one user are intersected.
 * @see Bitcoin Core `-rpcwhitelist`, `-rpcwhitelistdefault`
 */
export function createWhitelist(texts: readonly string[]): MayCall {
  if (texts.length === 0) return () => true;
  const allowed = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const [, user, methods] = /^([^:]+):(.*)$/.exec(text) ?? [];
    if (user === undefined || methods === undefined) throw new UsageError('--rpcwhitelist must be USER:METHOD,METHOD');
    const before = allowed.get(user);
    const names = methods.split(/[, ]+/).filter((name) => name !== '' && (!before || before.has(name)));
    allowed.set(user, new Set(names));
  }
  return (user, method) => allowed.get(user)?.has(method) ?? false;
}
