import { parseFixedPoint } from '../../../answers/arguments/amountArgument.ts';
import { findMember, type JsonMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { parseAddress } from '../../../core/address/address.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { parseHex } from '../../../core/bytes/hex.ts';
import { unlessRefused } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid, txid as txidOf } from '../../../core/tx/txid.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import { type Opened, open } from '../../../kit/open/open.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { type CommandLine, files } from '../options.ts';
import { contentText } from './contentText.ts';
import { type Given, readGiven } from './givenFiles.ts';

export const coinOptions = {
  'coins-file': files(
    'the coins, as JSON: what listunspent or scantxoutset of a node, an Esplora server, Electrum or "countersign coins --json" prints; may be given more than once',
  ),
  'tx-file': files(
    'the transactions that paid the coins, in hex: they prove the amounts, and without --coins-file their outputs are the coins; may be given more than once',
  ),
};
type Line = CommandLine<typeof coinOptions>;

/** A coin as other programs list it, or as an output of a given transaction. */
export interface ListedCoin {
  /** `TXID:VOUT`. */
  readonly name: string;
  /** False for an output of a transaction that no list names. */
  readonly isListed: boolean;
  readonly txid: string;
  readonly vout: number;
  /** In satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  readonly previousTransaction?: Uint8Array;
  readonly confirmations?: number;
  /** The node that lists it says that an unconfirmed coin is of its own payment. */
  readonly isSafe?: boolean;
  /** Of a coin of silent payments. */
  readonly tweak?: Uint8Array;
}

/** What the files hold. */
export interface GivenCoins {
  /** Of `--coins-file`. */
  readonly listed: readonly ListedCoin[];
  /** Unspent outputs of `--tx-file`. */
  readonly outputs: readonly ListedCoin[];
}

/** Reads the coins of a command line. @throws UsageError, without the content */
export async function readCoins(line: Line, { network }: CommandContext, io: Io): Promise<GivenCoins> {
  if ([...line.args, ...line.inputs].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input can be read only once');
  const previous = new Map<string, Previous>();
  for (const path of line.txFile) {
    const input = await readGiven(path, line, io);
    for (const each of transactionsIn(input, network)) previous.set(formatTxid(txidOf(each.tx)), each);
  }
  const listed: ListedCoin[] = [];
  for (const path of line.coinsFile) {
    const input = await readGiven(path, line, io);
    listed.push(...listedIn(input, { network, previous }));
  }
  const names = listed.map(({ name }) => name);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new UsageError(`--coins-file: the coin ${name} is listed twice`);
    seen.add(name);
  }
  return { listed, outputs: outputsOf(previous) };
}

interface Previous {
  readonly tx: Transaction;
  readonly bytes: Uint8Array;
}

/** One transaction, or one on each line. */
function transactionsIn(input: Given, network: Network): readonly Previous[] {
  const whole = open(input.content, { network });
  if (whole.kind === 'transaction') return [previousOf(whole.tx)];
  const parts = (input.text ?? '').split(/\s+/);
  return parts.map((digits, i) => {
    const opened = open(digits, { network });
    if (opened.kind === 'transaction') return previousOf(opened.tx);
    const place = i === 0 ? '' : `, transaction ${i + 1},`;
    throw new UsageError(`--tx-file: ${input.name}${place} is not a transaction in hex${otherForm(whole)}`);
  });
}

const previousOf = (tx: Transaction): Previous => ({ tx, bytes: encodeTransaction(tx) });

/** Continues that a content is not what was wanted. */
export const otherForm = (opened: Opened): string => {
  const form = contentText(opened);
  return form === undefined ? '' : `: it is ${form}`;
};

/** Lists the outputs that no other of the transactions spends. */
function outputsOf(previous: ReadonlyMap<string, Previous>): readonly ListedCoin[] {
  const spent = new Set(
    [...previous.values()].flatMap(({ tx }) =>
      tx.inputs.map(({ outpoint }) => `${formatTxid(outpoint.txid)}:${outpoint.vout}`),
    ),
  );
  return [...previous].flatMap(([txid, { tx, bytes }]) =>
    tx.outputs.flatMap(({ value, scriptPubKey }, vout) => {
      const name = `${txid}:${vout}`;
      return spent.has(name)
        ? []
        : [{ name, isListed: false, txid, vout, value, scriptPubKey, previousTransaction: bytes }];
    }),
  );
}

const LISTS = ['result', 'unspents'];

/** Finds the list itself, or in the answer of a node. */
function itemsIn(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value?.type === 'array') return value.items;
  if (value?.type !== 'object') return undefined;
  const [inner] = LISTS.flatMap((name) => findMember(value.members, name) ?? []);
  return itemsIn(inner);
}

interface Surroundings {
  readonly network: Network;
  readonly previous: ReadonlyMap<string, Previous>;
}

const KINDS = 'what listunspent or scantxoutset prints, or an Esplora server or Electrum answers';

function listedIn(input: Given, surroundings: Surroundings): readonly ListedCoin[] {
  const json = input.text === undefined ? undefined : parseJson(input.text);
  const items = itemsIn(json);
  if (!items) {
    const form = json ? ': it is other JSON' : otherForm(open(input.content, { network: surroundings.network }));
    throw new UsageError(`--coins-file: ${input.name} does not hold a JSON array of coins, ${KINDS}${form}`);
  }
  if (items.length === 0) throw new UsageError(`--coins-file: ${input.name} lists no coins`);
  const height = json?.type === 'object' ? wholeNumber(textOf(json.members, 'height')) : undefined;
  return items.map((item, i) => {
    const place = `--coins-file: ${input.name}: coin ${i + 1}`;
    if (item.type !== 'object') throw new UsageError(`${place} is not a JSON object`);
    return coinOf(item.members, place, { ...surroundings, ...(height !== undefined && { tip: height }) });
  });
}

