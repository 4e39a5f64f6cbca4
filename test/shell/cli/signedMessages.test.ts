import { expect, test } from 'vitest';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { runForFiles } from '../../support/io.ts';
import { encodePsbt, formatMessagePsbt, messagePsbt, parsePsbt } from '../../support/library.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(WORDS);
const files = { words: WORDS, 'm.psbt': encodePsbt(messagePsbt('hello', me.receive(0).scriptPubKey)) };

test('a signed message ends with its signature, and is never a transaction to broadcast', async () => {
  const sign = ['sign', 'm.psbt', '--seed-file', 'words', '--yes'];
  const { code, error, files: written } = await runForFiles(sign, { files, isTerminal: true });
  expect([code, Object.keys(written)]).toEqual([0, ['m-signed.psbt']]);
  const signature = formatMessagePsbt(parsePsbt(written['m-signed.psbt'] ?? ''));
  expect(error).toContain(`: ${signature}\n`);
  expect(error).not.toMatch(/broadcast|sendrawtransaction/);
  const unfinished = await runForFiles([...sign, '--no-finalize'], { files, isTerminal: true });
  const finalized = await runForFiles(['finalize', 'm-signed.psbt'], { files: unfinished.files, isTerminal: true });
  expect([finalized.code, finalized.out, finalized.files]).toEqual([0, `${signature}\n`, {}]);
  expect(finalized.error).toMatch(/^the message is signed\. Next: /);
});
