import { describe, expect, test } from 'vitest';
import { type RunInput, run, runForFiles } from '../../../support/io.ts';
import {
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  finalizePsbt,
  formatAddress,
  formatBase64,
  formatTxid,
  formatWif,
  networks,
  type Psbt,
  parseBase64,
  parseHex,
  txid,
} from '../../../support/library.ts';
import {
  ALICE,
  BOB,
  make,
  PAYEE,
  payment,
  scriptAt,
  sign,
  signatureCount,
  WALLETS,
  withInput,
  without,
} from '../../../support/psbts.ts';

const textOf = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));
const psbtOf = (text: string): Psbt => decodePsbtBytes(parseBase64(text));
const WIF = formatWif({ secretKey: ALICE.secretAt('m/84h/1h/0h/0/0'), isCompressed: true }, networks.regtest);
const GOOD = textOf(payment(['wpkh']));
const FILES = { descriptors: `${WALLETS.wpkh}\n`, keys: WIF, 'spend.psbt': GOOD };
const ABSURD = textOf(make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value: 800_000n }] }));

const review = (args: readonly string[], world: RunInput = {}) =>
  run(['review', '--network', 'regtest', ...args], { files: FILES, ...world });
const signpsbt = (args: readonly string[], world: RunInput = {}) =>
  run(['signpsbt', '--network', 'regtest', ...args], { files: FILES, ...world });

