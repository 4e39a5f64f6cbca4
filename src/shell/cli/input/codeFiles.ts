import { UsageError } from '../../terminal/usageError.ts';
import type { CodeFileKind } from './scanFiles.ts';

const PNG: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const GIF = /^GIF8[79]a/;
/** Frames of BBQr and URs, and numbered ones. */
const FRAME = /^\s*(?:B\$[H2Z]|ur:[a-z]|p\d{1,4}of\d{1,4} )/i;

export function codeFileKind(content: Uint8Array): CodeFileKind | undefined {
  if (PNG.every((byte, i) => content[i] === byte)) return 'png';
  const start = String.fromCharCode(...content.subarray(0, 40));
  if (GIF.test(start)) return 'gif';
  return FRAME.test(start) ? 'text' : undefined;
}

/** Replaces QR codes by what they hold. */
export async function contentOfFile(name: string, content: Uint8Array, network: string): Promise<Uint8Array> {
  const kind = codeFileKind(content);
  if (kind === undefined) return content;
  const { contentsOfCodes } = await import('./scanFiles.ts');
  const [found, ...more] = await contentsOfCodes([{ name, content, kind }], network);
  if (found && more.length === 0) return found.content;
  throw new UsageError(`${name} holds several PSBTs or wallets: crop it to the codes of one`);
}
