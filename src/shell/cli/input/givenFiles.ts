import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { seedWordsAdvice, shownPath } from '../../../core/encoding/redaction.ts';
import type { WrittenPsbt } from '../../../core/psbt/format/psbtBytes.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { type Opened, open } from '../../../kit/open/open.ts';
import { codeForm } from '../../../kit/qr/codeForm.ts';
import { type Io, readInput } from '../../terminal/io.ts';
import { decodeUtf8 } from '../../terminal/lines.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { CommandLine, keyOptions, SomeValues } from '../options.ts';
import { readCodeFile } from './codeFiles.ts';
import { contentText, SECRET_OPTIONS } from './contentText.ts';

type Line = CommandLine & SomeValues<typeof keyOptions>;

export const FILE_WORDS = `FILE may be binary, base64, hex, or the JSON of another command or a node; "-" reads standard input. It may also be a picture
of QR codes (PNG), several of them, or the texts of codes (BBQr, UR, numbered frames, Electrum's codes).`;

export type Encoding = WrittenPsbt['encoding'];

export interface Given {
  /** Safe to show. */
  readonly name: string;
  /** Undefined for standard input and for an argument that is the content. */
  readonly path: string | undefined;
  readonly content: Uint8Array;
  /** Trimmed; `undefined` if it is not UTF-8. */
  readonly text: string | undefined;
}

export interface GivenPsbt extends Given {
  readonly psbt: Psbt;
  readonly encoding: Encoding;
}

/** Refuses seed words in the place of files, of which an error would show the first. */
export function assertNoWords({ args }: Pick<CommandLine, 'args'>): void {
  if (seedWordsAdvice(args.join(' ')) === undefined) return;
  throw new UsageError(
    'the arguments look like seed words: give them with --seed-file, and clear the history of your shell, which keeps them',
  );
}

export function fileArguments(
  line: CommandLine,
  { least = 1, most }: { readonly least?: 0 | 1 | 2; readonly most?: 1 } = {},
): readonly string[] {
  assertNoWords(line);
  const { command, args, file } = line;
  const files = file === undefined ? args : [file, ...args];
  if (files.length < least) {
    throw new UsageError(
      `${command} needs ${least === 1 ? 'a file' : 'at least two files'}: name ${least === 1 ? 'it' : 'them'} after the command, or give "-" for standard input`,
    );
  }
  if (most !== undefined && files.length > most) {
    throw new UsageError(`${command} takes one file, not ${files.length}`);
  }
  if (files.filter((name) => name === '-').length > 1) throw new UsageError('standard input can be read only once');
  return files;
}

export const fileArgument = (line: CommandLine): string => fileArguments(line, { most: 1 })[0] ?? '';

/** Reads standard input (`-`), the argument itself, or a file. */
export async function readGiven(argument: string, line: Line, io: Io): Promise<Given> {
  const { name, path, content } = await readRaw(argument, line, io);
  return toGiven(name, path, await readCodeFile(name, content, line.network));
}

async function readRaw(argument: string, { keysStdin }: Line, io: Io): Promise<Given> {
  if (argument === '-') {
    if (keysStdin) throw new UsageError('standard input cannot hold both the keys and the PSBT');
    return toGiven('standard input', undefined, await readInput('standard input', io.stdin));
  }
  const opened = open(argument);
  assertNoKey(opened);
  if (isContent(argument, opened)) return toGiven('the argument', undefined, new TextEncoder().encode(argument));
  // The shell names pipes `/dev/fd/63`; no result belongs beside them.
  const path = argument.startsWith('/dev/') ? undefined : argument;
  return toGiven(shownPath(argument), path, await readInput(argument, io.readFile(argument)));
}

/** Refuses a private key in the place of a file. Of a descriptor or a wallet with private keys, the command says where it belongs. */
function assertNoKey(opened: Opened): void {
  if (opened.kind !== 'secret' || SECRET_OPTIONS[opened.secret] === '--descriptors-file') return;
  throw new UsageError(`the argument is ${contentText(opened)}; clear the history of your shell, which keeps it`);
}

/** Tells an argument that is a content, not a file name: no name is what these are, nor begins like JSON or a descriptor. */
const isContent = (argument: string, opened: Opened): boolean =>
  opened.kind !== 'unknown' || /^\s*(?:\{|[a-z_]{2,12}\()/.test(argument);

function toGiven(name: string, path: string | undefined, content: Uint8Array): Given {
  return {
    name,
    path,
    content,
    text: decodeUtf8(content)
      ?.replace(/^\ufeff/, '')
      .trim(),
  };
}

const isOfCodes = ({ content }: Given): boolean => codeForm(content) !== undefined;

/** Puts each content of QR codes in the place of the file with which it begins. */
async function withoutCodes(raw: readonly Given[], { network }: CommandLine): Promise<readonly Given[]> {
  const files = raw.flatMap(({ name, content }, position) => {
    const form = codeForm(content);
    return form === undefined ? [] : [{ name, content, form, position }];
  });
  if (files.length === 0) return raw;
  const { readCodeFiles } = await import('./scanFiles.ts');
  const contents = await readCodeFiles(files, network);
  return raw.flatMap((input, position) => {
    if (!isOfCodes(input)) return [input];
    const own = contents.filter(({ first }) => files[first]?.position === position);
    return own.map(({ content }) => toGiven(input.name, input.path, content));
  });
}

/** Reads at least two PSBTs. */
export const readPsbts = async (line: Line, context: RpcContext, io: Io): Promise<readonly GivenPsbt[]> =>
  decodePsbts(await readContents(line, io, { least: 2, most: Number.POSITIVE_INFINITY }), context);

export async function readPsbt(line: Line, context: RpcContext, io: Io): Promise<GivenPsbt> {
  const [psbt] = decodePsbts(await readContents(line, io, { least: 1, most: 1 }), context);
  return psbt ?? Promise.reject(new UsageError('no PSBT was given'));
}

/** `least` and `most` count PSBTs, which may share files of QR codes. */
async function readContents(
  line: Line,
  io: Io,
  { least, most }: { readonly least: 1 | 2; readonly most: number },
): Promise<readonly Given[]> {
  const files = fileArguments(line);
  const raw: Given[] = [];
  for (const file of files) {
    const input = await readRaw(file, line, io);
    if (files.length > most && !isOfCodes(input))
      throw new UsageError(`${line.command} takes one file, not ${files.length}`);
    raw.push(input);
  }
  if (!raw.some(isOfCodes)) fileArguments(line, { least });
  const all = await withoutCodes(raw, line);
  if (all.length < least || all.length > most) {
    throw new UsageError(
      `${line.command} takes ${most === 1 ? 'one PSBT' : 'at least two PSBTs'}, and these files hold ${all.length}`,
    );
  }
  return all;
}

function decodePsbts(contents: readonly Given[], context: RpcContext): readonly GivenPsbt[] {
  return contents.map((input) => {
    const opened = openGiven(input, context);
    if (opened.kind === 'psbt') return { ...input, psbt: opened.psbt, encoding: opened.encoding };
    const form = contentText(opened) ?? 'neither binary, nor base64, nor hex, nor JSON with a "psbt"';
    throw new UsageError(`${input.name} is not a PSBT: it is ${form}`);
  });
}

/** Says what a file is. @throws UsageError for what is meant to be something, but cannot be read */
export function openGiven({ name, content }: Pick<Given, 'name' | 'content'>, { network }: RpcContext): Opened {
  const opened = open(content, { network });
  if (opened.kind === 'refused') throw new UsageError(`${name}: ${opened.error.message}`);
  return opened;
}
