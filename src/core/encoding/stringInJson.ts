const memberNamed = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Returns nothing for text that is not a JSON object. */
export function parseJsonObject(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Finds a string in JSON that a program printed: the first member of these names, in the object itself or in the
 * `result` of a JSON-RPC answer, or else a `result` that is a string.
 */
export function stringInJson(value: unknown, names: readonly string[]): string | undefined {
  const result = memberNamed(value, 'result');
  const members = [value, result].flatMap((object) => names.map((name) => memberNamed(object, name)));
  return [...members, result].find((member) => typeof member === 'string');
}
