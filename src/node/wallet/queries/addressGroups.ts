import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { outputKey } from '../../../core/tx/txid.ts';
import { recordsByArrival } from '../records/recordIndex.ts';
import { chainDepth } from '../records/records.ts';
import type { Wallet } from '../records/walletState.ts';
import type { WalletTx } from '../records/walletTx.ts';
import { extractDestination, findPrevout, isChange, isFromMe, isMine } from './ownership.ts';
import { isImmature, isSpent, isTrusted, type TrustView, type View } from './txQueries.ts';

export interface GroupedAddress {
  readonly script: Uint8Array;
  /** Unspent, trusted and mature outputs, in satoshi. */
  balance: bigint;
}

interface Groups {
  readonly addresses: Map<ScriptKey, GroupedAddress>;
  /** The representative of a group links to itself. */
  readonly links: Map<ScriptKey, ScriptKey>;
}

/**
 * Groups addresses that share a transaction's inputs and change. Any other address is a group by itself.
 * @see Bitcoin Core `GetAddressGroupings`, `GetAddressBalances`
 */
export function addressGroups(view: View): readonly (readonly GroupedAddress[])[] {
  const { wallet } = view;
  const groups: Groups = { addresses: new Map(), links: new Map() };
  const trustView: TrustView = { view, trusted: new Map() };
  for (const wtx of recordsByArrival(wallet)) {
    const linked = linkedScripts(wallet, wtx).map((script) => addAddress(groups, script));
    for (const other of linked.slice(1)) unite(groups, linked[0] ?? other, other);
    addBalances(groups, wtx, trustView);
  }
  const members = new Map<ScriptKey, GroupedAddress[]>();
  for (const [key, address] of groups.addresses) {
    const root = findRoot(groups, key);
    const group = members.get(root);
    if (group) group.push(address);
    else members.set(root, [address]);
  }
  return [...members.values()];
}

function linkedScripts(wallet: Wallet, { tx }: WalletTx): readonly Uint8Array[] {
  const spent = tx.inputs.flatMap((input) => {
    const script = findPrevout(wallet, input)?.scriptPubKey;
    return (script && isMine(wallet, script) && extractDestination(wallet, script)) || [];
  });
  if (spent.length === 0) return [];
  const change = tx.outputs.flatMap(({ scriptPubKey }) =>
    isChange(wallet, scriptPubKey) ? (extractDestination(wallet, scriptPubKey) ?? []) : [],
  );
  return [...spent, ...change];
}

function addBalances(groups: Groups, wtx: WalletTx, trustView: TrustView): void {
  const { wallet } = trustView.view;
  const own = wtx.tx.outputs.flatMap(({ scriptPubKey, value }, vout) => {
    const script = isMine(wallet, scriptPubKey) ? extractDestination(wallet, scriptPubKey) : undefined;
    return script ? [{ key: addAddress(groups, script), vout, value }] : [];
  });
  if (own.length === 0 || !countsTowardsBalance(wtx, trustView)) return;
  for (const { key, vout, value } of own) {
    const address = groups.addresses.get(key);
    if (address && !isSpent(wallet, outputKey(wtx.key, vout))) address.balance += value;
  }
}

function countsTowardsBalance(wtx: WalletTx, { view, trusted }: TrustView): boolean {
  const { wallet } = view;
  if (!isTrusted(view, wtx, trusted) || isImmature(wallet, wtx)) return false;
  return chainDepth(wallet, wtx) >= (isFromMe(wallet, wtx.tx) ? 0 : 1);
}

function addAddress({ addresses, links }: Groups, script: Uint8Array): ScriptKey {
  const key = scriptKey(script);
  if (addresses.has(key)) return key;
  addresses.set(key, { script, balance: 0n });
  links.set(key, key);
  return key;
}

/** Shortens the path to the representative. */
function findRoot({ links }: Groups, key: ScriptKey): ScriptKey {
  let root = key;
  for (let next = links.get(root); next !== undefined && next !== root; next = links.get(root)) root = next;
  links.set(key, root);
  return root;
}

function unite(groups: Groups, a: ScriptKey, b: ScriptKey): void {
  groups.links.set(findRoot(groups, b), findRoot(groups, a));
}
