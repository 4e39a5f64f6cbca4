import { type InSats, inCoins } from '../../../answers/json/exactNumbers.ts';
import {
  type Answer,
  amount,
  flag,
  hex,
  list,
  maybe,
  members,
  numeric,
  oneOf,
  text,
  time,
} from '../../../answers/method/results.ts';
import { compareBytes } from '../../../core/bytes/compare.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { formatTxid, wtxid } from '../../../core/tx/txid.ts';
import { type ListedOutput, listedOutputs } from '../../wallet/queries/entryCounts.ts';
import { type Filter, findLabel } from '../../wallet/queries/ownership.ts';
import {
  findConflicts,
  isImmature,
  isTrusted,
  replaceability,
  type TrustCache,
} from '../../wallet/queries/txQueries.ts';
import { chainDepth } from '../../wallet/records/records.ts';
import type { TxNotes, WalletTx } from '../../wallet/records/walletTx.ts';
import { createView, isDeprecatedUsed, type WalletContext } from '../context.ts';
import { walletDialects } from '../walletDialect.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { outputFacts } from './outputFacts.ts';

export const transactionDetailResult = members({
  involvesWatchonly: maybe(flag(), { until: 'core-0.21' }),
  address: maybe(text('if the output has one')),
  parent_descs: maybe(list(text(), 'the descriptors of the wallet that its script comes from'), { since: 'core-29' }),
  category: oneOf(['send', 'receive', 'generate', 'immature', 'orphan']),
  amount: amount('negative if sent'),
  label: maybe(text()),
  vout: numeric(),
  fee: maybe(amount('of sent outputs; negative')),
  abandoned: maybe(flag()),
});

/** One output sent or received, in `gettransaction`. */
export type TransactionDetailJson = Answer<typeof transactionDetailResult>;

export const transactionFactsResult = members({
  confirmations: numeric('negative if it conflicts with a block'),
  generated: maybe(flag('true for a coinbase')),
  trusted: maybe(flag('of an unconfirmed transaction')),
  blockhash: maybe(hex()),
  blockheight: maybe(numeric()),
  blockindex: maybe(numeric('its index in the block')),
  blocktime: maybe(time()),
  txid: hex(),
  wtxid: maybe(hex(), { since: 'core-29' }),
  alternate_wtxids: maybe(list(hex(), 'of copies with other witnesses'), { since: 'core-32' }),
  walletconflicts: list(hex()),
  mempoolconflicts: maybe(list(hex()), { since: 'core-29' }),
  time: time(),
  timereceived: time(),
  'bip125-replaceable': maybe(oneOf(['yes', 'no', 'unknown'])),
  comment: maybe(text()),
  to: maybe(text()),
  replaces_txid: maybe(hex()),
  replaced_by_txid: maybe(hex()),
});

/** The members about a wallet transaction. */
export type TransactionFactsJson = Answer<typeof transactionFactsResult>;

export const transactionEntryResult = members({
  ...transactionDetailResult.members,
  ...transactionFactsResult.members,
});

/** One output sent or received, in `listsinceblock` and `listtransactions`. */
export type TransactionEntryJson = Answer<typeof transactionEntryResult>;

export interface EntryOptions {
  readonly filter: Filter;
  /** Of received outputs. */
  readonly minDepth: number;
  readonly includesChange: boolean;
  /** Lists only received outputs with this label. */
  readonly label?: string | undefined;
  /** A cache for one answer. */
  readonly trusted: TrustCache;
  /** Leaves out the members about the transaction. */
  readonly isBrief?: boolean;
}

type Draft<T> = { -readonly [N in keyof T]?: T[N] };

