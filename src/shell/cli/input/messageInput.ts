import type { Network } from '../../../core/network/networks.ts';
import { parseMessageRequest, type SingleKeyAddress } from '../../../kit/message/messageRequest.ts';
import { parseSignedMessage, type SignedMessageFile } from '../../../kit/message/signedMessageFile.ts';
import { open } from '../../../kit/open/open.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { decodeUtf8 } from '../../terminal/lines.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandLine } from '../options.ts';
import { contentText } from './contentText.ts';
import type { KeyValues } from './secretFiles.ts';

export interface MessageLine extends CommandLine, KeyValues {
  readonly prevtxsFile: string | undefined;
  readonly descriptorsFile: readonly string[];
  readonly messageFile: string | undefined;
  readonly path: string | undefined;
  readonly legacy: boolean;
  readonly bip322: boolean;
  readonly armor: boolean;
  readonly noPrefix: boolean;
}

/** A message to sign, and the address that signs it, or where the key of that address lies. */
export type ToSign = { readonly message: string } & (
  | { readonly address: string }
  | { readonly path: readonly number[]; readonly kind: SingleKeyAddress }
);

/** Takes ADDRESS and MESSAGE, or the file of a request in their place. */
export async function readToSign(line: MessageLine, network: Network, io: Io): Promise<ToSign> {
  const { args, file, path } = line;
  if (file === undefined) {
    const [address = '', message = ''] = await readArguments(line, ['ADDRESS', 'MESSAGE'], io);
    return { address, message };
  }
  if (args.length > 0 || line.messageFile !== undefined) {
    throw new UsageError(
      'signmessage takes the request of --file or arguments, not both; --message-file reads a message',
    );
  }
  if (path !== undefined) throw new UsageError('--path does not apply to a request, which names its own');
  const text = await readText('--file', file, io);
  const request = withUsageErrors(
    () => parseMessageRequest(text, network),
    (reason) => `--file: ${reason}`,
  );
  assertPublic('--file', request.message);
  return request;
}

/** Takes ADDRESS, SIGNATURE and MESSAGE, or the file of a signed message in their place. */
export async function readToVerify(line: MessageLine, io: Io): Promise<SignedMessageFile> {
  const { args, file } = line;
  if (file === undefined) {
    const [address = '', signature = '', message = ''] = await readArguments(
      line,
      ['ADDRESS', 'SIGNATURE', 'MESSAGE'],
      io,
    );
    return { address, signature, message };
  }
  if (args.length > 0 || line.messageFile !== undefined) {
    throw new UsageError('verifymessage takes the signed message of --file or arguments, not both');
  }
  const text = await readText('--file', file, io);
  return withUsageErrors(() => parseSignedMessage(text));
}

/** The last argument may be in a file. */
async function readArguments(line: MessageLine, names: readonly string[], io: Io): Promise<readonly string[]> {
  const { command = '', args, messageFile } = line;
  const isInFile = messageFile !== undefined;
  const expected = isInFile ? names.slice(0, -1) : names;
  if (args.length !== expected.length) {
    const form = line.bip322 ? '--bip322' : '--legacy';
    const more = isInFile ? ' with --message-file' : ', or --message-file for the message';
    throw new UsageError(`${command} ${form} takes ${expected.join(' ')}${more}`);
  }
  if (!isInFile) return args;
  const text = await readText('--message-file', messageFile, io);
  const message = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  assertPublic('--message-file', message);
  return [...args, message];
}

/** Who gives the file of the seed words as that of the message would sign and show them. */
function assertPublic(option: string, message: string): void {
  const opened = open(message);
  if (opened.kind !== 'secret') return;
  throw new UsageError(`${option}: the message is not for others to read: it is ${contentText(opened)}`);
}

async function readText(option: string, path: string, io: Io): Promise<string> {
  const text = decodeUtf8(await readNamedInput(option, path, io));
  if (text === undefined) throw new UsageError(`${option}: the file is not text in UTF-8`);
  return text;
}

/** Standard input ends with the first that reads it. */
export function assertInputOnce(line: MessageLine): void {
  const { file, messageFile, prevtxsFile, seedFile, keysFile, passphraseFile, keysStdin, descriptorsFile } = line;
  const paths = [file, messageFile, prevtxsFile, seedFile, keysFile, passphraseFile, ...descriptorsFile];
  const readers = paths.filter((path) => path === '-').length + (keysStdin ? 1 : 0);
  if (readers > 1) throw new UsageError('standard input can be read only once');
}
