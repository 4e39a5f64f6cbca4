import { spawnSync } from 'node:child_process';
import { build } from 'rolldown';
import { expect, test } from 'vitest';

const built = await build({
  input: new URL('../../../src/shell/terminal/io.ts', import.meta.url).pathname,
  platform: 'node',
  write: false,
});

/** The module, and a program that uses it. */
const ASKS = `${built.output[0].code}
try {
  console.log(await processIo('').ask('Well? ', { isHidden: process.argv[1] === 'hidden' }));
} catch (error) {
  console.log(error.name, error.message);
}`;

/** Types keys at a prompt and returns its output on both streams. */
function typed(keys: string, how: 'hidden' | 'shown'): { readonly out: string; readonly error: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', ASKS, how], {
    input: keys,
    encoding: 'utf8',
  });
  return { out: stdout, error: stderr };
}

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['a closed terminal', ''],
])('%s ends a prompt with one sentence', (_, key) => {
  for (const how of ['hidden', 'shown'] as const) {
    const { out, error } = typed(key, how);
    expect(out).toBe('UsageError no answer was given; nothing was done\n');
    expect(error).toMatch(/^Well\? [^a-z]*$/);
  }
});

test('an answer is the text typed, and a hidden one is not echoed', () => {
  expect(typed('secret\n', 'shown').error).toContain('secret');
  const hidden = typed('secret\n', 'hidden');
  expect(hidden.out).toBe('secret\n');
  expect(hidden.error).toBe('Well? \n');
});
