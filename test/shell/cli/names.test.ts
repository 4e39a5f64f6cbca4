import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { guideFiles } from '../../support/guides.ts';
import { type RunInput, run } from '../../support/io.ts';
import { formatHex, formatPsbt, parsePsbt } from '../../support/library.ts';

interface Published {
  readonly name: string;
  readonly from: number;
  readonly until: number;
  readonly pays?: string;
  readonly proof: string;
}

const [simple, , twoTexts]: readonly Published[] = JSON.parse(
  readFileSync(new URL('../../../vectors/bip353.json', import.meta.url), 'utf8'),
);
if (!simple || !twoTexts) throw new Error('the vectors lack proofs');
const NAME = `₿${simple.name}`;

const me = accountFromWords(`${'abandon '.repeat(11)}about`);
const { address, scriptPubKey } = me.receive(0);
const COIN = {
  txid: '11'.repeat(32),
  vout: 0,
  scriptPubKey: formatHex(scriptPubKey),
  amount: 0.001,
  desc: `addr(${address})`,
};
const files: RunInput['files'] = {
  'wallet.txt': guideFiles['wallet.txt'] ?? '',
  'coins.json': JSON.stringify({ unspents: [COIN] }),
  'name.proof': new Uint8Array(Buffer.from(simple.proof, 'base64')),
  'name.txt': `${simple.proof}\n`,
  'name.hex': Buffer.from(simple.proof, 'base64').toString('hex'),
  'two.proof': new Uint8Array(Buffer.from(twoTexts.proof, 'base64')),
};
const on = (
  args: readonly string[],
  { unixTime = simple.from, more = {} }: { unixTime?: number; more?: RunInput['files'] } = {},
) => run(args, { files: { ...files, ...more }, unixTime });
const FROM = ['pay', 'wallet.txt', '--coins-file', 'coins.json', '--fee-rate', '2'];
const pay = (...args: readonly string[]) => on([...FROM, ...args]);

