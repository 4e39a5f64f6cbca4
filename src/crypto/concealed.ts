/** Node's and Bun's name for the method that prints an object. */
const INSPECT = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');
const SHOWN: PropertyDescriptor = { value: (): string => '[secret]' };

/**
 * Keeps secret bytes out of logs: the same array, but `util.inspect`, `console.log`, `JSON.stringify` and `String` show
 * `[secret]` for it, wherever it is held. Copies, and structured clones, are ordinary arrays.
 */
export function concealed(bytes: Uint8Array): Uint8Array {
  return Object.defineProperties(bytes, { [INSPECT]: SHOWN, toJSON: SHOWN, toString: SHOWN });
}
