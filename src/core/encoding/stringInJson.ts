const memberNamed = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isJson = (text: string): boolean => parsed(text) !== undefined;

/**
 * Finds a string in JSON that a program printed: the first member of these names, in the object itself or in the
 * `result` of a JSON-RPC answer, or else a `result` that is a string.
 */
export function stringInJson(text: string, names: readonly string[]): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const value = parsed(text);
  const result = memberNamed(value, 'result');
  const members = [value, result].flatMap((object) => names.map((name) => memberNamed(object, name)));
  return [...members, result].find((member) => typeof member === 'string');
}
