/** Node and Bun call this method to print an object. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');
const SHOWN: PropertyDescriptor = { value: (): string => '[secret]' };

/**
 * Keeps secret bytes out of logs: returns the same array, which `util.inspect`, JSON and `String` now show as
 * `[secret]`. Copies and clones are ordinary arrays, so objects hold it by {@link withSecretKey}.
 */
export function concealed(bytes: Uint8Array): Uint8Array {
  return Object.defineProperties(bytes, { [INSPECT]: SHOWN, toJSON: SHOWN, toString: SHOWN });
}

/** Adds a private key that spreads, JSON and clones leave out. Copies an array that is not concealed yet. */
export function withSecretKey<T extends object>(
  fields: T,
  secretKey: Uint8Array,
): T & { readonly secretKey: Uint8Array } {
  const value = Object.hasOwn(secretKey, INSPECT) ? secretKey : concealed(new Uint8Array(secretKey));
  // Explicit, since a spread into `fields` may have made it enumerable.
  return Object.defineProperty(fields, 'secretKey', { value, enumerable: false }) as never;
}
