import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { hasPrivateKeys } from '../../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { parseSilentPaymentDescriptor } from '../../../core/descriptors/silentPayments.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import type { AccountKeys } from '../../../kit/account/accountPsbt.ts';
import { labelsUpTo, silentPaymentParts } from '../../../kit/account/silentOwner.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { namedSource, type WalletFile } from '../../../kit/account/walletFiles/walletFile.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { readCodeFile } from './codeFiles.ts';
import { explainWallet } from './contentText.ts';

const shownName = (path: string): string => `--descriptors-file: ${shownPath(path)}`;

async function readBytes(path: string, { network }: RpcContext, io: Io): Promise<Uint8Array> {
  const content = await readNamedInput('--descriptors-file', path, io);
  return readCodeFile(shownName(path), content, network.name);
}

/** Descriptors, or the wallet of silent payments of an `sp()` descriptor. */
export interface OwnWallet extends Pick<AccountKeys, 'descriptors' | 'sources' | 'receiver' | 'others'> {
  readonly hasPrivateKeys: boolean;
}

/** Reads the wallet of the user, `sp()` included. Quotes no key in errors. */
export async function readOwnWallet(path: string, context: CommandContext, io: Io): Promise<OwnWallet> {
  const content = await readBytes(path, context, io);
  const lines = new TextDecoder().decode(content).trim().split('\n');
  const [silent, ...more] = lines.filter((line) => line.trim().startsWith('sp('));
  if (silent === undefined) {
    const { descriptors, name, gapLimit } = walletIn(path, content, context);
    const sources = descriptors.map(() => ({ ...namedSource(name), ...(gapLimit !== undefined && { gapLimit }) }));
    return { descriptors, sources, hasPrivateKeys: descriptors.some(hasPrivateKeys) };
  }
  if (more.length > 0) throw new UsageError(`${shownName(path)}: it has ${1 + more.length} sp() descriptors: give one`);
  const { network, ecc } = context;
  const parts = withUsageErrors(
    () => {
      const { annotations, ...keys } = parseSilentPaymentDescriptor(silent.trim(), network, ecc);
      return silentPaymentParts(keys, { labels: labelsUpTo(annotations.maxLabel), ecc });
    },
    (reason) => `${shownName(path)}: ${reason}`,
  );
  const others = lines.filter((line) => line !== silent && line.trim() !== '').join('\n');
  const descriptors = others === '' ? [] : descriptorsIn(path, new TextEncoder().encode(others), context);
  return { descriptors, ...parts, hasPrivateKeys: parts.others !== undefined || descriptors.some(hasPrivateKeys) };
}

/** Reads descriptors other than `sp()`, which has no addresses that sign. Quotes no key in errors. */
export async function readDescriptors(path: string, context: RpcContext, io: Io): Promise<readonly Descriptor[]> {
  return descriptorsIn(path, await readBytes(path, context, io), context);
}

const descriptorsIn = (path: string, content: Uint8Array, context: RpcContext): readonly Descriptor[] =>
  walletIn(path, content, context).descriptors;

function walletIn(path: string, content: Uint8Array, { network, ecc }: RpcContext): WalletFile {
  const file = { name: shownName(path), content };
  return explainWallet(file, network, () => parseWalletFile(content, { network, ecc }));
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
