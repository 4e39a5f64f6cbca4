// Unpacks the scripts of the page and of its worker, and runs that of the page, whose hash the policy knows.
import { createUnpacker } from '../packing/packing.ts';
import type { PageFile } from './pageFile.ts';

/** How long the browser may wait while a script is unpacked, in milliseconds. */
const SLICE = 15;
/** After how long the user sees that the page is coming, in milliseconds. */
const PATIENCE = 500;
/** Bytes between looks at the clock. */
const STRETCH = 128;

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

const file: Omit<PageFile, 'worker'> = {
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  licenses: textOf('licenses'),
};

const DAMAGED = 'This file is damaged. Get it again, and compare its SHA-256 before you open it.';

const root = document.getElementById('page');

function show(text: string): void {
  if (root) root.textContent = text;
}

/** Lets the browser draw and answer. A timer would wait for longer, above all in a tab behind another. */
function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** Unpacks bytes in slices, and shows how far it has come after each. */
async function unpack(
  nextByte: () => number,
  size: number,
  onSlice?: (done: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let done = 0;
  while (done < size) {
    const end = performance.now() + SLICE;
    do {
      const stop = Math.min(done + STRETCH, size);
      for (; done < stop; done += 1) bytes[done] = nextByte();
    } while (done < size && performance.now() < end);
    onSlice?.(done);
    await pause();
  }
  return bytes;
}

async function start(): Promise<void> {
  show('');
  const begin = performance.now();
  const sizes = document.getElementById('packed')?.dataset['sizes']?.split(' ') ?? [];
  const [pageSize = 0, workerSize = 0] = sizes.map(Number);
  const nextByte = createUnpacker(Uint8Array.from(atob(textOf('packed')), (unit) => unit.charCodeAt(0)));
  const page = await unpack(nextByte, pageSize, (done) => {
    // Browsers that compile no scripts take seconds.
    if (performance.now() > begin + PATIENCE) show(`Unpacking: ${Math.floor((100 * done) / pageSize)} %`);
  });
  const worker = pause().then(() => unpack(nextByte, workerSize));
  window.pageFile = { ...file, worker: worker.then((bytes) => new Blob([bytes], { type: 'text/javascript' })) };

  // The page's script replaces this, unless it is another one.
  show(DAMAGED);
  const script = document.createElement('script');
  script.textContent = new TextDecoder().decode(page);
  document.body.append(script);
  script.remove();
}

start().catch(() => show(DAMAGED));
