import { maxScriptSize } from './bounds.ts';
import type { Miniscript } from './fragment.ts';
import { computeResources, computeSpendSize, type Resources, type SpendSize, staysWithinLimits } from './resources.ts';
import { fold, ownKeys, postOrder, subexpressions } from './tree.ts';

export type FaultReason =
  | 'invalid'
  | 'malleable'
  | 'no-signature'
  | 'timelock-mix'
  | 'duplicate-keys'
  | 'resource-limits'
  | 'not-top-level'
  | 'not-satisfiable';

export interface MiniscriptFault<K> {
  readonly node: Miniscript<K>;
  readonly reason: FaultReason;
}

const TEXTS: Readonly<Record<FaultReason, string>> = {
  invalid: ' is invalid',
  malleable: ' is not sane: malleable witnesses exist',
  'no-signature': ' is not sane: witnesses without signature exist',
  'timelock-mix': ' is not sane: contains mixes of timelocks expressed in blocks and seconds',
  'duplicate-keys': ' is not sane: contains duplicate public keys',
  'resource-limits': ' is not sane: needs witnesses that may exceed resource limits',
  'not-top-level': ' is not sane',
  'not-satisfiable': ' is not satisfiable',
};

export const faultText = (reason: FaultReason): string => TEXTS[reason];

interface Findings {
  readonly resources: Resources;
  readonly keys: Set<string>;
}

/**
 * Finds why an expression is not sane; names the first innermost one that is not sane on its own. The two differ if a
 * branch that cannot be satisfied exceeds the resource limits, which the whole counts over satisfactions only.
 * @see Bitcoin Core `Node::IsSane`, `Node::FindInsaneSub`, `Node::IsNotSatisfiable`
 */
export function findFault<K>(root: Miniscript<K>, keyId: (key: K) => string): MiniscriptFault<K> | undefined {
  const findings: Findings[] = [];
  let beyondLimits: MiniscriptFault<K> | undefined;
  for (const node of postOrder(root)) {
    const count = subexpressions(node.fragment).length;
    const subs = findings.splice(findings.length - count, count);
    if (!isValid(node)) return beyondLimits ?? { node, reason: 'invalid' };
    const keys = joinKeys(
      ownKeys(node.fragment).map(keyId),
      subs.map((sub) => sub.keys),
    );
    const inner = subs.map((sub) => sub.resources);
    const resources = computeResources(node, inner);
    const reason = findReason(node, { isRoot: node === root, keys, resources });
    if (reason === 'not-satisfiable') return { node: beyondLimits?.node ?? node, reason };
    if (reason && (reason !== 'resource-limits' || node === root)) return beyondLimits ?? { node, reason };
    if (reason) beyondLimits ??= { node, reason };
    findings.push({ resources, keys: keys ?? new Set() });
  }
  return undefined;
}

const isValid = <K>({ type, scriptSize, context }: Miniscript<K>): boolean =>
  type.base !== 'none' && scriptSize <= maxScriptSize(context);

/** Returns `undefined` if a key is repeated. Adds to the largest set, so `sets` must not be reused. */
function joinKeys(own: readonly string[], sets: readonly Set<string>[]): Set<string> | undefined {
  const [largest = new Set<string>(), ...others] = [...sets].sort((a, b) => b.size - a.size);
  for (const keys of [own, ...others]) {
    for (const key of keys) {
      if (largest.has(key)) return undefined;
      largest.add(key);
    }
  }
  return largest;
}

function findReason<K>(
  node: Miniscript<K>,
  {
    isRoot,
    keys,
    resources,
  }: { readonly isRoot: boolean; readonly keys: Set<string> | undefined; readonly resources: Resources },
): FaultReason | undefined {
  const { m, s, k, base } = node.type;
  if (!m) return 'malleable';
  if (isRoot && !s) return 'no-signature';
  if (!k) return 'timelock-mix';
  if (!keys) return 'duplicate-keys';
  if (!staysWithinLimits(node, resources)) return 'resource-limits';
  if (!isRoot) return undefined;
  if (base !== 'B') return 'not-top-level';
  return resources.yes ? undefined : 'not-satisfiable';
}

/**
 * Meaningful only for a sane expression.
 * @see Bitcoin Core `Node::GetWitnessSize`, `GetStackSize`, `GetExecStackSize`, `GetOps`
 */
export function maxSatisfactionSize<K>(root: Miniscript<K>): SpendSize | undefined {
  return computeSpendSize(root, fold<K, Resources>(root, computeResources));
}
