import { assertText } from '../../core/bytes/assertText.ts';
import { parseJsonObject } from '../../core/encoding/stringInJson.ts';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { coinType } from '../../core/holder/accounts.ts';
import { HARDENED, parsePath } from '../../core/keys/path.ts';
import { type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';

/** The kinds of address of one key, and the purposes of their paths. @see BIP44, BIP49, BIP84, BIP86 */
const PURPOSES = { p2pkh: 44, 'p2sh-p2wpkh': 49, p2wpkh: 84, p2tr: 86 } as const;
const KINDS = Object.keys(PURPOSES) as readonly SingleKeyAddress[];

/** A kind of address that one key has. */
export type SingleKeyAddress = keyof typeof PURPOSES;

/** What a wallet asks a signer to sign. */
export interface MessageRequest {
  readonly message: string;
  /** From the master key to the key of the address. */
  readonly path: readonly number[];
  readonly kind: SingleKeyAddress;
}

/** In characters. */
const LONGEST = 1_000_000;

/**
 * Reads what a wallet asks a signer to sign: Coldcard's lines of message, path and kind of address, its JSON with `msg`,
 * `subpath` and `addr_fmt`, or the line `signmessage PATH ascii:MESSAGE` of Specter. Sparrow writes the first and the last. As
 * for Coldcard, the path says the kind where none is named, and a request without a path is for the first address of account 0.
 * @throws `message/request`, `network/unknown`
 *
 * @example
 * ```ts
 * import { formatPath } from 'countersign';
 * import { parseMessageRequest } from 'countersign/message';
 *
 * const { message, path, kind } = parseMessageRequest('hello\nm/84h/0h/0h/0/5\np2wpkh\n');
 * `${kind} ${formatPath(path)}: ${message}`; // p2wpkh /84h/0h/0h/0/5: hello
 * ```
 */
export function parseMessageRequest(text: string, on: NetworkOption = 'main'): MessageRequest {
  assertText('request', text);
  const network = resolveNetwork(on);
  if (text.length > LONGEST) throw noRequest('is too long');
  const { message, path = '', kind: named = '' } = readQrLine(text) ?? readJson(text) ?? readLines(text);
  const steps = path === '' ? undefined : unlessRefused(() => parsePath(path.toLowerCase()));
  if (path !== '' && !steps) throw noRequest('has no path such as m/84h/0h/0h/0/0 in its second line, or as subpath');
  const kind = named === '' ? kindOf(steps) : KINDS.find((each) => each === named.toLowerCase());
  if (kind === undefined) throw noRequest(`names no kind of address, which is one of ${KINDS.join(', ')}`);
  const account = [PURPOSES[kind], coinType(network), 0].map((step) => step + HARDENED);
  return { message, path: steps ?? [...account, 0, 0], kind };
}

const kindOf = (path: readonly number[] = []): SingleKeyAddress =>
  KINDS.find((kind) => path[0] === PURPOSES[kind] + HARDENED) ?? 'p2pkh';

interface Parts {
  readonly message: string;
  readonly path?: string;
  readonly kind?: string;
}

function readQrLine(text: string): Parts | undefined {
  const [, path, message] = /^signmessage (\S+) ascii:(.*)$/s.exec(withoutLastBreak(text)) ?? [];
  return path === undefined || message === undefined ? undefined : { path, message };
}

function readJson(text: string): Parts | undefined {
  const json = parseJsonObject(text);
  if (typeof json !== 'object' || json === null) return undefined;
  const { msg, subpath = '', addr_fmt: kind = '' } = json as Readonly<Record<string, unknown>>;
  if (typeof msg !== 'string' || typeof subpath !== 'string' || typeof kind !== 'string') {
    throw noRequest('lacks a text named msg, or has a subpath or addr_fmt that is not a text');
  }
  return { message: msg, path: subpath, kind };
}

function readLines(text: string): Parts {
  const [message = '', path = '', kind = '', ...more] = withoutLastBreak(text).split(/\r?\n/);
  if (more.some((line) => line.trim() !== '')) {
    throw noRequest('has more than three lines: a message with line breaks needs the form of JSON');
  }
  if (message === '') throw noRequest('has no message in its first line');
  return { message, path: path.trim(), kind: kind.trim() };
}

const withoutLastBreak = (text: string): string => text.replace(/\r?\n$/, '');

const noRequest = (reason: string): BtcError =>
  new BtcError('message/request', { reason }, `The request to sign a message ${reason}`);
