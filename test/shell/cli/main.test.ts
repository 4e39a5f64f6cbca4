import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MAIN = new URL('../../../dist/cli/main.js', import.meta.url).pathname;

test('an unexpected error is one line, without its message and stack', () => {
  const fails = "process.stdout.write = () => { throw new TypeError('a secret'); }";
  const fault = `data:text/javascript,${encodeURIComponent(fails)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', fault, MAIN, 'decodescript', '6a'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe('error: internal error: TypeError (please report it)\n');
});
