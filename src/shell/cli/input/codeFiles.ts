import { codeForm } from '../../../kit/qr/codeForm.ts';
import { UsageError } from '../../terminal/usageError.ts';
/** Replaces QR codes by what they hold. */
export async function contentOfFile(name: string, content: Uint8Array, network: string): Promise<Uint8Array> {
  const form = codeForm(content);
  if (form === undefined) return content;
  const { contentsOfCodes } = await import('./scanFiles.ts');
  const [first, ...more] = await contentsOfCodes([{ name, content, form }], network);
  if (first && more.length === 0) return first.content;
  throw new UsageError(`${name} holds several PSBTs or wallets: crop it to the codes of one`);
}
