/** Node's and Bun's name for the method that prints an object. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');
const SHOWN: PropertyDescriptor = { value: (): string => '[secret]' };

/**
 * Keeps secret bytes out of logs: the same array, but `util.inspect`, `console.log`, `JSON.stringify` and `String` show
 * `[secret]` for it, wherever it is held. Copies, and structured clones, are ordinary arrays: objects hold it with
 * {@link withSecretKey}.
 */
export function concealed(bytes: Uint8Array): Uint8Array {
  return Object.defineProperties(bytes, { [INSPECT]: SHOWN, toJSON: SHOWN, toString: SHOWN });
}

/**
 * Adds a private key to the members of a new object, of which spreads, JSON and structured clones leave it out. Bytes of
 * a caller's own are copied, whose array stays as it is.
 */
export function withSecretKey<T extends object>(
  fields: T,
  secretKey: Uint8Array,
): T & { readonly secretKey: Uint8Array } {
  const value = Object.hasOwn(secretKey, INSPECT) ? secretKey : concealed(new Uint8Array(secretKey));
  // Said outright, as a spread of a caller's own object has made it enumerable.
  return Object.defineProperty(fields, 'secretKey', { value, enumerable: false }) as never;
}
