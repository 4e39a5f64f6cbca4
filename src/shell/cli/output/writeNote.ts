import { formatParagraphs } from '../../../core/report/textLines.ts';
import type { Io } from '../../terminal/io.ts';

/** Writes a note to standard error: in lines that fit where a person watches, as one line for programs. */
export function writeNote(text: string, io: Io): void {
  const lines = io.isWatched ? formatParagraphs([{ start: '', text }], false) : [text];
  io.writeError(`${lines.join('\n')}\n`);
}
