import { codeForm } from '../../../kit/qr/codeForm.ts';
import { UsageError } from '../../terminal/usageError.ts';
/** Replaces QR codes by what they hold. */
export async function readCodeFile(name: string, content: Uint8Array, network: string): Promise<Uint8Array> {
  const form = codeForm(content);
  if (form === undefined) return content;
  const { readCodeFiles } = await import('./scanFiles.ts');
  const [first, ...more] = await readCodeFiles([{ name, content, form }], network);
  if (first && more.length === 0) return first.content;
  throw new UsageError(`${name} holds several PSBTs or wallets: crop it to the codes of one`);
}
