import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs the fixture for pytest with Debian's python3-pytest.

const PYTHON = '/usr/bin/python3';
const root = fileURLToPath(new URL('../..', import.meta.url));

const hasPytest = spawnSync(PYTHON, ['-c', 'import pytest']).status === 0;

function runPytest(countersign: string): { readonly status: number | null; readonly stdout: string } {
  const args = ['-m', 'pytest', '-p', 'no:cacheprovider', `--basetemp=${temporaryDirectory()}/all`, 'examples/python'];
  const env = { ...process.env, COUNTERSIGN: countersign, PYTHONDONTWRITEBYTECODE: '1' };
  return spawnSync(PYTHON, args, { cwd: root, encoding: 'utf8', env });
}

describe.runIf(hasPytest)('pytest', () => {
  test('pays a shop on nodes that the fixture starts and stops', () => {
    const { status, stdout } = runPytest(`'${process.execPath}' '${root}dist/cli/main.js'`);
    expect(stdout).toMatch(/=+ 3 passed in /);
    expect(status).toBe(0);
  });

  test('is told how a node ended that does not start', () => {
    expect(runPytest('false').stdout).toMatch(/RuntimeError: false bitcoind -regtest .* ended with exit code 1$/m);
  });
});
