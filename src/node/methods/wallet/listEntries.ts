import type { Draft } from '../../../answers/method/results.ts';
import {
  type Answer,
  amount,
  either,
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
import type { Txid } from '../../../core/tx/types.ts';
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
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import { createView, type WalletContext } from '../context.ts';
import { walletDialects } from '../walletDialect.ts';
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

/** Until core-31, a node sorts what it notes beside a transaction. */
const SORTED_NOTES = ['comment', 'replaced_by_txid', 'replaces_txid', 'to'] as const;

export const transactionFactsResult = members(
  {
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
    'bip125-replaceable': maybe({ ...oneOf(['yes', 'no', 'unknown']), keptBy: 'bip125' }, { until: 'core-31' }),
    comment: maybe(text()),
    to: maybe(text()),
    replaces_txid: maybe(hex()),
    replaced_by_txid: maybe(hex()),
  },
  '',
  [{ until: 'core-31', last: SORTED_NOTES }],
);

const { abandoned, ...sentMembers } = transactionDetailResult.members;

const sentEntryResult = members(
  { ...sentMembers, category: oneOf(['send']), ...transactionFactsResult.members, abandoned },
  '',
  [{ until: 'core-31', last: [...SORTED_NOTES, 'abandoned'] }],
);

const receivedEntryResult = members({ ...transactionDetailResult.members, ...transactionFactsResult.members }, '', [
  { until: 'core-31', last: SORTED_NOTES },
]);

export const transactionEntryResult = either(sentEntryResult, receivedEntryResult);

/** One output sent or received, in `listsinceblock` and `listtransactions`. */
export type TransactionEntryJson = Answer<typeof transactionEntryResult>;

export type EntryDraft = Draft<typeof transactionEntryResult>;

export interface EntryOptions {
  readonly filter: Filter;
  /** Of received outputs. */
  readonly minDepth: number;
  readonly includesChange: boolean;
  /** Lists only received outputs with this label. */
  readonly label?: string | undefined;
  /** A cache for one answer. */
  readonly trusted: TrustCache;
}

/** Lists an entry per output sent or received. @see Bitcoin Core `ListTransactions` */
export function listEntries(record: WalletTx, options: EntryOptions, context: WalletContext): readonly EntryDraft[] {
  const { wallet } = context;
  const { filter, minDepth, label } = options;
  const { debits, outputs } = listedOutputs(wallet, record, options);
  const debit = debits[filter];
  if (outputs.length === 0) return [];
  const facts = transactionFacts(record, options.trusted, context);
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
): readonly Draft<typeof transactionDetailResult>[] =>
  listEntries(record, { filter, minDepth: 0, includesChange: false, trusted: new Map() }, context);

interface Shared {
  readonly record: WalletTx;
  readonly facts: FactsDraft;
  /** Of a transaction that the wallet sent. */
  readonly fee: bigint;
  /** The transaction spends watch-only coins. */
  readonly watches: boolean;
}

function sentEntry(
  { vout, output }: ListedOutput,
  { record, facts, fee, watches }: Shared,
  context: WalletContext,
): EntryDraft {
  const { address, addressOwnership } = outputFacts(output.scriptPubKey, context);
  return {
    involvesWatchonly: watches || addressOwnership === 'watched' ? true : undefined,
    address,
    category: 'send',
    amount: -output.value,
    label: findLabel(context.wallet, output.scriptPubKey),
    vout,
    fee: -fee,
    abandoned: record.state.kind === 'abandoned',
    ...facts,
  };
}

function receivedEntry(
  { vout, output }: ListedOutput,
  { record, facts, watches }: Shared,
  context: WalletContext,
): EntryDraft {
  const { address, addressOwnership, parents } = outputFacts(output.scriptPubKey, context);
  const { showsAbandoned } = walletDialects[context.dialect.name];
  return {
    involvesWatchonly: watches || addressOwnership === 'watched' ? true : undefined,
    address,
    parent_descs: parents,
    category: receivedCategory(record, context),
    amount: output.value,
    label: findLabel(context.wallet, output.scriptPubKey),
    vout,
    abandoned: showsAbandoned ? record.state.kind === 'abandoned' : undefined,
    ...facts,
  };
}

function receivedCategory(record: WalletTx, { wallet }: WalletContext): 'receive' | 'orphan' | 'immature' | 'generate' {
  if (!record.isCoinbase) return 'receive';
  if (chainDepth(wallet, record) < 1) return 'orphan';
  return isImmature(wallet, record) ? 'immature' : 'generate';
}

type FactsDraft = Draft<typeof transactionFactsResult>;

/** @see Bitcoin Core `WalletTxToJSON` */
export function transactionFacts(record: WalletTx, trusted: TrustCache, context: WalletContext): FactsDraft {
  const { wallet, dialect } = context;
  const view = createView(context);
  const { timeReceived, timeSmart, notes } = record;
  const block = blockFacts(record, context);
  const isSafe = !block && isTrusted(view, record, trusted);
  const showsTrust = !block && (isSafe || walletDialects[dialect.name].showsDistrust);
  return {
    confirmations: chainDepth(wallet, record),
    generated: record.isCoinbase ? true : undefined,
    ...block,
    trusted: showsTrust ? isSafe : undefined,
    txid: formatTxid(record.id),
    wtxid: formatTxid(wtxid(record.tx)),
    alternate_wtxids: unlessEmpty(record.alternates.map(wtxid), context),
    walletconflicts: findConflicts(wallet, record).map(formatTxid),
    mempoolconflicts: unlessEmpty([...record.mempoolConflicts.values()], context),
    time: timeSmart || timeReceived,
    timereceived: timeReceived,
    'bip125-replaceable': replaceability(view, record),
    comment: notes?.comment,
    to: notes?.to,
    replaces_txid: notes?.replaces && formatTxid(notes.replaces),
    replaced_by_txid: notes?.replacedBy && formatTxid(notes.replacedBy),
  };
}

/** Sorts ids; leaves out an empty list in the dialect that shows none. */
const unlessEmpty = (ids: readonly Txid[], { dialect }: WalletContext): readonly string[] | undefined =>
  ids.length > 0 || dialect.showsEmptyNewLists ? [...ids].sort(compareBytes).map(formatTxid) : undefined;

/** Tells the block that a transaction is in, or conflicts with. */
function blockFacts(
  record: WalletTx,
  { wallet, node }: WalletContext,
): Pick<FactsDraft, 'blockhash' | 'blockheight' | 'blockindex' | 'blocktime'> | undefined {
  const { state } = record;
  if (chainDepth(wallet, record) <= 0 || (state.kind !== 'confirmed' && state.kind !== 'conflicted')) return undefined;
  const { hash, key, height } = state.block;
  const isConfirmed = state.kind === 'confirmed';
  return {
    blockhash: blockHashText(hash),
    blockheight: height,
    blockindex: isConfirmed ? state.index : 0,
    blocktime: isConfirmed ? state.time : node.chain.blocks.get(key)?.time,
  };
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
