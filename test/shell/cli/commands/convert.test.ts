import { describe, expect, test } from 'vitest';
import { guideFiles } from '../../../support/guides.ts';
import { computedPayment, payee } from '../../../support/hiddenPayment.ts';
import { run, runForFiles } from '../../../support/io.ts';
import { encodePsbt, formatPsbt, parsePsbt, toPsbtV2, unsignedTransaction } from '../../../support/library.ts';

const v0 = parsePsbt(guideFiles['spend.psbt'] ?? '');
const v2 = toPsbtV2(v0);
const files = {
  ...guideFiles,
  'v2.psbt': encodePsbt(v2),
  'computed.psbt': encodePsbt(computedPayment(payee.address())),
};
const convert = (...args: readonly string[]) => run(['convert', ...args], { files });

describe('countersign convert', () => {
  test('converts to version 0, which loses nothing, and back', async () => {
    const to0 = await convert('v2.psbt', '--psbt-version', '0');
    expect(to0).toEqual({ code: 0, out: `${formatPsbt(v0)}\n`, error: 'the result is of version 0\n' });
    const to2 = await convert('spend.psbt', '--psbt-version', '2');
    expect(to2).toEqual({ code: 0, out: `${formatPsbt(v2)}\n`, error: 'the result is of version 2\n' });
    const signed = await run(['sign', '-', '--seed-file', 'words.txt', '--yes'], { files, stdin: to0.out });
    expect(signed.error).toContain('complete: ');
  });

  test('keeps the version where only the encoding is asked for', async () => {
    expect((await convert('v2.psbt', '--format', 'json')).out).toBe(`{"psbt":"${formatPsbt(v2)}","complete":false}\n`);
    expect((await convert('v2.psbt', '--psbt-version', '2')).out).toBe(`${formatPsbt(v2)}\n`);
  });

  test('writes beside the file, in its encoding', async () => {
    const run0 = await runForFiles(['convert', 'v2.psbt', '--psbt-version', '0'], { files, isTerminal: true });
    expect(run0.error).toBe('v2-v0.psbt is of version 0\n');
    expect(run0.files['v2-v0.psbt']).toEqual(encodePsbt(v0));
  });

  test('says what version 0 cannot hold', async () => {
    const { code, out, error } = await convert('computed.psbt', '--network', 'regtest', '--psbt-version', '0');
    expect([code, error]).toEqual([
      0,
      expect.stringMatching(/^warning: version 0 has no place for silent payments: .*\nthe result is of version 0\n$/),
    ]);
    const { outputs } = unsignedTransaction(parsePsbt(files['computed.psbt']));
    expect(unsignedTransaction(parsePsbt(out)).outputs).toEqual(outputs);
  });

  test.each<[string, readonly string[], string]>([
    ['an unknown version', ['v2.psbt', '--psbt-version', '1'], '--psbt-version must be 0 or 2'],
    ['nothing to do', ['v2.psbt'], 'convert needs --psbt-version or --format'],
    ['a wallet', ['wallet.txt', '--psbt-version', '0'], 'wallet.txt is not a PSBT: it is a wallet file'],
    ['two files', ['v2.psbt', 'spend.psbt', '--psbt-version', '0'], 'convert takes one file, not 2'],
    [
      'a silent payment without its script',
      ['silent.psbt', '--psbt-version', '0'],
      'silent.psbt: Output 0 is a silent payment without its script',
    ],
  ])('refuses %s', async (_, args, reason) => {
    const { code, out, error } = await convert(...args);
    expect([code, out, error]).toEqual([1, '', expect.stringMatching(/^error: [^\n]*\n$/)]);
    expect(error).toContain(reason);
  });
});