const ESCAPE = '\u001b';
/** Undoes the line breaks of a review. */
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('countersign review', () => {
  test('shows what a PSBT would do, without colours if there is no terminal', async () => {
    const { code, out, error } = await review([GOOD, '--descriptors-file', 'descriptors']);
    const coin = formatAddress(scriptAt(WALLETS.wpkh), networks.regtest) ?? '';
    const change = formatAddress(scriptAt(WALLETS.wpkh, 1), networks.regtest) ?? '';
    const payee = formatAddress(PAYEE, networks.regtest) ?? '';
    const inFours = (address: string): string => address.replace(/(.{4})(?=.)/g, '$1 ');
    const [, place = ''] = /^ {5}([0-9a-f]{64}):1$/m.exec(out) ?? [];
    expect(out.split('\n')).toEqual([
      'Nothing suspicious was found.',
      'Leaves   0.00402000 BTC, of it the fee of 0.00002000 BTC; 0.00598000 BTC stay',
      'Pays     0.00400000 BTC to 1 address',
      `  0: 0.00400000 BTC  ${inFours(payee)}`,
      'Fee      0.00002000 BTC, about 14.2 sat/vB, 0.50 % of the payments, proven',
      'Change   0.00598000 BTC',
      `  1: 0.00598000 BTC  ${inFours(change)}`,
      '     change, verified (descriptor 1, 84h/1h/0h/1/0)',
      'Signed   input 0: 0 of 1',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.01000000 BTC in 1 input',
      `  0: 0.01000000 BTC  ${inFours(coin)}`,
      '     yours (descriptor 1, 84h/1h/0h/0/0), amount proven',
      `     ${place}:1`,
      '     have 0 of 1 signatures, still needed: [58be68cb/84h/1h/0h/0/0]',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or',
      '  add inputs',
      '',
    ]);
    expect([code, error]).toEqual([0, '']);
  });

  test('draws where the money goes', async () => {
    const given = ['review', '--network', 'regtest', 'spend.psbt', '--descriptors-file', 'descriptors'];
    const { out } = await run(given, { files: FILES });
    const drawn = await runForFiles([...given, '--svg', 'spend.svg'], { files: FILES });
    expect([drawn.code, drawn.out, drawn.error]).toEqual([0, out, '']);
    const picture = new TextDecoder().decode(drawn.files['spend.svg']);
    expect(picture).toMatch(/^<svg .*your change.*<\/svg>\n$/s);
    expect(picture).toContain('0.00598000 BTC');
    const second = [...given, '--svg', 'other.svg'];
    const files = { ...FILES, 'other.svg': '' };
    expect(await run(second, { files })).toMatchObject({ code: 1, out: '', error: 'error: other.svg exists\n' });
    expect(await run([...second, '--force', '--json'], { files })).toMatchObject({ code: 0, error: '' });
  });

  test('draws a refused PSBT, too, and replaces no file that it reads', async () => {
    const svg = (psbt: string, name: string) =>
      runForFiles(['review', '--network', 'regtest', psbt, '--svg', name, '--force'], { files: FILES });
    const { code, files } = await svg(ABSURD, 'absurd.svg');
    expect(code).toBe(1);
    expect(new TextDecoder().decode(files['absurd.svg'])).toContain('Refused: ');
    for (const name of ['spend.psbt', './spend.psbt']) {
      expect(await svg('spend.psbt', name)).toMatchObject({ code: 1, out: '', files: {} });
    }
    expect((await svg('spend.psbt', '-')).error).toBe(
      'error: --svg needs a file name: standard output has the review\n',
    );
  });

  test('is the same from an argument, a file and standard input', async () => {
    const { out } = await review([GOOD]);
    expect((await review(['--file', 'spend.psbt'])).out).toBe(out);
    expect((await review(['-'], { stdin: `${GOOD}\n` })).out).toBe(out);
    const files = { 'spend.psbt': parseBase64(GOOD) };
    expect((await review(['--file', 'spend.psbt'], { files })).out).toBe(out);
  });

  test('reads what jq, PowerShell and calls write, and names what it does not read', async () => {
    const { out } = await review([GOOD]);
    const quoted = JSON.stringify(GOOD);
    const answer = JSON.stringify({ result: { psbt: GOOD }, error: null, id: 1 });
    for (const text of [quoted, answer, GOOD.replace(/=+$/, '')]) {
      const utf16 = Buffer.from(`\ufeff${text}\r\n`, 'utf16le');
      for (const file of [text, utf16]) {
        expect((await review(['spend.psbt'], { files: { 'spend.psbt': file } })).out).toBe(out);
      }
      expect((await review(['-'], { stdin: text })).out).toBe(out);
    }
    expect((await review([quoted])).out).toBe(out);
    const pset = await review(['-'], { stdin: 'cHNldP8BAgQCAAAA' });
    expect(pset.error).toContain('standard input is not a PSBT: it is a PSET of Liquid (Elements)');
    const other = await review(['-'], { stdin: '{"result":{"psbt":"x"}}' });
    expect(other.error).toContain('it is JSON whose PSBT is neither valid base64 nor valid hex');
  });

  test('aligns amounts', async () => {
    const inputs = [
      { of: WALLETS.wpkh, value: 12_345_678_900n },
      { of: WALLETS.tr, index: 1, value: 1_000n },
    ];
    const psbt = make({
      inputs,
      outputs: [
        { to: PAYEE, value: 12_345_000_000n },
        { to: PAYEE, value: 600n },
      ],
    });
    const { out } = await review([textOf(psbt)]);
    const lines = out.split('\n').filter((line) => / BTC {2}bcrt/.test(line));
    expect(lines.map((line) => line.slice(0, line.indexOf(' BTC')))).toEqual([
      '  0: 123.45000000',
      '  1:   0.00000600',
      '  0: 123.45678900',
      '  1:   0.00001000',
    ]);
  });

  test('uses colours on a terminal, with the same words', async () => {
    const given = [ABSURD, '--descriptors-file', 'descriptors'];
    const plain = await review(given);
    const coloured = await review(given, { isTerminal: true });
    expect(plain.out).not.toContain(ESCAPE);
    expect(coloured.out).toContain(`${ESCAPE}[31mREFUSED: `);
    expect(coloured.out).toContain(`${ESCAPE}[1mSpends   ${ESCAPE}[0m`);
    expect(coloured.out.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '')).toBe(plain.out);
    expect((await review(given, { isWatched: true })).out).toBe(plain.out);
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await review(given, { isTerminal: true, environment })).out).toBe(plain.out);
    }
    expect((await review(given, { isTerminal: true, environment: { NO_COLOR: '' } })).out).toBe(coloured.out);
  });

  test('exits with 1 if the policy refuses', async () => {
    const { code, out } = await review([ABSURD]);
    expect(code).toBe(1);
    expect(out).toContain('REFUSED: The fee of 0.00200000 BTC is 1818 sat/vB, above 1000. [fee-absurd]');
    const warned = await review([ABSURD, '--policy', 'fee-absurd=warn']);
    expect(warned.code).toBe(0);
    expect(warned.out).toContain('Warning: The fee of 0.00200000 BTC is 1818 sat/vB, above 1000. [fee-absurd]');
    expect((await review([ABSURD, '--policy', 'fee-absurd=allow'])).out).not.toContain('fee-absurd');
    expect((await review([GOOD, '--policy', 'change-unverified=refuse'])).code).toBe(1);
  });

  test('reports change without a descriptor, and unproven amounts, as only claimed', async () => {
    expect((await review([GOOD])).out).toMatch(
      /^Warning: Output 1 claims to be change, [\s\S]*\[change-unverified\]\n/,
    );
    const two = withInput(payment(['wpkh', 'wpkh']), 1, (input) => without(input, 'nonWitnessUtxo'));
    const { out } = await review([textOf(two)]);
    expect(out).toMatch(
      /^ {2}0: 0\.01000000 BTC {2}.*\n {5}amount proven\n(?: {5}.*\n)+ {2}1: 0\.01000000 BTC {2}.*\n {5}amount only claimed\n/m,
    );
    expect(out).toMatch(/^Fee {6}0\.00002000 BTC, .*, 0\.10 % of the payments, only claimed\n/m);
    expect(out).toContain('\n  amount only claimed: its previous transaction is missing\n');
    expect(out).toContain('\n  fee only claimed: not all amounts are proven\n');
  });

  test('reports unknown coins and locks', async () => {
    const unknown = withInput(payment(['wpkh']), 0, (input) => without(input, 'nonWitnessUtxo', 'witnessUtxo'));
    const { out } = await review([textOf(unknown)]);
    expect(out).toContain('\n  0: unknown coin\n');
    expect(out).toContain('\nFee      unknown: not all coins and amounts are known\n');
    const locked = await review([textOf(payment(['wpkh'], { locktime: 800_000 }))]);
    expect(locked.out).toContain('\nMined    not before block 800001; signals that it may be replaced (BIP125)\n');
    const timed = await review([textOf(payment(['wpkh'], { locktime: 1_700_000_000 }))]);
    expect(timed.out).toContain('\nMined    not before 2023-11-14 22:13:20 UTC; ');
    const inputs = [{ of: WALLETS.wpkh, sequence: 0xffff }];
    const held = await review([textOf(make({ inputs, outputs: [{ to: PAYEE, value: 990_000n }] }))]);
    expect(held.out).toContain('\nMined    once its coins are old enough; signals that it may be replaced (BIP125)\n');
  });

  test('reports who has signed, and whose signature is invalid', async () => {
    const half = sign(payment(['multi']), {}, [WALLETS.multi]).psbt;
    const { out } = await review([textOf(half)]);
    expect(out).toMatch(
      /^ {5}signed by \[58be68cb\/48h\/1h\/0h\/0\/0\] \(claimed\)\n {5}have 1 of 2 signatures, still needed: \[bb2f0b29\/48h\/1h\/0h\/0\/0\] \(claimed\)$/m,
    );
    expect(out).toContain('\nSigned   input 0: 1 of 2\n');
    const spoiled = { ...half, outputs: half.outputs.map((output) => ({ ...output, amount: 499_000n })) };
    const bad = await review([textOf(spoiled)]);
    expect(bad.code).toBe(1);
    expect(bad.out).toMatch(/^ {5}invalid signature of \[58be68cb\/48h\/1h\/0h\/0\/0\] \(claimed\)$/m);
    const final = finalizePsbt(sign(payment(['wpkh'])).psbt).psbt;
    expect((await review([textOf(final)])).out).toMatch(/\nSigned {3}input 0: final\n[\s\S]*\n {5}final\n/);
  });

  test.each([
    [[], 'error: review needs a file: name it after the command, or give "-" for standard input\n'],
    [['!'], /^error: [^\n]+\n$/],
    [['cHNidP8='], /^error: [^\n]+\n$/],
    [[GOOD, 'ALL', 'more'], 'error: review takes one PSBT, and after it at most a sighash type, such as ALL\n'],
    [[GOOD, 'ALLE'], 'error: review takes one PSBT, and after it at most a sighash type, such as ALL\n'],
    [['0200000001'], 'error: the argument is not a PSBT: it is hex, but not of a PSBT or a transaction\n'],
    [[GOOD, '--descriptors-file', 'nowhere'], 'error: --descriptors-file: cannot read nowhere: no such file\n'],
    [
      [GOOD, '--policy', 'fee-absrud=warn'],
      /^error: --policy: unknown check "fee-absrud"; did you mean fee-absurd\? \(known: amount-unproven, [^\n]+\)\n$/,
    ],
    [[GOOD, '--policy', 'nonsense=warn'], /^error: --policy: unknown check "nonsense" \(known: [^\n]+\)\n$/],
    [[GOOD, '--policy', 'dust=maybe'], 'error: --policy dust=...: the action must be one of refuse, warn, allow\n'],
    [[GOOD, '--policy', 'dust'], 'error: --policy dust=...: the action must be one of refuse, warn, allow\n'],
    [
      [GOOD, '--policy', 'dust=warn=allow'],
      'error: --policy dust=...: the action must be one of refuse, warn, allow\n',
    ],
    [[GOOD, '--policy', 'toString=warn'], /^error: --policy: unknown check "toString" \(known: [^\n]+\)\n$/],
  ])('answers a mistake with one line, %#', async (args, error) => {
    const found = await review(args);
    expect([found.code, found.out]).toEqual([1, '']);
    if (typeof error === 'string') expect(found.error).toBe(error);
    else expect(found.error).toMatch(error);
  });
});

