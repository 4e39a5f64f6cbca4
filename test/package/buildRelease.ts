import type { TestProject } from 'vitest/node';
import { makeRelease, root } from '../support/packedPackage.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The checksums of the release, which is in `release`. */
    readonly releaseSums: string;
  }
}

/** Makes the release before the tests, which use it and its `dist` at the same time. */
export function setup({ provide }: TestProject): void {
  provide('releaseSums', makeRelease(root));
}
