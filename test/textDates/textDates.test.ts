import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryPaths } from '../support/temporary.ts';
import { textsOf } from './coreTexts.ts';
import { explained } from './explained.ts';
import { findTexts, hasText, RELEASES } from './findings.ts';
import { ourTexts } from './ourTexts.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const paths = temporaryPaths();

test('the texts of a checkout are those that the compiler joins, without comments and tests', () => {
  const checkout = paths();
  mkdirSync(join(checkout, 'src/test'), { recursive: true });
  writeFileSync(
    join(checkout, 'src/a.cpp'),
    `char quote = '"'; // not "this text"
/* nor "that text" */ f("one \\"text\\", " /* joined */ "of three"
  "parts\\n"); g(R"(raw "text")");`,
  );
  writeFileSync(join(checkout, 'src/test/b.cpp'), 'f("in a test");');
  expect(textsOf(checkout).split('\0')).toEqual(['one "text", ', 'of threeparts\n', 'raw "text"']);
});

describe('a source has a text', () => {
  const source = "Amount %s is not %d, for '%s'\0Wallet failed.\0It has no name";

  test.each([
    ['It has no name', true],
    ['It has no name.', true],
    ['Wallet failed. It has no name', true],
    ['is not 64, for "x"', true],
    ['is no 64', false],
    ['It has another name', false],
  ])('%s: %s', (run, isThere) => expect(hasText(source, run)).toBe(isThere));
});

test('a text in a row of a table is of the generations up to the row that changes it', () => {
  const rows = ourTexts(root).filter(({ scope }) => scope === 'walletMethodRules');
  const of = (begins: string) => rows.find(({ run }) => run.startsWith(begins))?.row;
  expect(of('RPC endpoint wallet')).toEqual(['core-0.21', 'core-29']);
  expect(of('The RPC endpoint wallet')).toEqual(['core-30', 'core-31', 'core-32']);
});

test('without a text in any source, all are found that releases answer, and each explanation is about one', () => {
  const findings = findTexts(root, new Map(RELEASES.map((release) => [release, ''])));
  const of = (name: string) => findings.find(({ scope }) => scope === name)?.answered;
  expect(of('addhdkey')).toEqual(['core-32']);
  expect(of('importpubkey')).toEqual(['core-29']);
  expect(of('loadwallet')).toEqual(RELEASES);
  for (const { in: place, scope, begins = [''] } of explained) {
    const texts = findings.filter(({ file, scope: own }) => file.startsWith(place) && own === (scope ?? own));
    expect(begins.filter((beginning) => !texts.some(({ run }) => run.startsWith(beginning)))).toEqual([]);
  }
});
