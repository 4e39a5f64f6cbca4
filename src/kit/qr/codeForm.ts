const PNG: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const GIF = /^GIF8[79]a/;
/** Frames of BBQr and URs, and numbered ones. */
const FRAME = /^\s*(?:B\$[H2Z]|ur:[a-z]|p\d{1,4}of\d{1,4} )/i;

/** A picture that may show QR codes, or the text of a code that holds a part of a content. */
export type CodeForm = 'png' | 'gif' | 'frame';

/** Tells by its first bytes whether a content is of QR codes. */
export function codeForm(content: Uint8Array | string): CodeForm | undefined {
  if (typeof content !== 'string' && PNG.every((byte, i) => content[i] === byte)) return 'png';
  const start = typeof content === 'string' ? content.slice(0, 40) : String.fromCharCode(...content.subarray(0, 40));
  if (GIF.test(start)) return 'gif';
  return FRAME.test(start) ? 'frame' : undefined;
}
