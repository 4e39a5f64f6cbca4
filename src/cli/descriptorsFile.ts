import { withoutSecrets } from '../encoding/redaction.ts';
import type { JsonValue } from '../rpc/json/jsonValue.ts';
import { parseJson } from '../rpc/json/parseJson.ts';
import { readNamedFile } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';

/**
 * Reads descriptors from a file: a JSON array as `descriptorprocesspsbt` takes it, or one descriptor per line.
 * @throws UsageError, which never quotes the file's content
 */
export async function readDescriptors(path: string, io: Io): Promise<JsonValue> {
  const text = new TextDecoder().decode(await readNamedFile('--descriptors-file', path, io)).trim();
  if (!text.startsWith('[')) {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return { type: 'array', items: lines.map((value) => ({ type: 'string', value })) };
  }
  const value = parseJson(text);
  if (value?.type !== 'array')
    throw new UsageError(`--descriptors-file: ${withoutSecrets(path)} does not hold a JSON array of descriptors`);
  return value;
}
