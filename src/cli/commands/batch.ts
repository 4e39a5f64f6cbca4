import type { Rpc } from '../../rpc/createRpc.ts';
import { answerText, refusalText } from '../../rpc/envelope.ts';
import type { Io } from '../../terminal/io.ts';
import { decodeUtf8, type Line, splitLines } from '../../terminal/lines.ts';
import { startProgress } from '../../terminal/progress.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { openNodeRpc } from '../openRpc.ts';
import type { CommandLine } from '../options.ts';
import { withMemoryNote } from '../secrets.ts';

/** The longest request line in bytes: the largest body that a node accepts over HTTP. */
export const MAX_LINE = 0x02000000;
/** Answers are written in pieces of about this many characters. */
const WRITE_SIZE = 1 << 16;

/** Answers JSON-RPC requests, one per line, with one answer per line, in order. @returns the exit code */
export async function runBatch(line: CommandLine, io: Io): Promise<number> {
  if (line.args.length > 0 || line.file !== undefined) {
    throw new UsageError('batch takes no arguments: it reads requests from standard input, one per line');
  }
  const rpc = withMemoryNote(await openNodeRpc(line, io), io);
  try {
    await answerLines(rpc, io);
  } finally {
    rpc.close();
  }
  return 0;
}

async function answerLines(rpc: Rpc, io: Io): Promise<void> {
  const progress = startProgress(io);
  for await (const lines of splitLines(progress.watch(io.stdin), MAX_LINE)) {
    let pending = '';
    for (const request of lines) {
      pending += `${answerLine(rpc, request)}\n`;
      if (pending.length < WRITE_SIZE) continue;
      await io.writeOut(pending);
      pending = '';
    }
    if (pending !== '') await io.writeOut(pending);
    progress.count(lines.length);
  }
  progress.end();
}

function answerLine(rpc: Rpc, line: Line): string {
  if (!line) return refusalText(`Parse error: line longer than ${MAX_LINE} bytes`);
  // Invalid UTF-8 is not valid JSON either: the empty text yields the same parse error.
  return answerText(rpc, decodeUtf8(line) ?? '', { readsWallet: true });
}
