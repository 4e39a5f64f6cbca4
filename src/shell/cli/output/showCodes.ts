import { parseHex } from '../../../core/bytes/hex.ts';
import { encodePsbt } from '../../../core/psbt/format/encodePsbt.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { type BbqrType, encodeBbqr } from '../../../kit/qr/bbqr.ts';
import { encodeUr, fragmentFor, type UrFrames } from '../../../kit/qr/ur.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { type CodeSize, codeSizeFor, drawCode, LEAST_VERSIONS, USUAL_EXTENT } from './drawCode.ts';

const CODE_FORMATS = ['bbqr', 'ur'] as const;
export type CodeFormat = (typeof CODE_FORMATS)[number];

export interface CodeContent {
  readonly bbqr: { readonly type: BbqrType; readonly content: Uint8Array };
  readonly ur: (fragmentSize: number) => UrFrames;
}

export function toCodeContent({ psbt, hex }: { readonly psbt: Psbt; readonly hex?: string | undefined }): CodeContent {
  const bytes = encodePsbt(psbt);
  return {
    bbqr: hex === undefined ? { type: 'psbt', content: bytes } : { type: 'transaction', content: parseHex(hex) },
    // No UR type stands for a signed transaction: wallets take it from the PSBT.
    ur: (fragmentSize) => encodeUr(bytes, { fragmentSize }),
  };
}

/** Numbered from 1, without end for URs. */
type Frames = UrFrames & { readonly endless: boolean };

function encodeFrames({ bbqr, ur }: CodeContent, format: CodeFormat, { characters }: CodeSize): Frames {
  if (format === 'ur') {
    const { count, frame } = ur(fragmentFor(characters));
    return { count, frame, endless: count > 1 };
  }
  const frames = encodeBbqr(bbqr.content, { type: bbqr.type, frameSize: characters });
  return { count: frames.length, frame: (number) => frames[(number - 1) % frames.length] ?? '', endless: false };
}

/** Refuses a terminal that is too small before any work is done. */
export function assertRoomForCodes(format: CodeFormat, io: Io): void {
  codeSizeFor(io.terminalSize(), LEAST_VERSIONS[format]);
}

/** Shows codes in turn in a terminal, one after another elsewhere. */
export async function showCodes(content: CodeContent, format: CodeFormat, io: Io): Promise<void> {
  const terminal = io.terminalSize();
  const size = codeSizeFor(terminal, LEAST_VERSIONS[format]);
  const frames = encodeFrames(content, format, size);
  const draw = (number: number): string => {
    const lines = drawCode(frames.frame(number), { quiet: size.quiet, terminal });
    return `${lines.join('\n')}\n`;
  };
  if (!terminal || frames.count === 1) {
    for (let number = 1; number <= frames.count; number += 1) {
      await io.writeOut(`${draw(number)}${frames.count > 1 ? `code ${number} of ${frames.count}\n` : ''}\n`);
    }
    return;
  }
  const usual = codeSizeFor(undefined);
  if (size.characters !== usual.characters) {
    const { count } = encodeFrames(content, format, usual);
    const { columns, rows } = USUAL_EXTENT;
    io.writeError(`${frames.count} codes; in a terminal of ${columns} columns and ${rows} lines: ${count}\n`);
  }
  await animate(frames, draw, io);
}

/** Readers take a few pictures of each code. */
const INTERVAL_MS = 300;

const ESCAPE = '\u001b[';
const [ENTER, LEAVE] = [`${ESCAPE}?1049h${ESCAPE}?25l`, `${ESCAPE}?25h${ESCAPE}?1049l`] as const;
const [HOME, ERASE_REST] = [`${ESCAPE}H`, `${ESCAPE}J`] as const;

async function animate({ count, frame: _, endless }: Frames, draw: (number: number) => string, io: Io): Promise<void> {
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  const removeListener = io.onStopRequest(stop);
  const keys = io.watchKeys(stop);
  const advice = keys.canPress ? 'any key ends' : 'Ctrl-C ends';
  await io.writeOut(ENTER);
  try {
    for (let number = 1; !isStopped; number += 1) {
      const caption = endless && number > count ? `code ${number}` : `code ${((number - 1) % count) + 1} of ${count}`;
      await io.writeOut(`${HOME}${draw(number)}${caption} · ${advice}${ERASE_REST}`);
      await keys.pause(INTERVAL_MS);
    }
  } finally {
    await io.writeOut(LEAVE);
    keys.end();
    removeListener();
  }
}

export function parseCodeFormat(text: string): CodeFormat {
  const chosen = CODE_FORMATS.find((format) => format === (text === '' ? 'bbqr' : text));
  if (chosen) return chosen;
  throw new UsageError(`--qr: the formats are ${CODE_FORMATS.join(' and ')}`);
}