describe('pay --name-proof', () => {
  test.each(['name.proof', 'name.txt', 'name.hex'])(
    'pays the address of a name, with its proof from %s',
    async (file) => {
      const { code, out } = await pay('--pays', `${NAME}=0.0005`, '--name-proof', file);
      expect(code).toBe(0);
      const [record] = parsePsbt(out.trim()).outputs.flatMap(({ dnssecProof }) => dnssecProof ?? []);
      expect(record).toEqual({ name: new Uint8Array(Buffer.from(simple.name)), proof: files['name.proof'] });
    },
  );

  test.each<[readonly string[], RegExp]>([
    [
      ['--pays', `${NAME}=0.0005`],
      /each payment name needs its proof, in the same order: 1 given with --pays, 0 with --name-proof/,
    ],
    [['--pays', `${address}=0.0005`, '--name-proof', 'name.proof'], /--name-proof goes with a payment name/],
    [['--pays', NAME, '--name-proof', 'name.proof'], /₿simple@\S+ has no amount: write/],
    [['--pays', `${NAME}=0,5`, '--name-proof', 'name.proof'], /the amount after "=" is a number of BTC/],
    [
      ['--pays', '₿alice@example.com=0.0005', '--name-proof', 'name.proof'],
      /name\.proof does not prove the name: its DNSSEC proof lacks records that lead to the name \(/,
    ],
    [
      ['--pays', `${twoTexts.name}=0.0005`, '--name-proof', 'two.proof'],
      /does not prove the name: several payments are asked for in that name/,
    ],
    [
      ['--pays', '₿al ice@example.com=0.0005', '--name-proof', 'name.proof'],
      /₿al ice@example\.com is not a payment name, such as ₿alice@example\.com: letters beyond ASCII/,
    ],
    [
      ['--pays', `${NAME}=0.0005`, '--name-proof', 'coins.json'],
      /coins\.json does not prove the name: its DNSSEC proof is not a series of DNS records/,
    ],
    [
      ['--pays', NAME, '--name-proof', 'name.proof', '--all'],
      /--all pays what is left to an address, not to a name: write ₿simple@\S+=AMOUNT, without --all/,
    ],
  ])('%j: refused', async (args, reason) => {
    const { code, out, error } = await pay(...args);
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(reason);
  });

  test('refuses a proof that has expired', async () => {
    const { error } = await on([...FROM, '--pays', `${NAME}=0.0005`, '--name-proof', 'name.proof'], {
      unixTime: simple.until + 1,
    });
    expect(error).toContain(
      'does not prove the name: its proof was valid until 2025-08-10 16:22 UTC: a new one is needed',
    );
  });
});

test.each([
  'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ@example.com',
  'alice@L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ',
  `₿${'zoo '.repeat(11)}wrong@example.com`,
])('a key or seed words in the place of a name are not shown', async (name) => {
  const built = await pay('--pays', `${NAME}=0.0005`, '--name-proof', 'name.proof');
  const runs = [
    await pay('--pays', `${name}=0.0005`, '--name-proof', 'name.proof'),
    await pay('--pays', `${name}=0.0005`),
    await on(['review', 'spend.psbt', '--pays', name], { more: { 'spend.psbt': built.out } }),
  ];
  for (const { code, out, error } of runs) {
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('looks like a key or seed words, not like a payment name');
    expect(error).not.toMatch(/l1aw4|zoo/i);
  }
});

describe('review', () => {
  const psbt = pay('--pays', `${NAME}=0.0005`, '--name-proof', 'name.proof').then(({ out }) => out);
  const review = async (args: readonly string[] = [], unixTime?: number) =>
    on(['review', 'spend.psbt', '--descriptors-file', 'wallet.txt', ...args], {
      ...(unixTime && { unixTime }),
      more: { 'spend.psbt': await psbt },
    });

  test('shows a proven name in the place of the address, and how long it is', async () => {
    const { code, out } = await review();
    expect([code, out]).toEqual([0, expect.stringContaining(NAME)]);
    const words = out.replace(/\s+/g, '');
    expect(words).toContain(`${simple.pays}:nameprovenbyDNSSECuntil2025-08-10`);
  });

  test('proves that it pays a name', async () => {
    const { code, error } = await review(['--pays', NAME]);
    expect([code, error]).toEqual([0, `output 0 pays ${NAME}: 0.0005 BTC to ${simple.pays}\n`]);
    expect((await review(['--pays', `${simple.name.toUpperCase()}=0.0005`])).code).toBe(0);
  });

  test.each<[string, number | undefined, RegExp]>([
    [`${NAME}=0.5`, undefined, /output 0 pays ₿simple@\S+: 0\.0005 BTC, not the 0\.50 BTC that you asked for/],
    [
      '₿alice@example.com',
      undefined,
      /no output is proven to pay ₿alice@example\.com: ask for a PSBT with the proof of that name/,
    ],
    [
      NAME,
      simple.until + 1,
      /no output is proven to pay ₿simple@\S+\. The PSBT has a name for output 0, which is not shown: its proof was valid until 2025-08-10/,
    ],
  ])('--pays %s: refused', async (payee, unixTime, reason) => {
    const { code, error } = await review(['--pays', payee], unixTime);
    expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
  });

  test('warns of a name that has expired, and does not show it', async () => {
    const { code, out } = await review([], simple.until + 1);
    expect([code, out]).toEqual([0, expect.stringContaining('[name-unproven]')]);
    expect(out).not.toContain(simple.name);
  });

  test('refuses another payment under the name', async () => {
    const parsed = parsePsbt((await psbt).trim());
    const outputs = parsed.outputs.map((output) =>
      output.dnssecProof
        ? { ...output, dnssecProof: { ...output.dnssecProof, name: new Uint8Array(Buffer.from('alice@example.com')) } }
        : output,
    );
    const { code, out } = await on(['review', 'spend.psbt', '--descriptors-file', 'wallet.txt'], {
      more: { 'spend.psbt': formatPsbt({ ...parsed, outputs }) },
    });
    expect([code, out]).toEqual([1, expect.stringContaining('[name-refuted]')]);
    expect(out).not.toContain('alice@');
  });
});
