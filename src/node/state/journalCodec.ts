import { formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { BtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { parseTxid } from '../../core/tx/txid.ts';
import { decodeBlock } from '../chain/block.ts';
import type { RemovalReason } from '../chain/types.ts';
import type { NodeRules } from '../wallet/rules.ts';
import {
  type ChainCommand,
  type ChainNews,
  isCommand,
  type LoggedEvent,
  type Missed,
  type TimedEvent,
} from './events.ts';
import {
  type FindingsJson,
  type FoundBlockJson,
  findingsJson,
  foundBlockJson,
  foundTxJson,
  type PlaceJson,
  parseFindings,
  parseFoundBlock,
  parseFoundTx,
  parsePlace,
  parseTransaction,
  placeJson,
} from './findingsCodec.ts';
import { type EventReading, parseWalletEvent, type WalletEventJson, walletEventJson } from './walletEventCodec.ts';

interface MissedJson extends FindingsJson {
  readonly left: readonly string[];
  readonly tip: PlaceJson;
}

/** A {@link LoggedEvent} in an entry, or a command of an old journal, which held all blocks. */
type NodeEventJson =
  | Exclude<LoggedEvent, { type: 'load' | 'restore' | 'wallet' } | ChainNews>
  | {
      readonly type: 'restore';
      readonly name: string;
      readonly history: readonly EntryJson[];
      readonly missed?: MissedJson;
    }
  | { readonly type: 'load'; readonly name: string; readonly missed?: MissedJson }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEventJson }
  | ({ readonly type: 'connected' } & FoundBlockJson)
  | ({ readonly type: 'disconnected'; readonly before: PlaceJson } & FoundBlockJson)
  | { readonly type: 'added'; readonly tx: string }
  | { readonly type: 'removed'; readonly tx: string; readonly reason: RemovalReason }
  | ChainCommandJson;

/** Hashes are in wire order. */
type ChainCommandJson =
  | { readonly type: 'block'; readonly block: string }
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: string }
  | { readonly type: 'transaction'; readonly transaction: string }
  | { readonly type: 'drop'; readonly txid: string };

export interface EntryJson {
  /**
   * The commit of the chain that the entry came from. It is written first, so that an entry whose commit never happened
   * shows.
   */
  readonly commit?: number;
  readonly at: number;
  readonly tip?: PlaceJson;
  readonly event: NodeEventJson;
}

export type ParsedEntry = TimedEvent<LoggedEvent | ChainCommand> & { readonly commit?: number | undefined };

export interface JournalCodec {
  readonly format: (timed: TimedEvent) => string;
  /** Parses entries of older versions as well. */
  readonly parse: (entry: string) => ParsedEntry;
}

export const withCommit = (entry: string, commit: number): string => `{"commit":${commit},${entry.slice(1)}`;

export function journalCodec(network: Network, rules: NodeRules, ecc: Ecc): JournalCodec {
  return {
    format: (timed) => JSON.stringify(entryJson(timed, network)),
    parse: (entry) => parseEntry(JSON.parse(entry) as EntryJson, { network, rules, ecc }),
  };
}

const entryJson = ({ at, tip, event }: TimedEvent, network: Network): EntryJson => ({
  at,
  ...(tip && { tip: placeJson(tip) }),
  event: nodeEventJson(event, network),
});

const parseEntry = ({ at, commit, tip, event }: EntryJson, reading: EventReading): ParsedEntry => ({
  at,
  commit,
  tip: tip && parsePlace(tip),
  event: parseNodeEvent(event, reading),
});

/** Refuses a command, which only old journals hold. @throws BtcError `store/failed` */
export function loggedIn({ at, tip, event }: ParsedEntry): TimedEvent {
  if (!isCommand(event)) return { at, tip, event };
  throw unexpected(event.type);
}

export function unexpected(type: string): BtcError {
  const reason = `an entry "${type}" that does not belong there`;
  return new BtcError('store/failed', { path: '', reason }, `The journal holds ${reason}`);
}

function nodeEventJson(event: LoggedEvent, network: Network): NodeEventJson {
  switch (event.type) {
    case 'connected':
      return { type: event.type, ...foundBlockJson(event) };
    case 'disconnected':
      return { type: event.type, before: placeJson(event.before), ...foundBlockJson(event) };
    case 'added':
    case 'removed':
      return { ...event, tx: foundTxJson(event.tx) };
    case 'load': {
      const { name, missed } = event;
      return { type: 'load', name, ...(missed && { missed: missedJson(missed) }) };
    }
    case 'restore': {
      const { missed, history, ...rest } = event;
      const past = history.map((timed) => entryJson(timed, network));
      return { ...rest, history: past, ...(missed && { missed: missedJson(missed) }) };
    }
    case 'wallet':
      return { ...event, event: walletEventJson(event.event, network) };
    default:
      return event;
  }
}

function parseNodeEvent(event: NodeEventJson, reading: EventReading): LoggedEvent | ChainCommand {
  const { network } = reading;
  switch (event.type) {
    case 'connected':
      return { type: event.type, ...parseFoundBlock(event, network) };
    case 'disconnected':
      return { type: event.type, before: parsePlace(event.before), ...parseFoundBlock(event, network) };
    case 'added':
      return { type: event.type, tx: parseFoundTx(event.tx, network) };
    case 'removed':
      return { ...event, tx: parseFoundTx(event.tx, network) };
    case 'load': {
      const { name, missed } = event;
      return { type: 'load', name, ...(missed && { missed: parseMissed(missed, network) }) };
    }
    case 'restore': {
      const { missed, history, ...rest } = event;
      const past = history.map((entry) => loggedIn(parseEntry(entry, reading)));
      return { ...rest, history: past, ...(missed && { missed: parseMissed(missed, network) }) };
    }
    case 'wallet':
      return { ...event, event: parseWalletEvent(event.event, reading) };
    case 'block':
    case 'invalidate':
    case 'reconsider':
    case 'transaction':
    case 'drop':
      return parseCommand(event, network);
    default:
      return event;
  }
}

function parseCommand(event: ChainCommandJson, network: Network): ChainCommand {
  switch (event.type) {
    case 'block': {
      const bytes = parseHex(event.block);
      return { type: 'block', block: decodeBlock(bytes, network), bytes };
    }
    case 'transaction':
      return { type: 'transaction', tx: parseTransaction(event.transaction, network) };
    case 'drop':
      return { type: 'drop', txid: parseTxid(event.txid) };
    default:
      return { type: event.type, hash: parseHex(event.hash) };
  }
}

const missedJson = ({ left, tip, ...findings }: Missed): MissedJson => ({
  left: left.map(formatReversedHex),
  tip: placeJson(tip),
  ...findingsJson(findings),
});
const parseMissed = ({ left, tip, ...findings }: MissedJson, network: Network): Missed => ({
  left: left.map((hash) => parseHex(hash).reverse()),
  tip: parsePlace(tip),
  ...parseFindings(findings, network),
});
