import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import type { HolderParts } from '../../../core/holder/holder.ts';
import { holdsOfFile } from '../../../kit/account/accountWalletFile.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import type { WalletFile } from '../../../kit/account/walletFiles/walletFile.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { readCodeFile } from './codeFiles.ts';
import { explainWallet } from './contentText.ts';

const shownName = (path: string): string => `--descriptors-file: ${shownPath(path)}`;

async function readBytes(path: string, { network }: RpcContext, io: Io): Promise<Uint8Array> {
  const content = await readNamedInput('--descriptors-file', path, io);
  return readCodeFile(shownName(path), content, network.name);
}

/** Wallets, of silent payments if there is an `sp()` descriptor, and the private keys in their files. */
export type OwnWallets = Required<Pick<HolderParts, 'wallets' | 'keys'>> & Pick<HolderParts, 'silent'>;

/** Reads the wallets of the user, `sp()` included: several for a migration. Quotes no key in errors. */
export async function readOwnWallets(paths: readonly string[], context: CommandContext, io: Io): Promise<OwnWallets> {
  const own = await readEach(paths, (path) => readOwnWallet(path, context, io));
  const silent = own.flatMap((wallet) => wallet.silent ?? []);
  return {
    wallets: own.flatMap(({ wallets }) => wallets),
    keys: own.flatMap(({ keys }) => keys),
    ...(silent.length > 0 && { silent }),
  };
}

async function readEach<T>(paths: readonly string[], read: (path: string) => Promise<T>): Promise<readonly T[]> {
  if (paths.filter((path) => path === '-').length > 1) throw new UsageError('standard input can be read only once');
  const contents: T[] = [];
  for (const path of paths) contents.push(await read(path));
  return contents;
}

async function readOwnWallet(path: string, context: CommandContext, io: Io): Promise<OwnWallets> {
  const file = walletIn(path, await readBytes(path, context, io), context);
  return holdsOfFile(file, context);
}

/** Reads descriptors other than `sp()`, which has no addresses that sign. Quotes no key in errors. */
export async function readDescriptors(
  paths: readonly string[],
  context: RpcContext,
  io: Io,
): Promise<readonly Descriptor[]> {
  const read = async (path: string) => descriptorsIn(path, await readBytes(path, context, io), context);
  return (await readEach(paths, read)).flat();
}

const descriptorsIn = (path: string, content: Uint8Array, context: RpcContext): readonly Descriptor[] =>
  walletIn(path, content, context).descriptors;

function walletIn(path: string, content: Uint8Array, { network, ecc }: RpcContext): WalletFile {
  const file = { name: shownName(path), content };
  return explainWallet(file, network, () => parseWalletFile(content, { network, ecc }));
}

/** Begins a descriptor, which the method itself judges. */
const DESCRIPTOR = /^[a-z]+\(/;

/** Reads files with a JSON array, one descriptor per line, or a wallet. Quotes no content in errors. */
export async function readDescriptorArgument(
  paths: readonly string[],
  context: RpcContext,
  io: Io,
): Promise<JsonValue> {
  const items = (await readEach(paths, (path) => readDescriptorItems(path, context, io))).flat();
  return { type: 'array', items };
}

async function readDescriptorItems(path: string, context: RpcContext, io: Io): Promise<readonly JsonValue[]> {
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
  return strings.map((value) => ({ type: 'string', value }));
}

function jsonArray(text: string, path: string): readonly JsonValue[] {
  const value = parseJson(text);
  if (value?.type === 'array') return value.items;
  throw new UsageError(`${shownName(path)} does not hold a JSON array of descriptors`);
}
