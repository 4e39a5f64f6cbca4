import { compareBytes } from '../../bytes/compare.ts';
import { formatReversedHex } from '../../bytes/hex.ts';
import { formatTxid, wtxid } from '../../tx/txid.ts';
import type { Transaction, TxOut } from '../../tx/types.ts';
import { conflictsOf, isImmature, isTrusted, replaceability } from '../../wallet/derived.ts';
import { debitOf, type Filter, isChange, labelOf, matches, ownershipOf } from '../../wallet/ownership.ts';
import { depthOf } from '../../wallet/records.ts';
import type { WalletTx } from '../../wallet/walletState.ts';
import { keepExact, toCoins } from '../exact.ts';
import { outputAddress } from './addresses.ts';
import { viewOf, type WalletContext } from './context.ts';
import { parentsOf } from './solving.ts';

/** Which entries of a transaction are wanted. */
export interface EntryOptions {
  readonly filter: Filter;
  /** What was received counts from this depth on. */
  readonly minDepth: number;
  readonly includesChange: boolean;
  /** Only what was received under this label. */
  readonly label?: string | undefined;
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
  const debit = debitOf(wallet, one.tx, filter);
  const outputs = [...one.tx.outputs.entries()]
    .map(([vout, output]) => ({ vout, output, isMeant: matches(wallet, output.scriptPubKey, filter) }))
    .filter(({ output, isMeant }) => (debit > 0n ? includesChange || !isChange(wallet, output.scriptPubKey) : isMeant));
  if (outputs.length === 0) return [];
  const facts = factsOf(one, context);
  const watches = involvesWatched(one.tx, context);
  const shared = { one, facts, watches };
  const fee = debit - one.tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  const sent = debit > 0n && label === undefined ? outputs : [];
  const received = depthOf(wallet, one) >= minDepth ? outputs.filter(({ isMeant }) => isMeant) : [];
  const wanted = received.filter(
    ({ output }) => label === undefined || (labelOf(wallet, output.scriptPubKey) ?? '') === label,
  );
  return [
    ...sent.map(({ vout, output }) => sentEntry({ ...shared, vout, output, fee }, context)),
    ...wanted.map(({ vout, output }) => receivedEntry({ ...shared, vout, output }, context)),
  ];
}

interface OneOutput {
  readonly one: WalletTx;
  /** Of the whole transaction. */
  readonly facts: EntryJson;
  readonly watches: boolean;
  readonly vout: number;
  readonly output: TxOut;
}

function sentEntry(
  { one, facts, vout, output, fee, watches }: OneOutput & { fee: bigint },
  context: WalletContext,
): EntryJson {
  const entry = {
    ...watchedMember(watches, output, context),
    ...addressMember(output, context),
    category: 'send',
    amount: toCoins(-output.value),
    ...labelMember(output, context),
    vout,
    fee: toCoins(-fee),
    ...facts,
    abandoned: one.state.kind === 'abandoned',
  };
  return keepExact(keepExact(entry, 'amount', -output.value), 'fee', -fee);
}

function receivedEntry({ one, facts, vout, output, watches }: OneOutput, context: WalletContext): EntryJson {
  const entry = {
    ...watchedMember(watches, output, context),
    ...addressMember(output, context),
    ...(isModern(context) && { parent_descs: parentsOf(output.scriptPubKey, context) }),
    category: categoryOf(one, context),
    amount: toCoins(output.value),
    ...labelMember(output, context),
    vout,
    ...(isModern(context) && { abandoned: one.state.kind === 'abandoned' }),
    ...facts,
  };
  return keepExact(entry, 'amount', output.value);
}

const isModern = ({ dialect }: WalletContext): boolean => dialect.generation === 'core-31';

function categoryOf(one: WalletTx, { wallet }: WalletContext): 'receive' | 'orphan' | 'immature' | 'generate' {
  if (!one.isCoinbase) return 'receive';
  if (depthOf(wallet, one) < 1) return 'orphan';
  return isImmature(wallet, one) ? 'immature' : 'generate';
}

/** Whether a transaction spends what is only watched. */
function involvesWatched(tx: Transaction, { wallet }: WalletContext): boolean {
  if (!wallet.legacy) return false;
  return debitOf(wallet, tx, 'all') > debitOf(wallet, tx, 'own');
}

function watchedMember(watches: boolean, { scriptPubKey }: TxOut, context: WalletContext): EntryJson {
  const destination = outputAddress(context.wallet, scriptPubKey, context)?.destination;
  const isWatched = watches || (destination !== undefined && ownershipOf(context.wallet, destination) === 'watched');
  return isWatched ? { involvesWatchonly: true } : {};
}

function addressMember({ scriptPubKey }: TxOut, context: WalletContext): EntryJson {
  const found = outputAddress(context.wallet, scriptPubKey, context);
  return found ? { address: found.address } : {};
}

function labelMember({ scriptPubKey }: TxOut, { wallet }: WalletContext): EntryJson {
  const label = labelOf(wallet, scriptPubKey);
  return label === undefined ? {} : { label };
}

/** What is said of the transaction in each of its entries. @see Bitcoin Core `WalletTxToJSON` */
function factsOf(one: WalletTx, context: WalletContext): EntryJson {
  const { wallet, dialect } = context;
  const view = viewOf(context);
  const { timeReceived, timeSmart } = one;
  return {
    confirmations: depthOf(wallet, one),
    ...(one.isCoinbase && { generated: true }),
    ...(blockMembers(one, context) ?? { trusted: isTrusted(view, one) }),
    txid: formatTxid(one.id),
    // Copies of a transaction with another witness are not kept.
    ...(isModern(context) && { wtxid: formatTxid(wtxid(one.tx)) }),
    ...(isModern(context) && !dialect.followsContract && { alternate_wtxids: [] }),
    walletconflicts: conflictsOf(wallet, one).map(formatTxid),
    ...(isModern(context) && mempoolConflictsOf(one, context)),
    time: timeSmart || timeReceived,
    timereceived: timeReceived,
    ...((!isModern(context) || dialect.followsContract) && { 'bip125-replaceable': replaceability(view, one) }),
  };
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
