import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allMethods } from '../../../src/node/registry.ts';
import { createJobs } from '../../../src/shell/workers/jobs.ts';
import { answerText, createRpc } from '../../support/library.ts';

const jobs = createJobs({ dialect: 'core-32', whitelist: ['alice:decodescript'] });
const rpc = createRpc({ dialect: 'core-32' });
const request = (method: string, params: readonly unknown[] = []): string => JSON.stringify({ id: 1, method, params });
const asked = { user: 'alice', wallet: undefined };

describe('the jobs of a worker thread', () => {
  const named = (isStateless: boolean): readonly string[] =>
    allMethods().flatMap(({ name, needs }) => ((needs === 'nothing') === isStateless ? [name] : []));

  test.each(named(true))('answer %s as the main thread does', (name) => {
    const text = request(name, ['00']);
    const [given] = jobs.answerLines([text], false);
    expect(given?.answer).toBe(answerText(rpc, text, { readsWallet: true }));
  });

  test.each([...named(false), 'help', 'stop', 'unknown'])('leave %s to the node', (name) => {
    expect(jobs.answerLines([request(name), `[${request('decodescript', ['51'])},${request(name)}]`], false)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('answer invalid requests', () => {
    const [given] = jobs.answerLines(['{'], false);
    expect(given).toEqual({ answer: answerText(rpc, '{'), assumesNoChain: false });
  });

  test('leave calls that look for coins to a node that knows some', () => {
    const texts = [request('utxoupdatepsbt', ['']), request('decodescript', ['51'])];
    expect(jobs.answerLines(texts, true).map((given) => given?.assumesNoChain)).toEqual([undefined, false]);
    expect(jobs.answerLines(texts, false).map((given) => given?.assumesNoChain)).toEqual([true, false]);
  });

  test('count signature checks as the node does', () => {
    const text = request('analyzepsbt', [readFileSync('vectors/demo.psbt', 'base64')]);
    const sizeAt = (bytesPerSigOp?: number): number => {
      const [given] = createJobs({ dialect: 'core-32', bytesPerSigOp }).answerLines([text], true);
      return JSON.parse(given?.answer ?? '').result.estimated_vsize;
    };
    expect(sizeAt(10_000)).toBeGreaterThan(sizeAt());
  });

  test('keep to the whitelist', () => {
    expect(jobs.answerBody(request('decodescript', ['51']), asked, false)?.answer.status).toBe(200);
    expect(jobs.answerBody(request('decodepsbt', ['']), asked, false)?.answer).toEqual({ status: 403, body: '' });
    expect(jobs.answerBody(request('getblockcount'), asked, false)?.answer.status).toBe(403);
  });
});
