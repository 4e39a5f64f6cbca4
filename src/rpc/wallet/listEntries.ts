import { compareBytes } from '../../bytes/compare.ts';
import { formatReversedHex } from '../../bytes/hex.ts';
import { walletMethodRules } from '../../generations.ts';
import { formatTxid, wtxid } from '../../tx/txid.ts';
import type { TxOut } from '../../tx/types.ts';
import { debitsOf, type Filter, isChange, labelOf, matches } from '../../wallet/ownership.ts';
import { depthOf } from '../../wallet/records.ts';
import { conflictsOf, isImmature, isTrusted, replaceability, type TrustCache } from '../../wallet/txQueries.ts';
import type { TxNotes, WalletTx } from '../../wallet/walletState.ts';
import { walletDialects } from '../dialect.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import { viewOf, type WalletContext } from './context.ts';
import { outputFacts } from './outputFacts.ts';

/** Selects entries of a transaction. */
export interface EntryOptions {
  readonly filter: Filter;
  /** The fewest confirmations of received outputs. */
  readonly minDepth: number;
  readonly includesChange: boolean;
  /** If given, only received outputs with this label are listed. */
  readonly label?: string | undefined;
  /** Caches which transactions are trusted, within one answer. */
  readonly trusted: TrustCache;
  /** True to leave out the members about the transaction. */
  readonly isBrief?: boolean;
}

/** One output sent or received. */
export type EntryJson = Readonly<Record<string, unknown>>;

/**
 * Lists what a transaction sends and receives, one entry per output.
 * @see Bitcoin Core `ListTransactions`
 */
export function listEntries(record: WalletTx, options: EntryOptions, context: WalletContext): readonly EntryJson[] {
  const { wallet } = context;
  const { filter, minDepth, includesChange, label } = options;
  const debits = debitsOf(wallet, record.tx);
  const debit = debits[filter];
  const outputs = [...record.tx.outputs.entries()]
    .map(([vout, output]) => ({ vout, output, isMeant: matches(wallet, output.scriptPubKey, filter) }))
    .filter(({ output, isMeant }) => (debit > 0n ? includesChange || !isChange(wallet, output.scriptPubKey) : isMeant));
  if (outputs.length === 0) return [];
  const facts = options.isBrief ? {} : factsOf(record, options.trusted, context);
  const shared = { record, facts, watches: debits.all > debits.own };
  const fee = debit - record.tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  const sent = debit > 0n && label === undefined ? outputs : [];
  const received = depthOf(wallet, record) >= minDepth ? outputs.filter(({ isMeant }) => isMeant) : [];
  const wanted = received.filter(
    ({ output }) => label === undefined || (labelOf(wallet, output.scriptPubKey) ?? '') === label,
  );
  return [
    ...sent.map((output) => sentEntry(output, shared, fee, context)),
    ...wanted.map((output) => receivedEntry(output, shared, context)),
  ];
}

/** Lists what a transaction sends and receives, without the members about the transaction. */
export const listDetails = (record: WalletTx, filter: Filter, context: WalletContext): readonly EntryJson[] =>
  listEntries(record, { filter, minDepth: 0, includesChange: false, trusted: new Map(), isBrief: true }, context);

interface OneOutput {
  readonly vout: number;
  readonly output: TxOut;
  /** True if the filter matches it. */
  readonly isMeant: boolean;
}

/** The parts that all entries of a transaction share. */
interface Shared {
  readonly record: WalletTx;
  readonly facts: EntryJson;
  /** True if it spends watch-only coins. */
  readonly watches: boolean;
}

// Wallets have many entries: setting members one by one is several times faster than object spread.

function sentEntry(
  { vout, output }: OneOutput,
  { record, facts, watches }: Shared,
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
  entry['abandoned'] = record.state.kind === 'abandoned';
  return keepExact(keepExact(entry, 'amount', -output.value), 'fee', -fee);
}

