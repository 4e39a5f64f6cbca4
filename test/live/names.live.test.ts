import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../support/dnsServer.ts';
import { makeNameCases } from '../support/nameCases.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// BIND's `delv` judges the proofs of test/support/nameCases.ts: a server on loopback answers it from the records of one at a time.

const DELV = '/usr/bin/delv';
const run = promisify(execFile);
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
const { root, cases } = makeNameCases({ from: now - DAY, until: now + DAY });
const anchors = join(temporaryDirectory(), 'anchors.conf');

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
  const key = root.keyKey.data.subarray(4).toString('base64');
  writeFileSync(anchors, `trust-anchors { "." static-key 257 3 ${root.keyKey.algorithm} "${key}"; };\n`);
});
afterAll(() => server.close());

/** Tells whether delv finds a text that it fully validates. */
async function isProven(question: string): Promise<boolean> {
  const args = ['-a', anchors, '+root=.', '@127.0.0.1', '-p', String(server.port), question, 'TXT'];
  const { stdout } = await run(DELV, args, { timeout: 60_000 }).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }));
  return stdout.includes('; fully validated') && /\bTXT\s+"/.test(stdout);
}

describe.runIf(existsSync(DELV))('delv judges as countersign does', () => {
  test.each(cases.filter(({ stricter }) => stricter === undefined))('$label', async ({ question, records, fault }) => {
    server.serve(records);
    expect(await isProven(question)).toBe(fault === undefined);
  });
});
