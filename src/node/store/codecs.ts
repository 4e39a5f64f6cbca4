import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import type { RecordCodec } from './tables.ts';

/** A codec of records of which only the keys count. */
export const flagCodec: RecordCodec<true> = { encode: () => new Uint8Array(0), decode: () => true };

export const bytesCodec: RecordCodec<Uint8Array> = { encode: (bytes) => bytes, decode: (bytes) => bytes };

/** Makes a codec of records whose values are JSON texts in ASCII. */
export const jsonCodec = <T, J>(toJson: (value: T) => J, fromJson: (json: J) => NoInfer<T>): RecordCodec<T> => ({
  encode: (value) => parseBytesKey(formatJson(toJson(value))),
  decode: (bytes) => fromJson(JSON.parse(bytesKey(bytes)) as J),
});

/** A codec of values that are JSON already. */
export const plainCodec = <T>(): RecordCodec<T> =>
  jsonCodec<T, T>(
    (value) => value,
    (json) => json as NoInfer<T>,
  );

/** Escapes non-ASCII letters, which occur only in strings. */
export const formatJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
