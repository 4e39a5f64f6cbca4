import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaign } from '../../support/campaign.ts';
import { run } from '../../support/io.ts';
import { encodePsbt, formatBase64, type Psbt, parsePsbt } from '../../support/library.ts';
import { make, PAYEE, payment, sign, WALLETS, withInput, without } from '../../support/psbts.ts';

const textOf = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));
const asking = (psbt: Psbt, sighashType: number | undefined, index = 0): Psbt =>
  withInput(psbt, index, (input) => (sighashType === undefined ? input : { ...input, sighashType }));

const OWN = ['pkh', 'wpkh', 'tr'] as const;
const FILES = { mine: OWN.map((name) => WALLETS[name]).join('\n') };
const signs = (psbt: string, args: readonly string[]) =>
  run(['sign', '-', '--network', 'regtest', '--yes', '--descriptors-file', 'mine', ...args], {
    files: FILES,
    stdin: psbt,
  });

/** Adds the options of a printed hint to those of a command line, as a shell reads them. */
function following(hint: string, args: readonly string[]): readonly string[] {
  const [options = '', replaced] = hint.split(' in place of ');
  const kept =
    replaced === undefined ? args : args.filter((arg, i) => arg !== '--sighash' && args[i - 1] !== '--sighash');
  return [...kept, ...options.split(' ').map((word) => word.replaceAll('"', ''))];
}

/** Signs a PSBT, and follows each hint that is printed. @returns the last error text */
async function follow(psbt: string): Promise<{ readonly code: number; readonly last: string }> {
  let args: readonly string[] = [];
  for (let step = 0; step < 6; step += 1) {
    const { code, error } = await signs(psbt, args);
    const last = error.trimEnd().split('\n').at(-1) ?? '';
    const [, hint] = /^not signed\. .* To accept what is refused, add (.+)$/.exec(last) ?? [];
    if (hint === undefined) return { code, last };
    args = following(hint, args);
  }
  return { code: 1, last: `the hints have no end: ${args.join(' ')}` };
}

const TYPES = [undefined, 0, 1, 2, 3, 0x81, 0x82, 0x83] as const;
const cases = fc.record({
  inputs: fc.array(fc.record({ name: fc.constantFrom(...OWN, 'multiOfBob'), type: fc.constantFrom(...TYPES) }), {
    minLength: 1,
    maxLength: 3,
  }),
  paid: fc.constantFrom(10_000n, 900_000n, 9_000_000n),
  spoils: fc.constantFrom('nothing', 'held', 'heldUnnamed', 'undefinedType', 'noTransaction'),
});

const WARNED = { 'sighash-unnamed': 'warn', 'fee-absurd': 'warn', 'fee-negative': 'warn' } as const;
const held = (psbt: Psbt): Psbt => sign(psbt, { sighashType: 0x82, policy: WARNED }, [WALLETS.multiOfBob]).psbt;
const SPOILS: Readonly<Record<string, (psbt: Psbt) => Psbt>> = {
  nothing: (psbt) => psbt,
  held,
  heldUnnamed: (psbt) => withInput(held(psbt), 0, (input) => without(input, 'sighashType')),
  undefinedType: (psbt) => asking(psbt, 0x41),
  noTransaction: (psbt) =>
    withInput(psbt, 0, (input) => {
      const coin = input.nonWitnessUtxo?.outputs[1];
      return { ...without(input, 'nonWitnessUtxo'), ...(coin && { witnessUtxo: coin }) };
    }),
};

test('following the hints of refusals leads to a signature, or to what the PSBT needs', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ inputs, paid, spoils }) => {
      const made = make({
        inputs: inputs.map(({ name }, index) => ({ of: WALLETS[name], index })),
        outputs: [
          { to: PAYEE, value: paid },
          { to: PAYEE, value: 600n },
          { to: PAYEE, value: 600n },
        ],
      });
      const asked = inputs.reduce((psbt, { type }, index) => asking(psbt, type, index), made);
      const { code, last } = await follow(textOf(SPOILS[spoils]?.(asked) ?? asked));
      if (code === 0) return;
      const isForeign = inputs.every(({ name }) => name === 'multiOfBob');
      expect(last).toMatch(isForeign ? /Next: provide the keys|again|add them/ : /again|add them/);
    }),
    campaign(400),
  );
}, 60_000);

