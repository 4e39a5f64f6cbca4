import { describe, expect, test } from 'vitest';
import { decodeMiniscript } from '../../../src/core/descriptors/miniscript/index.ts';
import { measureProgress, psbtProgress } from '../../../src/core/job/progress.ts';
import { nextStepAdvice } from '../../../src/shell/cli/nextSteps.ts';
import {
  finalizePsbt,
  formatHex,
  type InputProgress,
  type Psbt,
  parseHex,
  progressText,
  type QuorumProgress,
} from '../../support/library.ts';
import {
  ALICE,
  BOB,
  make,
  PAYEE,
  payment,
  sign,
  WALLETS,
  type WalletName,
  withInput,
  without,
} from '../../support/psbts.ts';

const KEYS = Array.from({ length: 12 }, (_, i) => parseHex(`02${(i + 16).toString(16).repeat(32)}`));
const quorum = (more: Partial<QuorumProgress> = {}): QuorumProgress => ({
  have: 0,
  signed: [],
  wanted: [],
  isKeyPath: false,
  ...more,
});
const textOf = (more: Partial<InputProgress>): string =>
  progressText({
    inputIndex: 3,
    isComplete: false,
    isFinalized: false,
    status: 'asked',
    added: 1,
    quorums: [],
    unmetLocks: [],
    unverified: [],
    unknownKeys: [],
    isUnread: false,
    ...more,
  });
const [first = parseHex(''), second = first] = KEYS;
const signer = (publicKey: Uint8Array): QuorumProgress['wanted'][number] => ({ publicKey });

describe('progress in words', () => {
  test.each<[Partial<InputProgress>, string]>([
    [{ isComplete: true }, 'complete'],
    [{ isComplete: true, status: 'final' }, 'complete'],
    [{}, 'have no signatures, and no key that could give them is named'],
    [{ added: 0, status: 'unsigned' }, 'have no signatures, and no key that could give them is named'],
    [{ added: 0 }, 'not signed: none of the keys that it still needs is available'],
    [
      { added: 0, status: 'no-coin' },
      'not signed: the PSBT lacks the UTXO record (amount and script) of its coin, or of one that it commits to',
    ],
    [{ added: 0, status: 'sighash-mismatch' }, 'not signed: its signatures have a different sighash type'],
    [
      { added: 0, status: 'sighash-mismatch', askedType: 0x82 },
      'not signed: it asks for the sighash type NONE|ANYONECANPAY',
    ],
    [{ isComplete: true, isUnfinalized: true }, 'signed, not finalized'],
    [{ added: 0, status: 'sighash-undefined' }, 'not signed: its sighash type is undefined'],
    [{ added: 0, status: 'single-without-output' }, 'not signed: SINGLE needs an output with the index of the input'],
    [{ added: 0, status: 'unproven-legacy-coin' }, 'not signed: its previous transaction is missing'],
    [{ added: 0, status: 'final' }, 'final, but not a valid spend of its coin'],
    [
      { status: 'no-coin', added: 0, unverified: ['coin', 'coin'] },
      '2 signatures, which cannot be verified: the PSBT does not show the coin; combine this PSBT with the one that was sent',
    ],
    [{ quorums: [quorum({ have: 1 })] }, 'have 1 signature'],
    [{ quorums: [quorum({ have: 2 })] }, 'have 2 signatures'],
    [{ quorums: [quorum({ have: 1, required: 2 })] }, 'have 1 of 2 signatures'],
    [{ quorums: [quorum({ isKeyPath: true })] }, 'at once: have 0 signatures'],
    [
      { quorums: [quorum({ leafHash: parseHex('ab'.repeat(32)) }), quorum({ have: 1 })] },
      'by the leaf abababababababab...: have 0 signatures; or have 1 signature',
    ],
    [
      { quorums: [quorum({ wanted: [signer(first), signer(second)] })] },
      `have 0 signatures, still needed: ${formatHex(first)} or ${formatHex(second)}`,
    ],
    [
      { quorums: [quorum({ wanted: KEYS.slice(0, 10).map(signer) })] },
      `have 0 signatures, still needed: ${KEYS.slice(0, 10).map(formatHex).join(' or ')}`,
    ],
    [
      { quorums: [quorum({ wanted: KEYS.map(signer) })] },
      `have 0 signatures, still needed: ${KEYS.slice(0, 10).map(formatHex).join(' or ')} or 2 others`,
    ],
    [
      { unmetLocks: ['older(2)', 'after(3)'] },
      'ways to spend that need older(2), after(3) are closed: only a new PSBT with that sequence or lock time opens them',
    ],
    [
      { unmetLocks: [1, 2, 3, 4, 5].map((n) => `older(${n})`) },
      'ways to spend that need older(1), older(2), older(3), older(4), older(5) are closed: only a new PSBT with that sequence or lock time opens them',
    ],
    [
      { unmetLocks: [1, 2, 3, 4, 5, 6].map((n) => `older(${n})`) },
      'ways to spend that need older(1), older(2), older(3), older(4), older(5), ... are closed: only a new PSBT with that sequence or lock time opens them',
    ],
  ])('%#', (progress, text) => {
    expect(textOf(progress)).toBe(`input 3: ${text}`);
  });
});

