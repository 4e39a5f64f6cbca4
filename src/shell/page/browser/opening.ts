import type { OpenedView } from '../protocol.ts';
import { texts } from '../texts.ts';
import type { Client } from './pageClient.ts';
import { isPicture, picturesIn } from './pictures.ts';

const MEGABYTE = 1_000_000;
const MOST_MEGABYTES = 40;

const refused = (reason: string): OpenedView => ({ kind: 'refused', reason });

interface Incomplete {
  readonly kind: 'incomplete';
}

/** Opens files one by one, since the codes of several pictures may be a series. */
export async function openFiles(client: Client, files: readonly File[]): Promise<readonly OpenedView[]> {
  const opened: OpenedView[] = [];
  let incomplete: File | undefined;
  for (const file of files) {
    const result = await openFile(client, file);
    incomplete = result.kind === 'incomplete' ? file : undefined;
    if (result.kind !== 'incomplete') opened.push(result);
  }
  return incomplete ? [...opened, refused(texts.errors.incompleteCodes(incomplete.name))] : opened;
}

async function openFile(client: Client, file: File): Promise<OpenedView | Incomplete> {
  if (file.size > MOST_MEGABYTES * MEGABYTE) return refused(texts.errors.tooLarge(file.name, MOST_MEGABYTES));
  if (isPicture(file)) return openPicture(client, file);
  const content = new Uint8Array(await file.arrayBuffer());
  return client.call('open', [{ name: file.name, content }]);
}

async function openPicture(client: Client, file: File): Promise<OpenedView | Incomplete> {
  let result: OpenedView | Incomplete = refused(texts.errors.noCode(file.name));
  try {
    for await (const picture of picturesIn(file)) {
      const state = await client.call('scan', [picture], { transfer: [picture.data.buffer] });
      if (state.status === 'complete') return state.opened;
      if (state.status === 'partial') result = { kind: 'incomplete' };
      if (state.status === 'ignored') result = refused(texts.camera.ignored[state.reason]);
    }
  } catch (error) {
    if (error instanceof DOMException) return refused(texts.errors.picture(file.name));
    throw error;
  }
  return result;
}