/** Lists an entry per output sent or received. @see Bitcoin Core `ListTransactions` */
export function listEntries(
  record: WalletTx,
  options: EntryOptions,
  context: WalletContext,
): readonly TransactionEntryJson[] {
  const { wallet } = context;
  const { filter, minDepth, label } = options;
  const { debits, outputs } = listedOutputs(wallet, record, options);
  const debit = debits[filter];
  if (outputs.length === 0) return [];
  const facts = options.isBrief ? {} : transactionFacts(record, options.trusted, context);
  const fee = debit - record.tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  const shared = { record, facts, fee, watches: debits.all > debits.own };
  const sent = debit > 0n && label === undefined ? outputs : [];
  const received = chainDepth(wallet, record) >= minDepth ? outputs.filter(({ isMeant }) => isMeant) : [];
  const matching = received.filter(
    ({ output }) => label === undefined || (findLabel(wallet, output.scriptPubKey) ?? '') === label,
  );
  return [
    ...sent.map((output) => sentEntry(output, shared, context)),
    ...matching.map((output) => receivedEntry(output, shared, context)),
  ];
}

export const listDetails = (
  record: WalletTx,
  filter: Filter,
  context: WalletContext,
): readonly TransactionDetailJson[] =>
  listEntries(record, { filter, minDepth: 0, includesChange: false, trusted: new Map(), isBrief: true }, context);

interface Shared {
  readonly record: WalletTx;
  readonly facts: Partial<TransactionFactsJson>;
  /** Of a transaction that the wallet sent. */
  readonly fee: bigint;
  /** The transaction spends watch-only coins. */
  readonly watches: boolean;
}

// Sets members one by one, which is several times faster than object spread.

function sentEntry(
  { vout, output }: ListedOutput,
  { record, facts, fee, watches }: Shared,
  context: WalletContext,
): TransactionEntryJson {
  const { address, addressOwnership } = outputFacts(output.scriptPubKey, context);
  const label = findLabel(context.wallet, output.scriptPubKey);
  const entry: Draft<InSats<TransactionEntryJson>> = {};
  if (watches || addressOwnership === 'watched') entry.involvesWatchonly = true;
  if (address !== undefined) entry.address = address;
  entry.category = 'send';
  entry.amount = -output.value;
  if (label !== undefined) entry.label = label;
  entry.vout = vout;
  entry.fee = -fee;
  Object.assign(entry, facts);
  entry.abandoned = record.state.kind === 'abandoned';
  return inCoins(entry as InSats<TransactionEntryJson>);
}

function receivedEntry(
  { vout, output }: ListedOutput,
  { record, facts, watches }: Shared,
  context: WalletContext,
): TransactionEntryJson {
  const { address, addressOwnership, parents } = outputFacts(output.scriptPubKey, context);
  const label = findLabel(context.wallet, output.scriptPubKey);
  const entry: Draft<InSats<TransactionEntryJson>> = {};
  if (watches || addressOwnership === 'watched') entry.involvesWatchonly = true;
  if (address !== undefined) entry.address = address;
  if (walletMethodRules[context.dialect.generation].showsParents) entry.parent_descs = parents;
  entry.category = receivedCategory(record, context);
  entry.amount = output.value;
  if (label !== undefined) entry.label = label;
  entry.vout = vout;
  if (walletDialects[context.dialect.name].showsAbandoned) entry.abandoned = record.state.kind === 'abandoned';
  Object.assign(entry, facts);
  return inCoins(entry as InSats<TransactionEntryJson>);
}

function receivedCategory(record: WalletTx, { wallet }: WalletContext): 'receive' | 'orphan' | 'immature' | 'generate' {
  if (!record.isCoinbase) return 'receive';
  if (chainDepth(wallet, record) < 1) return 'orphan';
  return isImmature(wallet, record) ? 'immature' : 'generate';
}

