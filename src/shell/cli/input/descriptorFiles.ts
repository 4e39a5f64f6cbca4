import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { readCodeFile } from './codeFiles.ts';
import { explainWallet } from './contentText.ts';

const LOOKED_AT = 100;

const shownName = (path: string): string => `--descriptors-file: ${shownPath(path)}`;

async function readBytes(path: string, { network }: RpcContext, io: Io): Promise<Uint8Array> {
  const content = await readNamedInput('--descriptors-file', path, io);
  return readCodeFile(shownName(path), content, network.name);
}

/** Quotes no key in errors. */
export async function readDescriptors(path: string, context: RpcContext, io: Io): Promise<readonly Descriptor[]> {
  return descriptorsIn(path, await readBytes(path, context, io), context);
}

function descriptorsIn(path: string, content: Uint8Array, { network, ecc }: RpcContext): readonly Descriptor[] {
  if (new TextDecoder().decode(content.subarray(0, LOOKED_AT)).trimStart().startsWith('sp(')) {
    throw new UsageError(
      `${shownName(path)} is an sp() descriptor, which only "addresses" and "coins" take: sign with the seed words`,
    );
  }
  const file = { name: shownName(path), content };
  return explainWallet(file, network, () => parseWalletFile(content, { network, ecc }).descriptors);
}

/** Begins a descriptor, which the method itself judges. */
const DESCRIPTOR = /^[a-z]+\(/;

/** Reads a JSON array, one descriptor per line, or a wallet file. Quotes no content in errors. */
export async function readDescriptorArgument(path: string, context: RpcContext, io: Io): Promise<JsonValue> {
  const bytes = await readBytes(path, context, io);
  const text = new TextDecoder().decode(bytes).trim();
  // An extended key may begin with its origin in brackets.
  if (/^\[\s*["{\]]/.test(text)) return jsonArray(text, path);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const strings = lines.every((line) => DESCRIPTOR.test(line))
    ? lines
    : descriptorsIn(path, bytes, context).map((descriptor) =>
        formatDescriptor(descriptor, context.network, { isPrivate: true }),
      );
  return toJsonValue(strings);
}

function jsonArray(text: string, path: string): JsonValue {
  const value = parseJson(text);
  if (value?.type === 'array') return value;
  throw new UsageError(`${shownName(path)} does not hold a JSON array of descriptors`);
}
