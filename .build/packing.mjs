// Loads the compression of countersign.html from its source.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

/** Returns the exports of `src/page/packing/packing.ts`. */
export async function packing() {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-'));
  const file = join(directory, 'packing.mjs');
  await bundle({ main: 'page/packing/packing' }, { file, format: 'esm', codeSplitting: false });
  const exported = await import(pathToFileURL(file).href);
  rmSync(directory, { recursive: true });
  return exported;
}
