import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { shared } from './corpus.ts';

const bitcoreData = join(createRequire(import.meta.url).resolve('bitcore-lib/package.json'), '../test/data');

/** Reads a suite from the copies that bitcore-lib ships, which every clone has. */
export function readBitcoreSuite<T>(name: string): T {
  return JSON.parse(readFileSync(join(bitcoreData, `${name}.json`), 'utf8')) as T;
}

/** Reads the versions of a Core suite: bitcore-lib's older copy, and the newest if the shared folder is available. */
export function versionsOf<T>(name: string, bitcoreName: string): readonly { from: 'bitcore-lib' | 'Core'; rows: T }[] {
  const newest = shared
    ? [
        {
          from: 'Core' as const,
          rows: JSON.parse(readFileSync(join(shared, 'vectors/suites', `${name}.json`), 'utf8')) as T,
        },
      ]
    : [];
  return [{ from: 'bitcore-lib', rows: readBitcoreSuite<T>(bitcoreName) }, ...newest];
}
