import { crc32 } from 'node:zlib';
import { encodeFrame } from '../../src/shell/store/frames.ts';

/** A journal of version 1 with a frame for each append; an empty one says that it was closed in order. */
export function firstVersion(...appends: readonly (readonly string[])[]): Buffer {
  const text = 'countersign journal 1 0123456789abcdef';
  const line = Buffer.from(`${text} ${crc32(text).toString(16).padStart(8, '0')}\n`);
  let end = { offset: line.length, link: 0, seed: crc32(line) };
  const frames = appends.map((entries) => {
    const [frame, next] = encodeFrame(entries, end);
    end = next;
    return frame;
  });
  return Buffer.concat([line, ...frames]);
}
