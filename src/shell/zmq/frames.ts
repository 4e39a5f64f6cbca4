import { bytesKey, concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';

// The bytes of ZMTP 3.1 with the NULL mechanism. @see https://rfc.zeromq.org/spec/37/

export const GREETING_SIZE = 64;
const SIGNATURE_SIZE = 10;
const MAJOR_AT = 10;
const MECHANISM_AT = 12;
const MECHANISM = encodeUtf8('NULL'.padEnd(20, '\0'));

/** The first bytes of a connection, in both directions. */
export function encodeGreeting(): Uint8Array {
  const greeting = new Uint8Array(GREETING_SIZE);
  greeting[0] = 0xff;
  greeting[SIGNATURE_SIZE - 1] = 0x7f;
  greeting.set([3, 1], MAJOR_AT);
  greeting.set(MECHANISM, MECHANISM_AT);
  return greeting;
}

/** Tells what is wrong with a greeting, as far as it has come; `undefined` for nothing so far. */
export function greetingFault(start: Uint8Array): string | undefined {
  const [first = 0xff] = start;
  const { [SIGNATURE_SIZE - 1]: last = 0x7f, [MAJOR_AT]: major = 3 } = start;
  if (first !== 0xff || (last & 1) === 0) return 'it does not speak ZMTP';
  if (major < 3) return `it speaks version ${major} of ZMTP, not 3`;
  const named = start.subarray(MECHANISM_AT, MECHANISM_AT + MECHANISM.length);
  return equalBytes(named, MECHANISM.subarray(0, named.length)) ? undefined : 'it asks for a login, and there is none';
}

/** A part of a message, or a command. */
export interface Frame {
  readonly isCommand: boolean;
  /** More parts of the message follow. */
  readonly hasMore: boolean;
  readonly body: Uint8Array;
}

const MORE = 1;
const LONG = 2;
const COMMAND = 4;
const SHORT_HEADER = 2;
const LONG_HEADER = 9;
const LONGEST_SHORT = 0xff;

/** In bytes: a subscriber sends nothing longer than the names of topics and its own properties. */
export const LONGEST_FRAME = 4096;

type Decoded = { readonly frame: Frame; readonly size: number } | { readonly fault: string };

/** Reads the first frame; `undefined` if it has not come whole. */
export function decodeFrame(bytes: Uint8Array): Decoded | undefined {
  const [flags] = bytes;
  if (flags === undefined) return undefined;
  if (flags > (MORE | LONG | COMMAND) || (flags & (MORE | COMMAND)) === (MORE | COMMAND)) {
    return { fault: 'a frame has flags that do not exist' };
  }
  const header = flags & LONG ? LONG_HEADER : SHORT_HEADER;
  if (bytes.length < header) return undefined;
  const length = bytes.subarray(1, header).reduce((sum, byte) => sum * 0x100 + byte, 0);
  if (length > LONGEST_FRAME) return { fault: `a frame is longer than ${LONGEST_FRAME} bytes` };
  const size = header + length;
  if (bytes.length < size) return undefined;
  const body = bytes.slice(header, size);
  return { frame: { isCommand: (flags & COMMAND) !== 0, hasMore: (flags & MORE) !== 0, body }, size };
}

export function encodeFrame({ isCommand, hasMore, body }: Frame): Uint8Array {
  const isLong = body.length > LONGEST_SHORT;
  const bytes = new Uint8Array((isLong ? LONG_HEADER : SHORT_HEADER) + body.length);
  bytes[0] = (hasMore ? MORE : 0) | (isLong ? LONG : 0) | (isCommand ? COMMAND : 0);
  if (isLong) new DataView(bytes.buffer).setBigUint64(1, BigInt(body.length));
  else bytes[1] = body.length;
  bytes.set(body, bytes.length - body.length);
  return bytes;
}

export const encodeMessage = (parts: readonly Uint8Array[]): Uint8Array =>
  concatBytes(...parts.map((body, i) => encodeFrame({ isCommand: false, hasMore: i + 1 < parts.length, body })));

export const encodeCommand = (name: string, data: Uint8Array): Uint8Array =>
  encodeFrame({ isCommand: true, hasMore: false, body: concatBytes(sized(encodeUtf8(name)), data) });

const sized = (name: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(name.length), name);

export interface Command {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Returns `undefined` for a name that is not whole, or not one. */
export function readCommand(body: Uint8Array): Command | undefined {
  const [length = 0] = body;
  const end = 1 + length;
  if (length === 0 || body.length < end) return undefined;
  return { name: bytesKey(body, 1, end), data: body.slice(end) };
}

export function encodeProperty(name: string, value: string): Uint8Array {
  const bytes = encodeUtf8(value);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return concatBytes(sized(encodeUtf8(name)), length, bytes);
}

/** Reads the properties of a READY command, by names in lower case; `undefined` if they are malformed. */
export function readProperties(data: Uint8Array): ReadonlyMap<string, string> | undefined {
  const properties = new Map<string, string>();
  for (let rest = data; rest.length > 0; ) {
    const read = readCommand(rest);
    if (!read || read.data.length < 4) return undefined;
    const { buffer, byteOffset } = read.data;
    const end = 4 + new DataView(buffer, byteOffset).getUint32(0);
    if (read.data.length < end) return undefined;
    properties.set(read.name.toLowerCase(), bytesKey(read.data, 4, end));
    rest = read.data.slice(end);
  }
  return properties;
}
