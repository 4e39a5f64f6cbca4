import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECK_WORDS, WORST_FIRST } from '../../../src/core/report/checkWords.ts';
import { POLICY_DEFAULTS } from '../../support/library.ts';

const PAGE = 'docs/safety.md';
const TABLE = /(?<=safetyPage\.test\.ts -->\n).*?(?=<!-- end -->)/s;

test('docs/safety.md takes its sentences from the words of the checks', () => {
  const rows = WORST_FIRST.map((check) => {
    const { title, risk, remedy, tool } = CHECK_WORDS[check];
    const helps = tool === undefined ? '' : ` (\`${tool}\`)`;
    return `| \`${check}\` | ${POLICY_DEFAULTS[check]} | ${title} | ${risk} | ${remedy}${helps} |\n`;
  });
  const table = `\n| check | default | finding | risk | what to do |\n|---|---|---|---|---|\n${rows.join('')}\n`;
  const page = readFileSync(PAGE, 'utf8');
  const made = page.replace(TABLE, table);
  if (process.env['COUNTERSIGN_WRITE']) writeFileSync(PAGE, made);
  else expect(page).toBe(made);
});

test('every check has a rank, and each refusal by default says what to do', () => {
  expect([...WORST_FIRST].sort()).toEqual(Object.keys(POLICY_DEFAULTS).sort());
  for (const check of WORST_FIRST) {
    const { title, risk, remedy } = CHECK_WORDS[check];
    expect(
      [title, risk, remedy].every((text) => /^[A-Z]/.test(text)),
      check,
    ).toBe(true);
    expect(title, check).not.toMatch(/\.$/);
    expect(
      [risk, remedy].every((text) => /\.$/.test(text)),
      check,
    ).toBe(true);
  }
});