describe('the standing of an input', () => {
  const standing = (psbt: Psbt): InputProgress | undefined => psbtProgress(psbt).inputs[0];
  const quorums = (psbt: Psbt): readonly (readonly [number, number | undefined, number])[] =>
    (standing(psbt)?.quorums ?? []).map(({ have, required, wanted }) => [have, required, wanted.length]);
  const signedBy = (psbt: Psbt, ...names: readonly WalletName[]): Psbt =>
    sign(
      psbt,
      {},
      names.map((name) => WALLETS[name]),
    ).psbt;

  test('counts the signatures of a multisig', () => {
    const psbt = payment(['multi']);
    expect(quorums(psbt)).toEqual([[0, 2, 2]]);
    expect(quorums(signedBy(psbt, 'multi'))).toEqual([[1, 2, 1]]);
    const whole = signedBy(psbt, 'multi', 'multiOfBob');
    expect(standing(whole)).toMatchObject({ isComplete: true, isFinalized: true, quorums: [], unmetLocks: [] });
    expect(standing(finalizePsbt(whole).psbt)).toMatchObject({ isComplete: true, isFinalized: false });
  });

  test('shows a key without an origin as it is', () => {
    const [alice = '', bob = ''] = [ALICE, BOB].map((person) => formatHex(person.keyAt('m/5')));
    const textsFor = (of: string): string => {
      const progress = standing(make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 999_000n }] }));
      return progress ? progressText(progress) : '';
    };
    expect(textsFor(`wsh(multi(2,${alice},${bob}))`)).toBe(
      `input 0: have 0 of 2 signatures, still needed: ${alice} and ${bob}`,
    );
    expect(textsFor(`tr(${alice},pk(${bob}))`)).toContain(`key ${alice.slice(2)} at once: have 0 of 1 signatures`);
    expect(textsFor(`wpkh([01020304]${alice})`)).toContain('still needed: [01020304] (claimed)');
  });

  const [A, B, C] = [ALICE.xpub('m/87h'), BOB.xpub('m/87h'), BOB.xpub('m/88h')].map((key) => `${key}/<0;1>/*`);
  const [ofA, ofB, ofC] = [ALICE, BOB, BOB].map((person, i) => {
    return `[${formatHex(person.fingerprint)}/${i < 2 ? 87 : 88}h/0/0] (claimed)`;
  });
  const HASH = '5a'.repeat(32);
  const closed = (lock: string): string =>
    `; ways to spend that need ${lock} are closed: only a new PSBT with that sequence or lock time opens them`;
  const later = closed('older(144)');

  test.each<[string, string, number, string]>([
    [`multi(2,${A},${B})`, '', 0, `have 0 of 2 signatures, still needed: ${ofA} and ${ofB}`],
    [`multi(2,${A},${B},${C})`, '', 0, `have 0 of 2 signatures, still needed: 2 of: ${ofA}, ${ofB}, ${ofC}`],
    [`multi(2,${A},${B},${C})`, 'A', 0, `have 1 of 2 signatures, still needed: ${ofB} or ${ofC}`],
    [
      `or_d(pk(${A}),and_v(v:pkh(${B}),older(144)))`,
      'B',
      0,
      `have 0 of 1 signatures, still needed: ${ofA}; ${ofB} only after 144 blocks${later}`,
    ],
    [
      `or_d(multi(2,${A},${B}),and_v(v:pkh(${C}),older(144)))`,
      'AC',
      0,
      `have 1 of 2 signatures, still needed: ${ofB}; ${ofC} only after 144 blocks${later}`,
    ],
    [
      `or_i(multi(2,${A},${B}),and_v(v:pk(${C}),sha256(${HASH})))`,
      'A',
      0,
      `have 1 signature, still needed: ${ofB} or (${ofC} and the preimage of sha256 5a5a5a5a5a5a5a5a...)`,
    ],
    [
      `and_v(v:pk(${A}),sha256(${HASH}))`,
      'A',
      0,
      'have 1 of 1 signatures, still needed: the preimage of sha256 5a5a5a5a5a5a5a5a...',
    ],
    [
      `thresh(3,pk(${A}),s:pk(${B}),s:pk(${C}),sln:older(144))`,
      '',
      144,
      `have 0 of 2 signatures, still needed: 2 of: ${ofA}, ${ofB}, ${ofC}`,
    ],
    [
      `thresh(3,pk(${A}),s:pk(${B}),s:pk(${C}),sln:older(144))`,
      '',
      0,
      `have 0 of 3 signatures, still needed: ${ofA} and ${ofB} and ${ofC}; 2 suffice after 144 blocks${later}`,
    ],
    [
      `or_i(multi(2,${A},${B}),and_v(v:pk(${C}),after(500)))`,
      '',
      0,
      `have 0 of 2 signatures, still needed: ${ofA} and ${ofB}; ${ofC} only after block 500${closed('after(500)')}`,
    ],
  ])('says which signatures and preimages it lacks, %#', (script, signers, sequence, text) => {
    const of = `wsh(${script})`;
    const psbt = make({
      inputs: [{ of, ...(sequence > 0 && { sequence }) }],
      outputs: [{ to: PAYEE, value: 999_000n }],
    });
    const secrets: readonly (readonly [string, string])[] = [
      ['A', `pk(${ALICE.xprv('m/87h')}/<0;1>/*)`],
      ['B', `pk(${BOB.xprv('m/87h')}/<0;1>/*)`],
      ['C', `pk(${BOB.xprv('m/88h')}/<0;1>/*)`],
    ];
    const keys = secrets.flatMap(([name, key]) => (signers.includes(name) ? [key] : []));
    const progress = standing(keys.length > 0 ? sign(psbt, {}, keys).psbt : psbt);
    expect(progress && progressText(progress)).toBe(`input 0: ${text}`);
  });

  test('counts those of the key path and of each leaf apart', () => {
    const psbt = payment(['tree']);
    const [keyPath, ...leaves] = standing(psbt)?.quorums ?? [];
    expect(keyPath).toMatchObject({ isKeyPath: true, have: 0, wanted: [{}] });
    expect(keyPath).not.toHaveProperty('leafHash');
    expect(leaves).toHaveLength(2);
    for (const leaf of leaves) {
      expect(leaf).toMatchObject({ isKeyPath: false, have: 0, required: 1, of: 1, wanted: [{}] });
      expect(leaf.leafScript).toBeInstanceOf(Uint8Array);
      expect(leaf.leafHash).toHaveLength(32);
    }
    const single = standing(payment(['wpkh']))?.quorums;
    expect(single).toMatchObject([
      { isKeyPath: false, have: 0, required: 1, of: 1, wanted: [{ publicKey: ALICE.keyAt('m/84h/1h/0h/0/0') }] },
    ]);
  });

  test('knows how many signatures a leaf of many keys takes', () => {
    const [alice, bob] = [ALICE.xpub('m/87h'), BOB.xpub('m/87h')];
    const of = `tr(${ALICE.xpub('m/86h')}/<0;1>/*,multi_a(2,${alice}/<0;1>/*,${bob}/<0;1>/*))`;
    const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 900_000n }] });
    expect(quorums(psbt)).toEqual([
      [0, 1, 1],
      [0, 2, 2],
    ]);
    const leaf = psbt.inputs[0]?.tapLeafScripts?.[0]?.script ?? parseHex('');
    expect(decodeMiniscript(leaf, () => undefined, 'tapscript')?.fragment.kind).toBe('multi_a');
  });

  test('does not count invalid signatures', () => {
    const signed = signedBy(payment(['multi']), 'multi');
    const spoilt = withInput(signed, 0, (input) => ({
      ...input,
      partialSigs: (input.partialSigs ?? []).map((sig) => ({
        ...sig,
        signature: sig.signature.map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
      })),
    }));
    expect(quorums(spoilt)).toEqual([[0, 2, 2]]);
  });

  test('leaves out leaves that no key can sign, but not those that only wait', () => {
    const leaf = `and_v(v:pk(${ALICE.xprv('m/87h')}/<0;1>/*),older(144))`;
    const quorum = `thresh(2,pk(${ALICE.xpub('m/88h')}/<0;1>/*),s:pk(${BOB.xpub('m/88h')}/<0;1>/*))`;
    const of = `tr(${BOB.xpub('m/86h')}/<0;1>/*,{${leaf},${quorum}})`;
    const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 999_000n }] });
    const odd = { script: Uint8Array.of(0x51, 0xff), leafVersion: 0xc0, controlBlock: new Uint8Array(33).fill(0xc0) };
    const more = withInput(sign(psbt, {}, [of]).psbt, 0, (input) => ({
      ...input,
      tapLeafScripts: [...(input.tapLeafScripts ?? []), odd],
    }));
    const found = standing(more)?.quorums ?? [];
    expect(
      found.map(({ have, required, of, wanted, isClosed }) => [have, required, of, wanted.length, isClosed]).sort(),
    ).toEqual([
      [0, 1, 1, 1, undefined],
      [0, 2, 2, 2, undefined],
      [1, 1, 1, 0, true],
    ]);
  });

  test('names the timelocks that are not met, each once', () => {
    const key = ALICE.xpub('m/84h');
    const of = `wsh(andor(pk(${key}/<0;1>/*),older(144),and_v(v:pk(${BOB.xpub('m/84h')}/<0;1>/*),older(144))))`;
    const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 900_000n }] });
    expect(standing(psbt)?.unmetLocks).toEqual(['older(144)']);
    const waited = make({ inputs: [{ of, sequence: 144 }], outputs: [{ to: PAYEE, value: 900_000n }] });
    expect(standing(waited)?.unmetLocks).toEqual([]);
  });

  test.each(['wpkh', 'tr', 'multi'] as const)('says that final fields do not spend the coin: %s', (name) => {
    const final = finalizePsbt(signedBy(payment([name]), name, 'multiOfBob')).psbt;
    const spoilt = withInput(final, 0, ({ finalScriptWitness = [], ...input }) => ({
      ...input,
      finalScriptWitness: finalScriptWitness.map((item) => item.map((byte, i) => (i === 20 ? byte ^ 1 : byte))),
    }));
    const progress = standing(spoilt);
    expect(progress && progressText(progress)).toBe('input 0: final, but not a valid spend of its coin');
    expect(progress && nextStepAdvice([progress])).toMatch(/^go back to the PSBT from before it was finalized/);
    expect(standing(final)).toMatchObject({ isComplete: true, isFinalized: false, status: 'final' });
  });

  const NESTED = `sh(${WALLETS.multi})`;

  test.each([
    ['witnessScript', WALLETS.multi, 'output', 'not signed: its witnessScript is missing'],
    ['witnessScript', WALLETS.multi, 'transaction', 'not signed: its witnessScript is missing'],
    ['witnessScript', NESTED, 'output', 'not signed: its witnessScript is missing'],
    ['redeemScript', NESTED, 'transaction', 'not signed: its redeemScript is missing'],
    ['redeemScript', NESTED, 'output', 'not signed: its redeemScript and its previous transaction are missing'],
  ] as const)('names the script that it lacks: %s, %#', (script, of, shownBy, text) => {
    const psbt = make({ inputs: [{ of, shownBy }], outputs: [{ to: PAYEE, value: 999_000n }] });
    const bare = withInput(psbt, 0, (input) =>
      without(input, script, ...(shownBy === 'transaction' ? ['witnessUtxo' as const] : [])),
    );
    const signed = sign(bare, { policy: { 'legacy-unproven': 'warn' } });
    const [progress] = measureProgress(signed, finalizePsbt(signed.psbt));
    expect(progress && progressText(progress)).toBe(`input 0: ${text}`);
    expect(progress && nextStepAdvice([progress])).toMatch(/^add the scripts of its coins: .*--descriptors-file/);
  });

  test('is empty where the coin is unknown', () => {
    const psbt = withInput(payment(['wpkh']), 0, (input) => without(input, 'nonWitnessUtxo', 'witnessUtxo'));
    expect(standing(psbt)).toEqual({
      inputIndex: 0,
      isComplete: false,
      isFinalized: false,
      status: 'no-coin',
      added: 0,
      quorums: [],
      unmetLocks: [],
      unverified: [],
      unknownKeys: [],
      isUnread: false,
    });
    expect(nextStepAdvice([standing(psbt)].flatMap((input) => input ?? []))).toMatch(/^export the PSBT again/);
  });

  test('counts the signatures of a trimmed PSBT, and says to combine it with the one that was sent', () => {
    const trimmed = (name: WalletName, ...keys: readonly (keyof Psbt['inputs'][number])[]) =>
      withInput(sign(payment([name]), {}, [WALLETS[name]]).psbt, 0, (input) => without(input, ...keys));
    const coinless = standing(trimmed('wpkh', 'nonWitnessUtxo', 'witnessUtxo', 'bip32Derivations'));
    expect(coinless).toMatchObject({ status: 'no-coin', quorums: [], unverified: ['coin'] });
    const scriptless = standing(trimmed('multi', 'witnessScript'));
    expect(scriptless?.unverified).toEqual(['witness-script']);
    for (const input of [coinless, scriptless]) {
      expect(input && progressText(input)).toContain('1 signature, which cannot be verified: ');
      expect(input && nextStepAdvice([input])).toMatch(/^combine it with the PSBT that was sent/);
    }
    const whole = standing(sign(payment(['multi'])).psbt);
    expect(whole && nextStepAdvice([whole])).toBeUndefined();
  });
});
