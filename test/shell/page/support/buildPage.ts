import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the page under test. */
    readonly pageFile: string;
  }
}

const builder = new URL('../../../../.build/page.mjs', import.meta.url).pathname;

/** Builds the page once for all test files. */
export function setup({ provide }: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-page-'));
  const file = join(directory, 'countersign.html');
  execFileSync(process.execPath, [builder, file], { stdio: 'inherit' });
  provide('pageFile', file);
  return () => rmSync(directory, { recursive: true, force: true });
}