/** @see Bitcoin Core `WalletTxToJSON` */
export function transactionFacts(record: WalletTx, trusted: TrustCache, context: WalletContext): TransactionFactsJson {
  const { wallet, dialect } = context;
  const view = createView(context);
  const { timeReceived, timeSmart } = record;
  const facts: Draft<TransactionFactsJson> = { confirmations: chainDepth(wallet, record) };
  if (record.isCoinbase) facts.generated = true;
  if (!addBlock(facts, record, context)) addTrust(facts, isTrusted(view, record, trusted), context);
  facts.txid = formatTxid(record.id);
  if (walletMethodRules[dialect.generation].showsWtxids) {
    facts.wtxid = formatTxid(wtxid(record.tx));
  }
  if (walletMethodRules[dialect.generation].showsAlternates) Object.assign(facts, alternateIds(record, context));
  facts.walletconflicts = findConflicts(wallet, record).map(formatTxid);
  if (wallet.rules.tracksMempoolConflicts) Object.assign(facts, mempoolConflictMembers(record, context));
  facts.time = timeSmart || timeReceived;
  facts.timereceived = timeReceived;
  if (walletDialects[dialect.name].showsReplaceability || isDeprecatedUsed('bip125', context))
    facts['bip125-replaceable'] = replaceability(view, record);
  if (record.notes) Object.assign(facts, noteMembers(record.notes, context));
  return facts as TransactionFactsJson;
}

/** @see Bitcoin Core 0.21 `CWalletTx::mapValue` */
function noteMembers(
  { comment, to, replaces, replacedBy }: TxNotes,
  { dialect }: WalletContext,
): Readonly<Record<string, string | undefined>> {
  const members: readonly (readonly [string, string | undefined])[] = [
    ['comment', comment],
    ['to', to],
    ['replaces_txid', replaces && formatTxid(replaces)],
    ['replaced_by_txid', replacedBy && formatTxid(replacedBy)],
  ];
  const present = members.filter(([, text]) => text !== undefined);
  const { sortsNotes } = walletMethodRules[dialect.generation];
  return Object.fromEntries(sortsNotes ? present.sort(([a], [b]) => (a < b ? -1 : 1)) : present);
}

function addTrust(facts: Draft<TransactionFactsJson>, trusted: boolean, { dialect }: WalletContext): void {
  if (trusted || walletDialects[dialect.name].showsDistrust) facts.trusted = trusted;
}

/** Lists the wtxids of copies with other witnesses. */
function alternateIds({ alternates }: WalletTx, { dialect }: WalletContext): Partial<TransactionFactsJson> {
  if (alternates.length === 0) return dialect.showsEmptyNewLists ? { alternate_wtxids: [] } : {};
  return { alternate_wtxids: alternates.map(wtxid).sort(compareBytes).map(formatTxid) };
}

function mempoolConflictMembers(
  { mempoolConflicts }: WalletTx,
  { dialect }: WalletContext,
): Partial<TransactionFactsJson> {
  const mempoolconflicts = [...mempoolConflicts.values()].sort(compareBytes).map(formatTxid);
  return mempoolconflicts.length > 0 || dialect.showsEmptyNewLists ? { mempoolconflicts } : {};
}

/** Adds the block that a transaction is in, or conflicts with. @returns false without one */
function addBlock(facts: Draft<TransactionFactsJson>, record: WalletTx, { wallet, node }: WalletContext): boolean {
  const { state } = record;
  if (chainDepth(wallet, record) <= 0 || (state.kind !== 'confirmed' && state.kind !== 'conflicted')) return false;
  const { hash, key, height } = state.block;
  facts.blockhash = blockHashText(hash);
  facts.blockheight = height;
  facts.blockindex = state.kind === 'confirmed' ? state.index : 0;
  const time = state.kind === 'confirmed' ? state.time : node.chain.blocks.get(key)?.time;
  if (time !== undefined) facts.blocktime = time;
  return true;
}

/** A cache, since the transactions of a block share the hash object. */
const blockHashTexts = new WeakMap<Uint8Array, string>();

function blockHashText(hash: Uint8Array): string {
  const cachedText = blockHashTexts.get(hash);
  if (cachedText !== undefined) return cachedText;
  const text = formatReversedHex(hash);
  blockHashTexts.set(hash, text);
  return text;
}
