// Unpacks the scripts of the page and of its worker, and runs that of the page, whose hash the policy knows.
import { Decoder } from 'lzma1/lib/decoder.js';
import { InputBuffer, OutputBuffer } from 'lzma1/lib/streams.js';
import type { PageFile } from './pageFile.ts';

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

const file: Omit<PageFile, 'worker'> = {
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  licenses: textOf('licenses'),
};

// The page's script replaces this, unless it cannot be unpacked, or is another one.
const root = document.getElementById('page');
if (root) root.textContent = 'This file is damaged. Get it again, and compare its SHA-256 before you open it.';

const packed = Uint8Array.from(atob(textOf('packed')), (unit) => unit.charCodeAt(0));
const unpacked = new OutputBuffer(3 * packed.length);
new Decoder().decompress(new InputBuffer(packed), unpacked);
const [page = '', worker = ''] = new TextDecoder().decode(unpacked.toArray()).split('\0');
window.pageFile = { ...file, worker: new Blob([worker], { type: 'text/javascript' }) };

const script = document.createElement('script');
script.textContent = page;
document.body.append(script);
script.remove();
