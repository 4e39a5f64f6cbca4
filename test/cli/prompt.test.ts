import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const ASKS = `
import { processIo } from './dist/cli/io.js';
try {
  console.log(await processIo().ask('Well? ', { isHidden: process.argv[1] === 'hidden' }));
} catch (error) {
  console.log(error.name, error.message);
}`;

/** What a prompt says, on both outputs, to keys that are typed. */
function typed(keys: string, how: 'hidden' | 'shown'): { readonly out: string; readonly error: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', ASKS, how], {
    cwd: new URL('../..', import.meta.url),
    input: keys,
    encoding: 'utf8',
  });
  return { out: stdout, error: stderr };
}

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['a terminal that is gone', ''],
])('%s ends a prompt in one sentence', (_, key) => {
  for (const how of ['hidden', 'shown'] as const) {
    const { out, error } = typed(key, how);
    expect(out).toBe('UsageError there was no answer: nothing was done\n');
    expect(error).toMatch(/^Well\? [^a-z]*$/);
  }
});

test('an answer is what was typed, and a hidden one is not shown', () => {
  expect(typed('secret\n', 'shown').error).toContain('secret');
  const hidden = typed('secret\n', 'hidden');
  expect(hidden.out).toBe('secret\n');
  expect(hidden.error).toBe('Well? \n');
});