function receivedEntry(
  { vout, output }: OneOutput,
  { record, facts, watches }: Shared,
  context: WalletContext,
): EntryJson {
  const { address, addressOwnership, parents } = outputFacts(output.scriptPubKey, context);
  const label = labelOf(context.wallet, output.scriptPubKey);
  const entry: Record<string, unknown> = {};
  if (watches || addressOwnership === 'watched') entry['involvesWatchonly'] = true;
  if (address !== undefined) entry['address'] = address;
  if (walletMethodRules[context.dialect.generation].showsParents) entry['parent_descs'] = parents;
  entry['category'] = categoryOf(record, context);
  entry['amount'] = toCoins(output.value);
  if (label !== undefined) entry['label'] = label;
  entry['vout'] = vout;
  if (walletDialects[context.dialect.name].showsAbandoned) entry['abandoned'] = record.state.kind === 'abandoned';
  Object.assign(entry, facts);
  return keepExact(entry, 'amount', output.value);
}

function categoryOf(record: WalletTx, { wallet }: WalletContext): 'receive' | 'orphan' | 'immature' | 'generate' {
  if (!record.isCoinbase) return 'receive';
  if (depthOf(wallet, record) < 1) return 'orphan';
  return isImmature(wallet, record) ? 'immature' : 'generate';
}

/** Returns the members about the transaction, which each of its entries repeats. @see Bitcoin Core `WalletTxToJSON` */
export function factsOf(record: WalletTx, trusted: TrustCache, context: WalletContext): EntryJson {
  const { wallet, dialect } = context;
  const view = viewOf(context);
  const { timeReceived, timeSmart } = record;
  return {
    confirmations: depthOf(wallet, record),
    ...(record.isCoinbase && { generated: true }),
    ...(blockMembers(record, context) ?? trustedMember(isTrusted(view, record, trusted), context)),
    txid: formatTxid(record.id),
    ...(walletMethodRules[dialect.generation].showsWtxids && {
      wtxid: formatTxid(wtxid(record.tx)),
      ...alternateIds(record, context),
    }),
    walletconflicts: conflictsOf(wallet, record).map(formatTxid),
    ...(wallet.rules.tracksMempoolConflicts && mempoolConflictsOf(record, context)),
    time: timeSmart || timeReceived,
    timereceived: timeReceived,
    ...(walletDialects[dialect.name].showsReplaceability && { 'bip125-replaceable': replaceability(view, record) }),
    ...(record.notes && notesOf(record.notes, context)),
  };
}

/** Returns the notes of a transaction. @see Bitcoin Core 0.21 `CWalletTx::mapValue` */
function notesOf({ comment, to, replaces, replacedBy }: TxNotes, { dialect }: WalletContext): EntryJson {
  const members: readonly (readonly [string, string | undefined])[] = [
    ['comment', comment],
    ['to', to],
    ['replaces_txid', replaces && formatTxid(replaces)],
    ['replaced_by_txid', replacedBy && formatTxid(replacedBy)],
  ];
  const given = members.filter(([, text]) => text !== undefined);
  const { sortsNotes } = walletMethodRules[dialect.generation];
  return Object.fromEntries(sortsNotes ? given.sort(([a], [b]) => (a < b ? -1 : 1)) : given);
}

const trustedMember = (trusted: boolean, { dialect }: WalletContext): EntryJson =>
  trusted || walletDialects[dialect.name].showsDistrust ? { trusted } : {};

/** Lists the wtxids of copies with other witnesses. @see Bitcoin Core 31.99 `WalletTxToJSON` */
function alternateIds({ alternates }: WalletTx, { dialect }: WalletContext): EntryJson {
  if (alternates.length === 0) return dialect.showsEmptyNewLists ? { alternate_wtxids: [] } : {};
  return { alternate_wtxids: alternates.map(wtxid).sort(compareBytes).map(formatTxid) };
}

function mempoolConflictsOf({ mempoolConflicts }: WalletTx, { dialect }: WalletContext): EntryJson {
  const mempoolconflicts = [...mempoolConflicts.values()].sort(compareBytes).map(formatTxid);
  return mempoolconflicts.length > 0 || dialect.showsEmptyNewLists ? { mempoolconflicts } : {};
}

function blockMembers(record: WalletTx, { wallet, node }: WalletContext): EntryJson | undefined {
  const { state } = record;
  if (depthOf(wallet, record) <= 0 || (state.kind !== 'confirmed' && state.kind !== 'conflicted')) return undefined;
  const { hash, key, height } = state.block;
  return {
    blockhash: formatReversedHex(hash),
    blockheight: height,
    blockindex: state.kind === 'confirmed' ? state.index : 0,
    blocktime: state.kind === 'confirmed' ? state.time : node.chain.blocks.get(key)?.time,
  };
}
