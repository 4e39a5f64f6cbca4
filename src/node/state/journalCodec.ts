import { formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import type { Network } from '../../core/network/networks.ts';
import type { RemovalReason } from '../chain/types.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { ChainNews, LoggedEvent, Missed, TimedEvent } from './events.ts';
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
  placeJson,
} from './findingsCodec.ts';
import { type EventReading, parseWalletEvent, type WalletEventJson, walletEventJson } from './walletEventCodec.ts';

interface MissedJson extends FindingsJson {
  readonly left: readonly string[];
  readonly tip: PlaceJson;
}

/** A {@link LoggedEvent} in an entry. */
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
  | { readonly type: 'removed'; readonly tx: string; readonly reason: RemovalReason };

export interface EntryJson {
  readonly at: number;
  readonly tip?: PlaceJson;
  readonly event: NodeEventJson;
}

export interface JournalCodec {
  readonly format: (timed: TimedEvent) => string;
  readonly parse: (entry: string) => TimedEvent;
}

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

const parseEntry = ({ at, tip, event }: EntryJson, reading: EventReading): TimedEvent => ({
  at,
  tip: tip && parsePlace(tip),
  event: parseNodeEvent(event, reading),
});

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

function parseNodeEvent(event: NodeEventJson, reading: EventReading): LoggedEvent {
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
      const past = history.map((entry) => parseEntry(entry, reading));
      return { ...rest, history: past, ...(missed && { missed: parseMissed(missed, network) }) };
    }
    case 'wallet':
      return { ...event, event: parseWalletEvent(event.event, reading) };
    default:
      return event;
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
