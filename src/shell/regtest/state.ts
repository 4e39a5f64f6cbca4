import { formatBase64, parseBase64 } from '../../core/bytes/base64.ts';
import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import type { OutpointKey } from '../../core/tx/types.ts';
import { ownerOf } from '../../node/state/owner.ts';
import type { Faucet } from './faucet.ts';
import type { RandomPosition } from './random.ts';
import type { Records } from './rewindableStore.ts';

/** What a chain returns to, from a snapshot or a text. */
export interface State {
  readonly records: Records;
  /** UNIX time of the chain's own clock. */
  readonly time: number;
  /** The time that `setmocktime` has set. */
  readonly mockTime: number | undefined;
  readonly faucet: Pick<Faucet, 'number' | 'coins'>;
  readonly random: RandomPosition;
}

const FORMAT = 'countersign regtest';
const VERSION = 1;

/** Writes a state as JSON, with a sum that tells whether it was damaged. */
export function formatState(state: State): string {
  const content = JSON.stringify({ format: FORMAT, version: VERSION, ...toJson(state) });
  return `${content.slice(0, -1)},"sum":"${sumOf(content)}"}`;
}

/** @throws BtcError `regtest/state` unless a release of this format wrote the text, for a node of this dialect */
export function parseState(text: string, dialect: string): State {
  const { sum, ...content } = unlessDamaged(() => readObject(JSON.parse(text)));
  const { format, version } = content;
  if (format !== FORMAT) {
    throw new BtcError('regtest/state', { reason: 'format' }, 'The text is not a state of a regtest that dump wrote');
  }
  if (typeof version === 'number' && version > VERSION) {
    const message = `The state has version ${version}, and this release reads none above ${VERSION}: update countersign`;
    throw new BtcError('regtest/state', { reason: 'version', version }, message);
  }
  if (version !== VERSION || sum !== sumOf(JSON.stringify(content))) throw damagedState();
  const state = unlessDamaged(() => fromJson(content));
  assertDialect(state.records, dialect);
  return state;
}

export const damagedState = (): BtcError =>
  new BtcError('regtest/state', { reason: 'damaged' }, 'The state is damaged: take a copy of it, or start without it');

function unlessDamaged<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw damagedState();
  }
}

const toJson = ({ time, mockTime, random, faucet, records }: State): Readonly<Record<keyof State, unknown>> => ({
  time,
  mockTime: mockTime ?? null,
  random: { seed: random.seed, draws: random.draws },
  faucet: { number: faucet.number, coins: faucet.coins.map(formatKey) },
  records: records.map(([key, value]) => [formatKey(key), formatBase64(value)]),
});

function fromJson(json: Readonly<Record<string, unknown>>): State {
  const { time, mockTime, random, faucet, records } = json;
  const { seed, draws } = readObject(random);
  const { number, coins } = readObject(faucet);
  return {
    time: readNumber(time),
    mockTime: mockTime === null ? undefined : readCount(mockTime),
    random: { seed: readText(seed), draws: readCount(draws) },
    faucet: {
      number: readCount(number),
      coins: readList(coins).map((coin) => parseKey(coin) as OutpointKey),
    },
    records: readList(records).map((pair) => {
      const [key, value] = readList(pair);
      return [parseKey(key), parseBase64(readText(value))];
    }),
  };
}

/** Hashes the text of a state without its sum. */
const sumOf = (content: string): string => formatHex(sha256(encodeUtf8(content)));

function assertDialect(records: Records, dialect: string): void {
  const byKey = new Map(records);
  const rules = unlessDamaged(() => readText(ownerOf(byKey)?.rules));
  if (rules === dialect) return;
  const message = `The state is of a node that answers as ${withoutSecrets(rules)}, not ${dialect}: start one of that dialect`;
  throw new BtcError('regtest/state', { reason: 'dialect', dialect: rules }, message);
}

const formatKey = (key: string): string => formatBase64(parseBytesKey(key));
const parseKey = (json: unknown): string => bytesKey(parseBase64(readText(json)));

function readObject(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  throw damagedState();
}

function readList(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw damagedState();
}

function readText(json: unknown): string {
  if (typeof json === 'string') return json;
  throw damagedState();
}

function readNumber(json: unknown): number {
  if (typeof json === 'number' && json >= 0) return json;
  throw damagedState();
}

function readCount(json: unknown): number {
  if (Number.isSafeInteger(json)) return readNumber(json);
  throw damagedState();
}
