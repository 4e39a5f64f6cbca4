import { encodeQR } from 'qr';
import type { TerminalSize } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** Modules of the border; many readers need fewer. @see ISO/IEC 18004 §9.1 */
const QUIET = { usual: 4, least: 2 } as const;

export interface CodeSize {
  readonly quiet: number;
  /** The most capital letters and digits. */
  readonly characters: number;
}

/** Capital letters and digits at low error correction, by version. @see ISO/IEC 18004 table 7 */
const CAPACITIES = [25, 47, 77, 114, 154, 195, 224, 279, 335, 395] as const;
const USUAL_VERSION = CAPACITIES.length;
/** Smaller codes would divide a short content into dozens. UR frames have more overhead. */
export const LEAST_VERSIONS = { bbqr: 3, ur: 5 } as const;

const sideLength = (version: number): number => 17 + 4 * version;
const CAPTION_LINES = 1;

const codeExtent = (modules: number, quiet: number): TerminalSize => ({
  columns: modules + 2 * quiet,
  rows: Math.ceil((modules + 2 * quiet) / 2) + CAPTION_LINES,
});

const fits = (extent: TerminalSize, size: TerminalSize): boolean =>
  extent.columns <= size.columns && extent.rows <= size.rows;

export const USUAL_EXTENT: TerminalSize = codeExtent(sideLength(USUAL_VERSION), QUIET.usual);

/** Chooses the usual size, else the largest that fits, of at least version `least`. */
export function codeSizeFor(terminal: TerminalSize | undefined, least: number = LEAST_VERSIONS.bbqr): CodeSize {
  const usual = { quiet: QUIET.usual, characters: CAPACITIES[USUAL_VERSION - 1] ?? 0 };
  if (!terminal || fits(USUAL_EXTENT, terminal)) return usual;
  for (let version = USUAL_VERSION; version >= least; version -= 1) {
    if (!fits(codeExtent(sideLength(version), QUIET.least), terminal)) continue;
    return { quiet: QUIET.least, characters: CAPACITIES[version - 1] ?? 0 };
  }
  throw tooSmall(terminal, codeExtent(sideLength(least), QUIET.least));
}

const sizeText = ({ columns, rows }: TerminalSize): string => `${columns} columns and ${rows} lines`;

function tooSmall(terminal: TerminalSize, needed: TerminalSize): UsageError {
  return new UsageError(`the terminal has ${sizeText(terminal)}, and QR codes need ${sizeText(needed)}: enlarge it`);
}

/** Black on white in any colour scheme. */
const [COLOURS, RESET] = ['\u001b[30;107m', '\u001b[0m'] as const;
/** Indexed by dark modules: the upper counts 1, the lower 2. */
const BLOCKS = [' ', '▀', '▄', '█'] as const;

/** Draws half blocks. `terminal` is undefined for a file or a pipe. */
export function drawCode(
  text: string,
  { quiet, terminal }: { readonly quiet: number; readonly terminal: TerminalSize | undefined },
): readonly string[] {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: quiet });
  const extent = codeExtent(rows.length - 2 * quiet, quiet);
  if (terminal && !fits(extent, terminal)) throw tooSmall(terminal, extent);
  const [before, after] = terminal ? [COLOURS, RESET] : ['', ''];
  return Array.from({ length: Math.ceil(rows.length / 2) }, (_, line) => {
    const [upper = [], lower = []] = [rows[2 * line], rows[2 * line + 1]];
    const blocks = upper.map((isDark, x) => BLOCKS[(isDark ? 1 : 0) + (lower[x] ? 2 : 0)]);
    return `${before}${blocks.join('')}${after}`;
  });
}