describe('countersign signpsbt', () => {
  const DONE = { complete: true };

  test('signs with --yes, finalizes, and returns the transaction', async () => {
    for (const args of [
      ['--keys-file', 'keys'],
      ['--descriptors-file', 'descriptors'],
    ]) {
      const { code, out, error } = await signpsbt([GOOD, '--yes', ...args]);
      const answer = JSON.parse(out);
      expect([code, Object.keys(answer)]).toEqual([0, ['psbt', 'complete', 'hex']]);
      expect(answer).toMatchObject(DONE);
      expect(error).toContain('\nSpends   0.01000000 BTC in 1 input\n');
      expect(error).not.toContain(ESCAPE);
      expect(finalizePsbt(psbtOf(answer.psbt)).isComplete).toBe(true);
    }
  });

  test('shows the review in colours on a terminal', async () => {
    const { error, out } = await signpsbt([GOOD, '--yes', '--keys-file', 'keys'], { isWatched: true });
    expect(error).toContain(ESCAPE);
    expect(out).not.toContain(ESCAPE);
  });

  test('returns a partly signed PSBT', async () => {
    const files = { quorum: WALLETS.multi };
    const args = [textOf(payment(['multi'])), '--yes', '--descriptors-file', 'quorum'];
    const { code, out } = await signpsbt(args, { files });
    const answer = JSON.parse(out);
    expect([code, answer.complete, 'hex' in answer]).toEqual([0, false, false]);
    expect(signatureCount(psbtOf(answer.psbt))).toBe(1);
  });

  test('reports the progress of each input, and what to do next', async () => {
    const files = { quorum: WALLETS.multi, bob: WALLETS.multiOfBob, descriptors: WALLETS.wpkh };
    const given = textOf(payment(['multi']));
    const last = (error: string): readonly string[] => error.trimEnd().split('\n').slice(-2);
    const first = await signpsbt([given, '--yes', '--descriptors-file', 'quorum'], { files });
    expect([first.code, ...last(first.error)]).toEqual([
      0,
      'input 0: have 1 of 2 signatures, still needed: [bb2f0b29/48h/1h/0h/0/0]',
      'not complete yet. Next: pass the PSBT on to the next signer, or combine it with theirs (countersign combine)',
    ]);
    const second = await signpsbt([JSON.parse(first.out).psbt, '--yes', '--descriptors-file', 'bob'], { files });
    const { psbt, hex } = JSON.parse(second.out);
    const id = formatTxid(txid(decodeTransaction(parseHex(hex))));
    const done = `complete: transaction ${id}. Next: broadcast its hex with a node (sendrawtransaction), an online wallet or an explorer`;
    expect([second.code, ...last(second.error)]).toEqual([0, 'input 0: complete', done]);
    const again = await signpsbt([psbt, '--yes', '--descriptors-file', 'bob'], { files });
    expect([again.code, ...last(again.error)]).toEqual([0, 'input 0: complete', done]);
  });

  test('names each way to spend, and how many signatures it requires', async () => {
    const key = (person: typeof ALICE): string => `${person.xpub('m/7h')}/*`;
    const quorum = `multi_a(2,${ALICE.xprv('m/7h')}/*,${key(BOB)})`;
    const descriptor = `tr(${key(BOB)},${quorum})`;
    const plan = { inputs: [{ of: descriptor }], outputs: [{ to: PAYEE, value: 990_000n }] };
    const files = { leaf: descriptor };
    const { code, error } = await signpsbt([textOf(make(plan)), '--yes', '--descriptors-file', 'leaf'], { files });
    const single = 'key [bb2f0b29/7h/0] at once: have 0 of 1 signatures';
    const both = (have: number, wanted: string): string =>
      `or at once: have ${have} of 2 signatures, still needed: ${wanted}`;
    expect(error).toContain('\nSigned   input 0: 0 of 1 or 0 of 2\n');
    expect(unwrapped(error)).toContain(` ${single} ${both(0, '[58be68cb/7h/0] and [bb2f0b29/7h/0]')} `);
    expect(error).toContain(`\ninput 0: ${single}; ${both(1, '[bb2f0b29/7h/0]')}\n`);
    expect(code).toBe(0);
  });

  test('says which timelocks no signature can replace', async () => {
    const key = (person: typeof ALICE): string => `${person.xpub('m/7h')}/*`;
    const descriptor = `tr(${key(BOB)},and_v(v:pk(${ALICE.xprv('m/7h')}/*),older(144)))`;
    const files = { leaf: descriptor };
    const signed = async (sequence: number) => {
      const plan = { inputs: [{ of: descriptor, sequence }], outputs: [{ to: PAYEE, value: 990_000n }] };
      return signpsbt([textOf(make(plan)), '--yes', '--descriptors-file', 'leaf'], { files });
    };
    const closed =
      'ways to spend that need older(144) are closed: only a new PSBT with that sequence or lock time opens them';
    expect((await signed(0xfffffffd)).error).toContain(`; ${closed}\n`);
    const open = await signed(144);
    expect(open.error).not.toContain('are closed');
    expect(JSON.parse(open.out)).toMatchObject({ complete: true });
  });

  test('exits with 2 if it could sign nothing', async () => {
    const { code, out, error } = await signpsbt([textOf(payment(['pkh'])), '--yes', '--keys-file', 'keys']);
    expect([code, JSON.parse(out).complete]).toEqual([2, false]);
    expect(error).toMatch(
      /\ninput 0: not signed: none of the keys that it still needs is available; have 0 of 1 signatures, still needed: \[58be68cb[^\n]+\nnothing was signed\. Next: [^\n]+\n$/,
    );
  });

  test('refuses a PSBT that claims more keys for a coin than the review searches', async () => {
    const two = make({
      inputs: [{ of: WALLETS.wpkh }, { of: WALLETS.wpkh, index: 150 }],
      outputs: [{ to: PAYEE, value: 1_990_000n }],
    });
    const path = (index: number) => ALICE.fingerprint && [84 + 2 ** 31, 1 + 2 ** 31, 2 ** 31, 0, index];
    const hidden = withInput(two, 1, (input) => {
      const [own] = input.bip32Derivations ?? [];
      const decoys = Array.from({ length: 8 }, (_, i) => ({
        pubkey: ALICE.keyAt(`m/84h/1h/0h/0/${1000 + i}`),
        fingerprint: ALICE.fingerprint,
        path: path(1000 + i),
      }));
      return { ...input, bip32Derivations: own ? [...decoys, { ...own, path: path(9000) }] : decoys };
    });
    const second = formatWif({ secretKey: ALICE.secretAt('m/84h/1h/0h/0/150'), isCompressed: true }, networks.regtest);
    const files = { descriptors: `wpkh(${ALICE.xpub('m/84h/1h/0h')}/0/*)`, keys: `${WIF} ${second}` };
    const given = [textOf(hidden), '--yes', '--descriptors-file', 'descriptors', '--keys-file', 'keys'];
    const { code, error } = await signpsbt(given, { files });
    expect(code).toBe(1);
    expect(unwrapped(error)).toMatch(
      /^REFUSED: Input 1 names more keys than the review searches .* \[search-cut\] Leaves /,
    );
    expect(error).toContain('Leaves   0.02000000 BTC, of it the fee of 0.00010000 BTC');
    expect(error).toMatch(/\nnot signed\. Create the PSBT again in a wallet that you trust, with fewer outputs/);
  });

  test('counts coins of its keys alone, not of public descriptors beside them, before and after signing', async () => {
    const silent = withInput(payment(['wpkh', 'wpkh']), 1, ({ bip32Derivations: _, ...input }) => input);
    const second = formatWif({ secretKey: ALICE.secretAt('m/84h/1h/0h/0/1'), isCompressed: true }, networks.regtest);
    const files = { descriptors: `wpkh(${ALICE.xpub('m/84h/1h/0h')}/0/0)`, keys: second };
    const options = ['--yes', '--descriptors-file', 'descriptors', '--keys-file', 'keys'];
    const first = await signpsbt([textOf(silent), ...options], { files });
    expect(first.error).toContain('[coin-foreign]');
    expect(first.error).toContain('Leaves   0.01000000 BTC\n');
    const signed = (JSON.parse(first.out) as { psbt: string }).psbt;
    const again = await signpsbt([signed, ...options], { files });
    expect(again.error).toContain('Leaves   0.01000000 BTC\n');
  });

  test('asks, and signs only if the answer is "yes" in full', async () => {
    const args = [GOOD, '--descriptors-file', 'descriptors'];
    const yes = await signpsbt(args, { typed: ['yes'] });
    expect([yes.code, JSON.parse(yes.out).complete]).toEqual([0, true]);
    expect(yes.error).toMatch(
      /Sign it\? Type yes: yes\ninput 0: complete\ncomplete: transaction [0-9a-f]{64}\. [^\n]+\n$/,
    );
    for (const answer of ['', 'y', 'no', 'yes please']) {
      const no = await signpsbt(args, { typed: [answer] });
      expect([no.code, no.out]).toEqual([1, '']);
      expect(no.error).toMatch(/not signed: the answer was not "yes"\n$/);
    }
  });

  test('prompts for keys without echo, before it asks whether to sign', async () => {
    const { code, out, error } = await signpsbt([GOOD], { typed: [WIF, 'yes'] });
    expect([code, JSON.parse(out).complete]).toEqual([0, true]);
    expect(error).toMatch(
      /^Private keys[^\n]*\(not shown\): \nNothing suspicious was found\.\n[\s\S]*\nSpends [\s\S]*\nPays 0\.00598000 BTC to bcrt [\s\S]*, fee 0\.00002000\. Sign it\? Type yes: yes\ninput 0: complete\ncomplete: [^\n]+\n$/,
    );
  });

  test('refuses without a terminal and --yes', async () => {
    for (const args of [
      ['--keys-file', 'keys'],
      ['--descriptors-file', 'descriptors'],
    ]) {
      const { code, out, error } = await signpsbt([GOOD, ...args]);
      expect([code, out]).toEqual([1, '']);
      expect(error).toMatch(/not signed: no terminal to confirm on; pass --yes once you have reviewed it\n$/);
    }
  });

  test('refuses what the policy refuses, even with --yes', async () => {
    for (const world of [{}, { typed: ['yes', 'yes'] }]) {
      const refused = await signpsbt([ABSURD, '--yes', '--keys-file', 'keys'], world);
      expect([refused.code, refused.out]).toEqual([1, '']);
      expect(refused.error).toMatch(
        /^REFUSED: [^\n]* \[fee-absurd\]\nLeaves [\s\S]*\nnot signed\. Create the PSBT again with a lower fee\. To accept what is refused, add --policy fee-absurd=warn\n$/,
      );
      expect(refused.error).not.toContain('Sign it?');
    }
    const named = await signpsbt([ABSURD, '--yes', '--keys-file', 'keys', '--policy', 'fee-absurd=warn']);
    expect([named.code, JSON.parse(named.out).complete]).toEqual([0, true]);
  });

  test('signs with another sighash type only if the argument and the PSBT name it', async () => {
    const asks = textOf(withInput(payment(['wpkh']), 0, (input) => ({ ...input, sighashType: 0x83 })));
    const args = ['--yes', '--keys-file', 'keys'];
    const silent = await signpsbt([asks, ...args]);
    expect([silent.code, silent.out]).toEqual([1, '']);
    expect(silent.error).toContain('[sighash-unnamed]');
    const named = await signpsbt([asks, 'SINGLE|ANYONECANPAY', ...args]);
    expect(named.code).toBe(0);
    expect(unwrapped(named.error)).toMatch(
      /^Warning: Signatures of input 0 \(SINGLE\|ANYONECANPAY\) commit to output 0 only/,
    );
    // SINGLE with ANYONECANPAY leaves the transaction to others.
    expect(JSON.parse(named.out)).toEqual({ psbt: expect.any(String), complete: false });
  });

  test('takes from its descriptors what the PSBT lacks', async () => {
    const wrapped = withInput(payment(['shWpkh']), 0, (input) => {
      const coin = input.nonWitnessUtxo?.outputs[1];
      return { ...without(input, 'nonWitnessUtxo', 'redeemScript'), ...(coin && { witnessUtxo: coin }) };
    });
    const files = { own: WALLETS.shWpkh };
    const { code, out, error } = await signpsbt([textOf(wrapped), '--yes', '--descriptors-file', 'own'], { files });
    expect(error).not.toContain('legacy-unproven');
    expect([code, out !== '' && JSON.parse(out).complete]).toEqual([0, true]);
  });

  test('recognizes keys of another network, with one line', async () => {
    const files = { keys: formatWif({ secretKey: ALICE.secretAt('m/0'), isCompressed: true }, networks.main) };
    const { code, out, error } = await signpsbt([GOOD, '--yes', '--keys-file', 'keys'], { files });
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/^error: --keys-file: keys: [^\n]*main[^\n]*regtest[^\n]*\n$/);
  });
});

test('help describes review and signpsbt', async () => {
  for (const command of ['review', 'signpsbt']) {
    const { code, out } = await run(['help', command]);
    expect(code).toBe(0);
    expect(out).toContain(command);
    const { out: listed } = await run(command === 'review' ? ['help'] : ['help', 'node']);
    expect(listed).toContain(`countersign ${command} `);
  }
});
