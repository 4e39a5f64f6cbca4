import { assertShape } from './knownOptions.ts';

/** Tells bytes, also those of another realm, such as a frame or a test's sandbox. */
export const isBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array || (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === BYTES);

const BYTES = '[object Uint8Array]';

/** Refuses a text, such as the hex of a JSON answer, in the place of bytes. @throws `argument/invalid` */
export function assertBytes(argument: string, value: unknown): void {
  assertShape(argument, isBytes(value), 'a Uint8Array: use parseHex');
}
