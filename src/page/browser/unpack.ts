// Unpacks the scripts of the page and of its worker, and runs that of the page, whose hash the policy knows.
import { createUnpacker } from '../packing/packing.ts';
import type { PageFile } from './pageFile.ts';

/** How long the page may wait while the script of the worker is unpacked, in milliseconds. */
const SLICE = 15;
/** Bytes between looks at the clock. */
const STRETCH = 128;

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

const file: Omit<PageFile, 'worker'> = {
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  licenses: textOf('licenses'),
};

// The page's script replaces this, unless it cannot be unpacked, or is another one.
const root = document.getElementById('page');
if (root) root.textContent = 'This file is damaged. Get it again, and compare its SHA-256 before you open it.';

const sizes = document.getElementById('packed')?.dataset['sizes']?.split(' ') ?? [];
const [pageSize = 0, workerSize = 0] = sizes.map(Number);
const nextByte = createUnpacker(Uint8Array.from(atob(textOf('packed')), (unit) => unit.charCodeAt(0)));

/** Lets the browser draw and answer first. A timer would wait for longer, above all in a tab behind another. */
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

async function unpackWorker(): Promise<Blob> {
  const bytes = new Uint8Array(workerSize);
  let size = 0;
  while (size < workerSize) {
    await pause();
    const end = performance.now() + SLICE;
    do {
      const stop = Math.min(size + STRETCH, workerSize);
      for (; size < stop; size += 1) bytes[size] = nextByte();
    } while (size < workerSize && performance.now() < end);
  }
  return new Blob([bytes], { type: 'text/javascript' });
}

const page = Uint8Array.from({ length: pageSize }, nextByte);
window.pageFile = { ...file, worker: unpackWorker() };

const script = document.createElement('script');
script.textContent = new TextDecoder().decode(page);
document.body.append(script);
script.remove();