describe('the hint', () => {
  test('names the hash type that the PSBT asks for, quoted for a shell', async () => {
    const hintOf = async (psbt: Psbt, args: readonly string[] = []) =>
      / add ([^\n]+)\n$/.exec((await signs(textOf(psbt), args)).error)?.[1];
    expect(await hintOf(asking(payment(['wpkh']), 2))).toBe('--sighash NONE');
    expect(await hintOf(asking(payment(['wpkh']), 0x83))).toBe('--sighash "SINGLE|ANYONECANPAY"');
    expect((await signs(textOf(asking(payment(['tr']), 1)), [])).code).toBe(0);
    expect(await hintOf(asking(payment(['wpkh']), 2), ['--sighash', 'ALL'])).toBe('--sighash NONE in place of ALL');
    const two = asking(asking(payment(['wpkh', 'wpkh']), 2), 3, 1);
    expect(await hintOf(two)).toBe('--policy sighash-unnamed=warn --sighash NONE');
    const ofBob = make({
      inputs: [{ of: WALLETS.multiOfBob }, { of: WALLETS.wpkh }],
      outputs: [{ to: PAYEE, value: 1_990_000n }],
    });
    expect(await hintOf(asking(ofBob, 0x83))).toBe('--policy sighash-unnamed=warn');
  });

  test('names the type again where nothing was signed because of it', async () => {
    const { code, error } = await signs(textOf(asking(payment(['wpkh']), 2)), ['--policy', 'sighash-unnamed=warn']);
    expect(code).toBe(2);
    expect(error.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/^input 0: not signed: it asks for the sighash type NONE; have 0 of 1 signatures/),
      'nothing was signed. Next: pass --sighash NONE if you accept what this sighash type leaves open',
      '',
    ]);
  });

  test('does not switch off the check of a signature that is invalid', async () => {
    const [signature] = sign(payment(['wpkh'])).psbt.inputs[0]?.partialSigs ?? [];
    const other = payment(['wpkh'], { locktime: 7 });
    const psbt = withInput(other, 0, (input) => ({ ...input, ...(signature && { partialSigs: [signature] }) }));
    const { error } = await signs(textOf(psbt), []);
    expect(error).toMatch(
      /\[signature-invalid\]\n[\s\S]*\nnot signed\. A signature is invalid: ask its signer to sign again\.\n$/,
    );
  });
});

describe('an open transaction', () => {
  // cases.md A5: a listing of 546 sat for 0.005 BTC.
  const listing = make({
    inputs: [{ of: WALLETS.tr, value: 1000n }],
    outputs: [{ to: PAYEE, value: 500_000n }],
  });
  const open = ['--sighash', 'SINGLE|ANYONECANPAY'];

  test('of a seller is never called complete, and stays a PSBT that others can complete', async () => {
    const { code, out, error } = await signs(textOf(listing), [...open, '--policy', 'fee-negative=warn']);
    expect(code).toBe(0);
    expect(error).not.toMatch(/complete:|broadcast it with|: complete/);
    expect(error.split('\n').slice(-3)).toEqual([
      'input 0: signed, not finalized',
      'all signatures are present, but the transaction is not ready to broadcast: it pays more than it spends, so others must add inputs. Next: pass the PSBT on to whoever adds inputs',
      '',
    ]);
    const [input] = parsePsbt(out).inputs;
    expect(input).toMatchObject({ sighashType: 0x83, tapKeySig: expect.any(Uint8Array) });
    expect(input?.finalScriptWitness).toBeUndefined();
    const final = await run(['finalize', '-', '--network', 'regtest'], { stdin: out });
    expect([final.code, final.out]).toEqual([2, '']);
  });

  test.each([
    ['NONE', 'its signatures let others change where the money goes'],
    ['SINGLE', 'its signatures let others change where the money goes'],
    ['ALL|ANYONECANPAY', 'its signatures let others add inputs'],
  ])('signed with %s is finalized only by name', async (type, why) => {
    const { out, error } = await signs(textOf(payment(['wpkh'])), ['--sighash', type]);
    expect(error).toContain(`is not ready to broadcast: ${why}. Next: `);
    const final = await run(['finalize', '-', '--network', 'regtest'], { stdin: out });
    expect([final.code, final.out]).toEqual([0, expect.stringMatching(/^[0-9a-f]+\n$/)]);
    expect(final.error).toMatch(new RegExp(`^final: transaction [0-9a-f]{64}, but ${why}: broadcast it only if`));
  });

  test('is complete once a signature commits to everything', async () => {
    const both = asking(payment(['wpkh', 'tr']), 0x83);
    const sold = sign(both, { sighashType: 0x83, policy: { 'sighash-unnamed': 'warn' } }, [WALLETS.wpkh]).psbt;
    const { code, out, error } = await signs(textOf(sold), []);
    expect(error).toMatch(/\ncomplete: transaction [0-9a-f]{64}\. Next: broadcast its hex/);
    expect([code, out]).toEqual([0, expect.stringMatching(/^[0-9a-f]+\n$/)]);
  });
});

test('--no-finalize keeps what other signers need', async () => {
  const { code, out, error } = await signs(textOf(payment(['wpkh'])), ['--no-finalize']);
  expect(code).toBe(0);
  expect(error).toMatch(/\ninput 0: signed, not finalized\nall signatures are present\. Next: finalize the result\n$/);
  expect(parsePsbt(out).inputs[0]).toMatchObject({ partialSigs: [{}], bip32Derivations: [{}] });
  const final = await run(['finalize', '-', '--network', 'regtest'], { stdin: out });
  expect(final.error).toMatch(/^complete: transaction/);
});
