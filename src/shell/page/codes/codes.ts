import { type BbqrType, encodeBbqr } from '../../../kit/qr/bbqr.ts';
import { fragmentFor } from '../../../kit/qr/ur.ts';
import { createExport, type Exported, type ExportSource } from '../exports.ts';
import type { CodesView, ExportForm, ExportKind } from '../protocol.ts';
import { refuse } from '../refusals.ts';
import { encodeCode } from './qrCode.ts';
import { encodeExportUr } from './uniformResources.ts';

/** Indexed from 0. */
interface Frames {
  readonly type: string;
  readonly count: number;
  readonly text: (index: number) => string;
}

const BBQR_TYPES: Readonly<Record<ExportKind, BbqrType>> = {
  psbt: 'psbt',
  transaction: 'transaction',
  descriptors: 'text',
  registration: 'json',
  json: 'json',
  address: 'text',
  message: 'text',
};

/** Characters of a code; one with 177 modules a side holds 4296. */
const DENSITY = { least: 60, most: 4296 } as const;

function encodeFrames(
  { kind, code, density }: Pick<ExportForm, 'kind' | 'code' | 'density'>,
  exported: Exported,
): Frames {
  const { payload, text } = exported;
  if (!Number.isInteger(density) || density < DENSITY.least || density > DENSITY.most) {
    refuse(`A code holds ${DENSITY.least} to ${DENSITY.most} characters`);
  }
  if (code === 'bbqr') {
    const frames = encodeBbqr(payload, { type: BBQR_TYPES[kind], frameSize: density });
    return { type: BBQR_TYPES[kind], count: frames.length, text: (index) => frames[index % frames.length] ?? '' };
  }
  if (code === 'ur') {
    const { count, frame } = encodeExportUr(kind, exported, fragmentFor(density));
    const type = /^UR:([^/]*)/.exec(frame(1))?.[1]?.toLowerCase() ?? '';
    return { type, count, text: (index) => frame(index + 1) };
  }
  // Capital letters make smaller codes.
  const plain = kind === 'transaction' ? text.toUpperCase() : text;
  return { type: 'text', count: 1, text: () => plain };
}

/** Keeps the codes of the last export. */
export interface Codes {
  readonly draw: (form: ExportForm & { readonly from: number; readonly count: number }) => CodesView;
  readonly forget: () => void;
}

export function createCodes(source: ExportSource): Codes {
  let last: { readonly name: string; readonly frames: Frames } | undefined;
  return {
    draw: ({ from, count, ...form }) => {
      const name = JSON.stringify(form);
      if (last?.name !== name) last = { name, frames: encodeFrames(form, createExport(form, source)) };
      return drawCodes(last.frames, from, count);
    },
    forget: () => {
      last = undefined;
    },
  };
}

const MOST_CODES = 200;
/** The last part that a UR numbers. */
const LAST = 0xffff_fffe;

function drawCodes({ type, count, text }: Frames, from: number, codeCount: number): CodesView {
  const isRange =
    Number.isInteger(from) && from >= 0 && Number.isInteger(codeCount) && codeCount >= 0 && codeCount <= MOST_CODES;
  if (!isRange || from + codeCount > LAST) refuse(`At most ${MOST_CODES} codes can be drawn at a time`);
  const drawn = count === 1 ? Math.min(1, codeCount) : codeCount;
  return { type, count, codes: Array.from({ length: drawn }, (_, i) => encodeCode(text(from + i))) };
}
