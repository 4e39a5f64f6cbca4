import { bytesKey, concatBytes, parseBytesKey } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import type { Network } from '../../../core/network/networks.ts';
import { decodeTransaction, encodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid, parseTxid, parseTxKey, txKey } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { chainTx } from '../../chain/chainTx.ts';
import type { ChainTx } from '../../chain/types.ts';
import { formatJson } from '../../store/codecs.ts';
import { KINDS } from '../../store/kinds.ts';
import { unlessUnreadable } from '../../store/storeFault.ts';
import type { RecordCodec } from '../../store/tables.ts';
import { type AmountsJson, amountsJson, parseAmounts } from './amounts.ts';
import { type PlaceJson, parsePlace, placeJson } from './walletRow.ts';
import {
  NO_CONFLICTS,
  NO_COPIES,
  type SettledCoins,
  type TxFacts,
  type TxNotes,
  type TxState,
  WalletTx,
} from './walletTx.ts';

type StateJson =
  | ({ readonly kind: 'confirmed'; readonly index: number; readonly time: number } & PlaceJson)
  | ({ readonly kind: 'conflicted' } & PlaceJson)
  | { readonly kind: 'unconfirmed' | 'abandoned' };

/** Bytes are hex, txids in display order; what is empty is missing. */
interface TxFactsJson extends Pick<TxFacts, 'order' | 'timeReceived' | 'timeSmart'> {
  readonly state: StateJson;
  readonly isInMempool?: true;
  readonly alternates?: readonly string[];
  readonly mempoolConflicts?: readonly string[];
  readonly notes?: Omit<TxNotes, 'replaces' | 'replacedBy'> & {
    readonly replaces?: string;
    readonly replacedBy?: string;
  };
  readonly settled?: Omit<SettledCoins, 'amounts'> & { readonly amounts: AmountsJson };
}

const NEWLINE = 0x0a;

/** A record is the JSON of the facts, a newline, and the transaction. */
export const walletTxCodec = (network: Network): RecordCodec<WalletTx> => ({
  encode: (wtx) => concatBytes(parseBytesKey(`${formatJson(factsJson(wtx))}\n`), encodeTransaction(wtx.tx)),
  decode: (bytes, name) => {
    const key = name as TxKey;
    const end = bytes.indexOf(NEWLINE);
    const json = (): TxFactsJson => JSON.parse(bytesKey(bytes, 0, end)) as TxFactsJson;
    const tx = (): ChainTx =>
      chainTx(decodeTransaction(bytes.subarray(end + 1), { mweb: network.mweb }), parseTxKey(key));
    return new WalletTx(key, () => unlessUnreadable(KINDS.transaction, tx), parseFacts(json(), network));
  },
});

function factsJson(wtx: WalletTx): TxFactsJson {
  const { alternates, state, isInMempool, order, timeReceived, timeSmart, mempoolConflicts, notes, settled } = wtx;
  const { replaces, replacedBy, ...texts } = notes ?? {};
  return {
    order,
    timeReceived,
    timeSmart,
    state: stateJson(state),
    ...(isInMempool && { isInMempool }),
    ...(alternates.length > 0 && { alternates: alternates.map((copy) => formatHex(encodeTransaction(copy))) }),
    ...(mempoolConflicts.size > 0 && { mempoolConflicts: [...mempoolConflicts.values()].map(formatTxid) }),
    ...(notes && {
      notes: {
        ...texts,
        ...(replaces && { replaces: formatTxid(replaces) }),
        ...(replacedBy && { replacedBy: formatTxid(replacedBy) }),
      },
    }),
    ...(settled && { settled: { ...settled, amounts: amountsJson(settled.amounts) } }),
  };
}

function parseFacts(json: TxFactsJson, { mweb }: Network): TxFacts {
  const { alternates, notes, settled } = json;
  const conflicts = json.mempoolConflicts?.map(parseTxid);
  // Not a spread of `json`: lists make very many of these.
  return {
    order: json.order,
    timeReceived: json.timeReceived,
    timeSmart: json.timeSmart,
    state: parseState(json.state),
    isInMempool: json.isInMempool ?? false,
    alternates: alternates?.map((hex) => decodeTransaction(parseHex(hex), { mweb })) ?? NO_COPIES,
    mempoolConflicts: conflicts ? new Map(conflicts.map((id) => [txKey(id), id])) : NO_CONFLICTS,
    notes: notes && parseNotes(notes),
    settled: settled && { kind: settled.kind, height: settled.height, amounts: parseAmounts(settled.amounts) },
  };
}

function parseNotes({ replaces, replacedBy, ...texts }: NonNullable<TxFactsJson['notes']>): TxNotes {
  return {
    ...texts,
    ...(replaces !== undefined && { replaces: parseTxid(replaces) }),
    ...(replacedBy !== undefined && { replacedBy: parseTxid(replacedBy) }),
  };
}

function stateJson(state: TxState): StateJson {
  if (!('block' in state)) return state;
  const { block, ...rest } = state;
  return { ...rest, ...placeJson(block) };
}

function parseState(json: StateJson): TxState {
  if (!('hash' in json)) return json;
  const block = parsePlace(json);
  if (json.kind === 'conflicted') return { kind: json.kind, block };
  return { kind: json.kind, block, index: json.index, time: json.time };
}
