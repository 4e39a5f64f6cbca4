/** Node and Bun call this method to print an object. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');
const SHOWN: PropertyDescriptor = { value: (): string => '[secret]' };

/**
 * Keeps secret bytes out of logs: the same array now prints as `[secret]`. Copies and clones do not; hence {@link
 * withSecretKey}.
 */
export function concealed(bytes: Uint8Array): Uint8Array {
  return Object.defineProperties(bytes, { [INSPECT]: SHOWN, toJSON: SHOWN, toString: SHOWN });
}

/** Adds a private key that spreads, JSON and clones leave out, without changing the caller's array. */
export function withSecretKey<T extends object>(
  fields: T,
  secretKey: Uint8Array,
): T & { readonly secretKey: Uint8Array } {
  const value = Object.hasOwn(secretKey, INSPECT) ? secretKey : concealed(new Uint8Array(secretKey));
  // Explicit: a `fields` spread from a caller's object may have an enumerable one.
  return Object.defineProperty(fields, 'secretKey', { value, enumerable: false }) as never;
}
