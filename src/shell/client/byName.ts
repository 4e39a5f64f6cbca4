const METHOD = /^[a-z][a-z0-9.]*$/;

/**
 * Adds every method of a node as a function of arguments by position. The names are only in the types: a client in a
 * browser need not load what answers them.
 */
export function withMethods<T extends object>(
  client: T,
  call: (method: string, params: readonly unknown[]) => unknown,
): T & Readonly<Record<string, (...params: readonly unknown[]) => unknown>> {
  return new Proxy(client, {
    get: (_, name) => {
      // Other names are those that JavaScript looks for, such as `toJSON`. One with `then` would be a promise to `await`.
      if (name in client || typeof name === 'symbol' || name === 'then' || !METHOD.test(name)) {
        return Reflect.get(client, name);
      }
      return (...params: readonly unknown[]) => call(name, params);
    },
  }) as T & Readonly<Record<string, (...params: readonly unknown[]) => unknown>>;
}
