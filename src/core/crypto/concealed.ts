/** The method that Node and Bun call to print an object. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');
const SHOWN: PropertyDescriptor = { value: (): string => '[secret]' };

/**
 * Keeps secret bytes out of logs: returns the same array, which `util.inspect`, `console.log`, `JSON.stringify` and
 * `String` now show as `[secret]`, wherever it is nested. Its copies and structured clones are ordinary arrays, so
 * objects hold it as a property defined by {@link withSecretKey}.
 */
export function concealed(bytes: Uint8Array): Uint8Array {
  return Object.defineProperties(bytes, { [INSPECT]: SHOWN, toJSON: SHOWN, toString: SHOWN });
}

/**
 * Adds a private key to a new object as a property that spreads, JSON and structured clones leave out. Copies an array
 * that is not concealed yet, so that a caller's own array stays as it is.
 */
export function withSecretKey<T extends object>(
  fields: T,
  secretKey: Uint8Array,
): T & { readonly secretKey: Uint8Array } {
  const value = Object.hasOwn(secretKey, INSPECT) ? secretKey : concealed(new Uint8Array(secretKey));
  // `enumerable` is explicit: if `fields` came from a spread of a caller's object, the property may be enumerable.
  return Object.defineProperty(fields, 'secretKey', { value, enumerable: false }) as never;
}
