import { parseBytesKey } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';

export const FORMATS = ['bin', 'hex', 'json'] as const;
/** The form of an answer, which ends the path of its request. */
export type Format = (typeof FORMATS)[number];

/** A reply of REST, before it becomes one of HTTP. */
export interface RestReply {
  readonly status: number;
  readonly type: 'text/plain' | 'application/json' | 'application/octet-stream';
  readonly body: string | Uint8Array;
  /** No later block changes it. */
  readonly isLasting?: boolean;
}

/** Repeats the bytes of the request in the text. @see Bitcoin Core `RESTERR` */
const fault = (status: number, text: string): RestReply => ({
  status,
  type: 'text/plain',
  body: parseBytesKey(`${text}\r\n`),
});

export const badRequest = (text: string): RestReply => fault(400, text);

export const notFound = (text: string): RestReply => fault(404, text);

/** The forms of an answer. */
interface Content {
  readonly bytes?: () => Uint8Array;
  /** Default: that of the bytes. */
  readonly hex?: () => string;
  readonly json: () => string;
  /** The forms that no later block changes. */
  readonly lasting?: readonly Format[];
}

const unknownFormat = (available: string): RestReply => notFound(`output format not found (available: ${available})`);

export function inFormat(format: Format | undefined, { bytes, hex, json, lasting = [] }: Content): RestReply {
  if (!bytes && format !== 'json') return unknownFormat('json');
  if (!bytes || format === 'json') {
    return { status: 200, type: 'application/json', body: `${json()}\n`, isLasting: lasting.includes('json') };
  }
  switch (format) {
    case 'bin':
      return { status: 200, type: 'application/octet-stream', body: bytes(), isLasting: lasting.includes('bin') };
    case 'hex': {
      const body = `${hex ? hex() : formatHex(bytes())}\n`;
      return { status: 200, type: 'text/plain', body, isLasting: lasting.includes('hex') };
    }
    case undefined:
      return unknownFormat(FORMATS.map((name) => `.${name}`).join(', '));
    default:
      return format satisfies never;
  }
}
