import { compareBytes } from '../../bytes/compare.ts';
import { formatReversedHex } from '../../bytes/hex.ts';
import { formatTxid, wtxid } from '../../tx/txid.ts';
import type { TxOut } from '../../tx/types.ts';
import { conflictsOf, isImmature, isTrusted, replaceability, type Verdicts } from '../../wallet/derived.ts';
import { debitsOf, type Filter, isChange, labelOf, matches } from '../../wallet/ownership.ts';
import { depthOf } from '../../wallet/records.ts';
import type { WalletTx } from '../../wallet/walletState.ts';
import { keepExact, toCoins } from '../exact.ts';
import { viewOf, type WalletContext } from './context.ts';
import { outputFacts } from './outputs.ts';

/** Which entries of a transaction are wanted. */
export interface EntryOptions {
  readonly filter: Filter;
  /** What was received counts from this depth on. */
  readonly minDepth: number;
  readonly includesChange: boolean;
  /** Only what was received under this label. */
  readonly label?: string | undefined;
  /** What is known of other transactions of the same answer. */
  readonly trusted: Verdicts;
}

/** One entry of `listsinceblock`. */
export type EntryJson = Readonly<Record<string, unknown>>;

/**
 * What a transaction sent, and what it received, output by output.
 * @see Bitcoin Core `ListTransactions`
 */
export function entriesOf(one: WalletTx, options: EntryOptions, context: WalletContext): readonly EntryJson[] {
  const { wallet } = context;
  const { filter, minDepth, includesChange, label } = options;
  const debits = debitsOf(wallet, one.tx);
  const debit = debits[filter];
  const outputs = [...one.tx.outputs.entries()]
    .map(([vout, output]) => ({ vout, output, isMeant: matches(wallet, output.scriptPubKey, filter) }))
    .filter(({ output, isMeant }) => (debit > 0n ? includesChange || !isChange(wallet, output.scriptPubKey) : isMeant));
  if (outputs.length === 0) return [];
  const shared = { one, facts: factsOf(one, options.trusted, context), watches: debits.all > debits.own };
  const fee = debit - one.tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  const sent = debit > 0n && label === undefined ? outputs : [];
  const received = depthOf(wallet, one) >= minDepth ? outputs.filter(({ isMeant }) => isMeant) : [];
  const wanted = received.filter(
    ({ output }) => label === undefined || (labelOf(wallet, output.scriptPubKey) ?? '') === label,
  );
  return [
    ...sent.map((output) => sentEntry(output, shared, fee, context)),
    ...wanted.map((output) => receivedEntry(output, shared, context)),
  ];
}

interface OneOutput {
  readonly vout: number;
  readonly output: TxOut;
  /** Whether it is one that the filter is for. */
  readonly isMeant: boolean;
}

/** What the entries of a transaction have in common. */
interface Shared {
  readonly one: WalletTx;
  readonly facts: EntryJson;
  /** Whether it spends what is only watched. */
  readonly watches: boolean;
}

// Wallets have many entries: members are set one by one, which engines do several times faster than they spread.

function sentEntry(
  { vout, output }: OneOutput,
  { one, facts, watches }: Shared,
  fee: bigint,
  context: WalletContext,
): EntryJson {
  const { address, addressOwnership } = outputFacts(output.scriptPubKey, context);
  const label = labelOf(context.wallet, output.scriptPubKey);
  const entry: Record<string, unknown> = {};
  if (watches || addressOwnership === 'watched') entry['involvesWatchonly'] = true;
  if (address !== undefined) entry['address'] = address;
  entry['category'] = 'send';
  entry['amount'] = toCoins(-output.value);
  if (label !== undefined) entry['label'] = label;
  entry['vout'] = vout;
  entry['fee'] = toCoins(-fee);
  Object.assign(entry, facts);
  entry['abandoned'] = one.state.kind === 'abandoned';
  return keepExact(keepExact(entry, 'amount', -output.value), 'fee', -fee);
}

