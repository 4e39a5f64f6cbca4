import { describe, expect, test } from 'vitest';
import { accountFromDescriptors } from '../../../src/kit/account/index.ts';
import { startRegtest } from '../../../src/shell/regtest/index.ts';
import { run } from '../../support/io.ts';
import { formatHex, formatWif, networks, nobleEcc, sha256 } from '../../support/library.ts';

const secret = (fill: number) => new Uint8Array(32).fill(fill);
const wif = formatWif({ secretKey: secret(1), isCompressed: true }, networks.regtest);
const [claimer, refunder] = [1, 2].map((fill) => formatHex(nobleEcc.publicKey(secret(fill))));
const PREIMAGE = formatHex(secret(0x77));
const hash = formatHex(sha256(secret(0x77)));
const policy = (key: string): string => `wsh(andor(pk(${key}),sha256(${hash}),and_v(v:pk(${refunder}),after(50))))`;
const swap = accountFromDescriptors(policy(claimer ?? ''), { network: 'regtest' });

const chain = startRegtest();
chain.mine(1);
const coin = chain.fund(swap.receive(0).address, 100_000n);
const files = {
  public: policy(claimer ?? ''),
  private: policy(wif),
  coins: JSON.stringify([{ ...coin, address: swap.receive(0).address, value: 100_000 }]),
  preimage: `\n${PREIMAGE.toUpperCase()}\r\n`,
  other: `${PREIMAGE}\n${'88'.repeat(32)}\n`,
  text: `${PREIMAGE}\nsecret words of mine\n`,
  blank: '\n\n',
  many: '00\n'.repeat(1001),
};
const paid = ['--all', '--pays', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', '--fee-rate', '2'];
const { out: claim } = await run(['pay', 'public', '--network', 'regtest', '--coins-file', 'coins', ...paid], {
  files,
});
const on = (command: string, ...args: readonly string[]) =>
  run([command, '-', '--network', 'regtest', '--descriptors-file', 'private', ...args], { files, stdin: claim });

describe('--preimage-file', () => {
  test('completes what a script with a hash asks for, as a node accepts it', async () => {
    expect((await on('sign', '--yes')).error).toContain('not complete yet');
    const { code, out, error } = await on('sign', '--yes', '--preimage-file', 'preimage');
    expect([code, error]).toEqual([0, expect.stringContaining('complete: transaction ')]);
    expect(out).toContain(PREIMAGE);
    const [answer] = JSON.parse(JSON.stringify(chain.rpc.call('testmempoolaccept', [[out.trim()]])));
    expect(answer).toMatchObject({ allowed: true });
    const psbt = await on('signpsbt', '--yes', '--preimage-file', 'preimage');
    expect(JSON.parse(psbt.out)).toMatchObject({ complete: true });
    expect((await on('review', '--preimage-file', 'preimage')).code).toBe(0);
  });

  test.each([
    [
      'that no script asks for',
      ['other'],
      '--preimage-file: other, line 2 has none of the hashes in the scripts of the PSBT',
    ],
    ['that is not hex', ['text'], '--preimage-file: text, line 2 is not a preimage in hex'],
    ['of an empty file', ['blank'], '--preimage-file: blank holds no preimages'],
    ['among too many', ['many'], '--preimage-file: many has more than 1000 lines'],
    ['of a file that is not there', ['none'], '--preimage-file: cannot read none: no such file'],
    ['of standard input, twice', ['-', '-'], 'standard input can be read only once'],
  ])('refuses one %s, and quotes none', async (_, paths, reason) => {
    const options = paths.flatMap((path) => ['--preimage-file', path]);
    const { code, out, error } = await on('sign', '--yes', ...options);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(`error: ${reason}`);
    expect(error).not.toMatch(/7777|8888|words/);
  });
});
