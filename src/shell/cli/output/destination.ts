import { basename, dirname, extname, join, resolve } from 'node:path';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { formatBase64 } from '../../../core/bytes/base64.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import { printable } from '../../../core/encoding/printable.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { encodePsbt } from '../../../core/psbt/format/encodePsbt.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, unknownName } from '../../terminal/usageError.ts';
import type { Encoding, GivenPsbt } from '../input/givenFiles.ts';
import type { CommandLine, resultOptions } from '../options.ts';

type Line = CommandLine<typeof resultOptions>;

interface Result {
  readonly psbt: Psbt;
  readonly hex?: string | undefined;
  readonly txid?: string | undefined;
}

export interface Destination {
  /** Returns the name for messages; `undefined` for standard output. */
  readonly write: (result: Result) => Promise<string | undefined>;
  readonly show: (result: Result) => Promise<void>;
}

interface Origin {
  /** Without a path, for a PSBT that is made anew, the result goes to standard output. */
  readonly input: Pick<GivenPsbt, 'path' | 'encoding'>;
  readonly suffix?: string;
  readonly makes: 'psbt' | 'transaction' | 'either';
}

export const ENCODINGS: readonly Encoding[] = ['base64', 'binary', 'hex', 'json'];

/**
 * Chooses `--out`; else standard output if it is not a terminal or the PSBT came from standard input; else a file beside
 * the PSBT. Refuses early what could not be written later, so that no work is lost.
 */
export async function openDestination(line: Line, { input, suffix = '', makes }: Origin, io: Io): Promise<Destination> {
  const { out } = line;
  if (out === '') throw new UsageError('--out needs a file name');
  const show = await openCodes(line, io);
  const isPiped = out === '-' || (out === undefined && (!io.isTerminal || input.path === undefined));
  if (isPiped && line.qr !== undefined) return codesAlone(line, show);
  const encodings = encodingsFor(line, isPiped ? 'base64' : input.encoding);
  if (isPiped) return standardOutput(encodings, io);
  if (out !== undefined) assertNotRead('--out', out, { ...line, file: input.path });
  const nameFor = out === undefined ? namesBeside(input.path ?? '', suffix) : () => out;
  await assertFree(
    [...(makes === 'transaction' ? [] : [nameFor(false)]), ...(makes === 'psbt' ? [] : [nameFor(true)])],
    line,
    io,
  );
  return {
    show,
    write: async (result) => {
      const name = nameFor(result.hex !== undefined);
      const content = encodeResult(result, encodings);
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      await io.writeFile(name, bytes, { overwrites: line.force });
      return safeName(name, line);
    },
  };
}

async function openCodes({ qr }: Line, io: Io): Promise<Destination['show']> {
  if (qr === undefined) return async () => undefined;
  const { assertRoomForCodes, toCodeContent, parseCodeFormat, showCodes } = await import('./showCodes.ts');
  const format = parseCodeFormat(qr);
  assertRoomForCodes(format, io);
  return (result) => showCodes(toCodeContent(result), format, io);
}

function codesAlone({ out, format, json }: Line, show: Destination['show']): Destination {
  if (out === '-') throw new UsageError('--qr shows codes on standard output: pass a file name to --out');
  if (json || format !== undefined) {
    throw new UsageError('--format and --json do not apply to QR codes: name a file with --out');
  }
  return { show, write: async () => undefined };
}

function standardOutput(encodings: Encodings, io: Io): Destination {
  if (encodings.psbt === 'binary' && io.isTerminal) {
    throw new UsageError('a terminal cannot show binary data: name a file with --out, or choose --format base64');
  }
  return {
    show: async () => undefined,
    write: async (result) => {
      await io.writeOut(encodeResult(result, encodings));
      return undefined;
    },
  };
}

async function assertFree(names: readonly string[], line: Line, io: Io): Promise<void> {
  for (const name of line.force ? [] : names) {
    if (await io.exists(name)) {
      throw new UsageError(`${safeName(name, line)} exists: pass --force to replace it, or --out with another name`);
    }
  }
}

/** Refuses to replace a PSBT, keys or descriptors that the command reads. */
export function assertNotRead(
  option: string,
  path: string,
  { file, args, inputs }: Pick<CommandLine, 'args' | 'inputs' | 'file'>,
): void {
  if ([file, ...inputs, ...args].some((read) => read !== undefined && resolve(read) === resolve(path))) {
    throw new UsageError(`${option} names a file that this command reads: choose another name`);
  }
}

/** Hides a name in `--out`, which may be a secret; other names come from a file that exists. */
const safeName = (name: string, { out }: Line): string => (out === undefined ? printable(name) : shownPath(name));

interface Encodings {
  readonly psbt: Encoding;
  readonly transaction: Encoding;
}

/** `usual` is the encoding of a PSBT without options; a transaction is hex. */
function encodingsFor({ format, json }: Line, usual: Encoding): Encodings {
  if (json && format !== undefined && format !== 'json') throw new UsageError('--json contradicts --format');
  if (json) return { psbt: 'json', transaction: 'json' };
  if (format === undefined) return { psbt: usual === 'json' ? 'base64' : usual, transaction: 'hex' };
  const chosen = ENCODINGS.find((encoding) => encoding === format);
  if (chosen) return { psbt: chosen, transaction: chosen };
  throw new UsageError(`--format: ${unknownName('encoding', format, ENCODINGS)}`);
}

/** Numbers a suffix that the name has already: `NAME-signed-2.psbt`. */
function namesBeside(path: string, suffix: string): (isComplete: boolean) => string {
  const stem = basename(path, extname(path));
  const [, base = stem, before, count] =
    /^(.+?)-(signed|combined|nonces|bumped|child|v[02])(?:-(\d{1,4}))?$/.exec(stem) ?? [];
  const number = before === suffix ? `-${Number(count ?? '1') + 1}` : '';
  return (isComplete) => join(dirname(path), isComplete ? `${base}-final.txn` : `${base}-${suffix}${number}.psbt`);
}

function encodeResult({ psbt, hex, txid }: Result, encodings: Encodings): string | Uint8Array {
  const bytes = encodePsbt(psbt);
  const encoding = hex === undefined ? encodings.psbt : encodings.transaction;
  if (encoding === 'json') {
    const answer = { psbt: formatBase64(bytes), complete: hex !== undefined, ...(hex !== undefined && { hex, txid }) };
    return `${stringifyRpc(answer)}\n`;
  }
  if (hex !== undefined) return encoding === 'binary' ? parseHex(hex) : `${hex}\n`;
  if (encoding === 'binary') return bytes;
  return `${encoding === 'hex' ? formatHex(bytes) : formatBase64(bytes)}\n`;
}