function receivedEntry(
  { vout, output }: OneOutput,
  { one, facts, watches }: Shared,
  context: WalletContext,
): EntryJson {
  const { address, addressOwnership, parents } = outputFacts(output.scriptPubKey, context);
  const label = labelOf(context.wallet, output.scriptPubKey);
  const entry: Record<string, unknown> = {};
  if (watches || addressOwnership === 'watched') entry['involvesWatchonly'] = true;
  if (address !== undefined) entry['address'] = address;
  if (isModern(context)) entry['parent_descs'] = parents;
  entry['category'] = categoryOf(one, context);
  entry['amount'] = toCoins(output.value);
  if (label !== undefined) entry['label'] = label;
  entry['vout'] = vout;
  if (isModern(context) && !context.dialect.followsContract) entry['abandoned'] = one.state.kind === 'abandoned';
  Object.assign(entry, facts);
  return keepExact(entry, 'amount', output.value);
}

const isModern = ({ dialect }: WalletContext): boolean => dialect.generation === 'core-31';

function categoryOf(one: WalletTx, { wallet }: WalletContext): 'receive' | 'orphan' | 'immature' | 'generate' {
  if (!one.isCoinbase) return 'receive';
  if (depthOf(wallet, one) < 1) return 'orphan';
  return isImmature(wallet, one) ? 'immature' : 'generate';
}

/** What is said of the transaction in each of its entries. @see Bitcoin Core `WalletTxToJSON` */
function factsOf(one: WalletTx, trusted: Verdicts, context: WalletContext): EntryJson {
  const { wallet, dialect } = context;
  const view = viewOf(context);
  const { timeReceived, timeSmart } = one;
  return {
    confirmations: depthOf(wallet, one),
    ...(one.isCoinbase && { generated: true }),
    ...(blockMembers(one, context) ?? trustedMember(isTrusted(view, one, trusted), context)),
    txid: formatTxid(one.id),
    ...(isModern(context) && { wtxid: formatTxid(wtxid(one.tx)), ...alternateIds(one, context) }),
    walletconflicts: conflictsOf(wallet, one).map(formatTxid),
    ...(isModern(context) && mempoolConflictsOf(one, context)),
    time: timeSmart || timeReceived,
    timereceived: timeReceived,
    ...((!isModern(context) || dialect.followsContract) && { 'bip125-replaceable': replaceability(view, one) }),
  };
}

/** The contract has it only where it is true. */
const trustedMember = (trusted: boolean, { dialect }: WalletContext): EntryJson =>
  trusted || !dialect.followsContract ? { trusted } : {};

/** Lists the copies with other witnesses. @see Bitcoin Core 31.99 `WalletTxToJSON` */
function alternateIds({ alternates }: WalletTx, { dialect }: WalletContext): EntryJson {
  if (alternates.length === 0) return dialect.followsContract ? {} : { alternate_wtxids: [] };
  return { alternate_wtxids: alternates.map(wtxid).sort(compareBytes).map(formatTxid) };
}

function mempoolConflictsOf({ mempoolConflicts }: WalletTx, { dialect }: WalletContext): EntryJson {
  const mempoolconflicts = [...mempoolConflicts.values()].sort(compareBytes).map(formatTxid);
  return mempoolconflicts.length > 0 || !dialect.followsContract ? { mempoolconflicts } : {};
}

function blockMembers(one: WalletTx, { wallet, node }: WalletContext): EntryJson | undefined {
  const { state } = one;
  if (depthOf(wallet, one) <= 0 || (state.kind !== 'confirmed' && state.kind !== 'conflicted')) return undefined;
  const { hash, name, height } = state.block;
  return {
    blockhash: formatReversedHex(hash),
    blockheight: height,
    blockindex: state.kind === 'confirmed' ? state.index : 0,
    blocktime: node.chain.blocks.get(name)?.time,
  };
}