/** A member that is a number or a text. */
function textOf(members: readonly JsonMember[], name: string): string | undefined {
  const value = findMember(members, name);
  if (value?.type === 'number') return value.text;
  return value?.type === 'string' ? value.value : undefined;
}

function flagOf(members: readonly JsonMember[], name: string): boolean | undefined {
  const value = findMember(members, name);
  return value?.type === 'bool' ? value.value : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
  const number = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return number <= 0xffff_ffff ? number : undefined;
}

/** The names under which programs write an outpoint and its amount, which say whether that is in coins or in satoshi. */
const FORMS = [
  { txid: 'txid', vout: 'vout', amount: 'amount', decimals: 8 },
  { txid: 'txid', vout: 'vout', amount: 'value', decimals: 0 },
  { txid: 'tx_hash', vout: 'tx_pos', amount: 'value', decimals: 0 },
  { txid: 'prevout_hash', vout: 'prevout_n', amount: 'value', decimals: 8 },
  { txid: 'prevout_hash', vout: 'prevout_n', amount: 'value_sats', decimals: 0 },
] as const;

function coinOf(
  members: readonly JsonMember[],
  place: string,
  { network, previous, tip }: Surroundings & { readonly tip?: number },
): ListedCoin {
  const outpoint = FORMS.find(({ txid }) => textOf(members, txid) !== undefined);
  const txid = outpoint && textOf(members, outpoint.txid)?.toLowerCase();
  const vout = outpoint && wholeNumber(textOf(members, outpoint.vout));
  if (txid === undefined || vout === undefined || !/^[0-9a-f]{64}$/.test(txid))
    throw new UsageError(`${place} needs a "txid" of 64 hex digits and a "vout"`);
  const name = `${txid}:${vout}`;
  const from = previous.get(txid);
  const paid = from?.tx.outputs[vout];
  if (from && !paid) throw new UsageError(`${place}: the transaction in --tx-file has no output ${vout}`);
  const value = amountOf(members, place, { forms: FORMS.filter((form) => form.txid === outpoint?.txid), network });
  const scriptPubKey = scriptOf(members, place, network) ?? paid?.scriptPubKey;
  if (!scriptPubKey)
    throw new UsageError(
      `${place} has neither "address" nor "scriptPubKey": add one, or give its transaction with --tx-file`,
    );
  if (paid && !(paid.value === value && equalBytes(paid.scriptPubKey, scriptPubKey)))
    throw new UsageError(`${place}: the transaction in --tx-file pays another amount, or to another address`);
  const tweak = textOf(members, 'tweak');
  return {
    ...{ name, isListed: true, txid, vout, value, scriptPubKey, ...depthOf(members, tip) },
    ...(from && { previousTransaction: from.bytes }),
    ...(tweak !== undefined && { tweak: bytesOf(tweak, `${place}: its "tweak"`) }),
  };
}

/** @throws UsageError unless there is exactly one amount */
function amountOf(
  members: readonly JsonMember[],
  place: string,
  { forms, network }: { readonly forms: readonly (typeof FORMS)[number][]; readonly network: Network },
): bigint {
  const given = forms.filter(({ amount }) => findMember(members, amount) !== undefined);
  const [form, ...others] = given;
  if (!form || others.length > 0) {
    throw new UsageError(
      `${place} needs either ${forms.map(({ amount, decimals }) => `"${amount}" in ${decimals === 0 ? 'satoshi' : 'coins'}`).join(' or ')}`,
    );
  }
  const value = parseFixedPoint(textOf(members, form.amount) ?? '', form.decimals);
  if (value !== undefined && value >= 0n && value <= network.maxMoney) return value;
  const unit =
    form.decimals === 0 ? 'a whole number of satoshi' : `a number of ${network.ticker} with at most 8 decimals`;
  throw new UsageError(`${place}: its "${form.amount}" must be ${unit}, not negative, and within the supply`);
}

function scriptOf(members: readonly JsonMember[], place: string, network: Network): Uint8Array | undefined {
  const script = textOf(members, 'scriptPubKey');
  if (script !== undefined) return bytesOf(script, `${place}: its "scriptPubKey"`);
  const address = textOf(members, 'address');
  if (address === undefined) return undefined;
  const parsed = unlessRefused(() => parseAddress(address, network));
  if (parsed) return parsed;
  throw new UsageError(`${place}: its "address" is not an address of ${network.name}`);
}

/** In hex digits. */
const LONGEST_SCRIPT = 20_000;

function bytesOf(digits: string, place: string): Uint8Array {
  if (digits.length <= LONGEST_SCRIPT && /^(?:[0-9a-f]{2})+$/i.test(digits)) return parseHex(digits);
  throw new UsageError(`${place} must be in hex`);
}

/** Heights of 0 and below are those of unconfirmed coins. */
function depthOf(
  members: readonly JsonMember[],
  tip: number | undefined,
): Pick<ListedCoin, 'confirmations' | 'isSafe'> {
  const status = findMember(members, 'status');
  const isUnconfirmed =
    (status?.type === 'object' && flagOf(status.members, 'confirmed') === false) ||
    /^(?:0|-\d+)$/.test(textOf(members, 'height') ?? '');
  const height = wholeNumber(textOf(members, 'height'));
  const known = wholeNumber(textOf(members, 'confirmations'));
  const counted = tip !== undefined && height !== undefined ? Math.max(0, tip - height + 1) : undefined;
  const confirmations = known ?? (isUnconfirmed ? 0 : counted);
  const isSafe = flagOf(members, 'safe');
  return {
    ...(confirmations !== undefined && { confirmations }),
    ...(isSafe !== undefined && { isSafe }),
  };
}
