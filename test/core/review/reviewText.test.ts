import { describe, expect, test } from 'vitest';
import { leafText } from '../../../src/core/report/quorumText.ts';
import {
  createDeriver,
  finalizePsbt,
  formatAsm,
  formatHex,
  formatReview,
  type InputReview,
  OP,
  type OutputReview,
  type Owner,
  type Psbt,
  type PsbtReview,
  parseHex,
} from '../../support/library.ts';
import {
  ALICE,
  BOB,
  make,
  PAYEE,
  parse,
  payment,
  review,
  type SignerFacts,
  sign,
  WALLETS,
  type WalletName,
  withInput,
  without,
} from '../../support/psbts.ts';

const linesOf = (psbt: Psbt, facts: SignerFacts = {}): readonly string[] =>
  formatReview(review(psbt, facts)).split('\n');

const rows: readonly (readonly [what: string, psbt: Psbt, lines: readonly string[], facts?: SignerFacts])[] = [
  [
    'coins, payments, change and what leaves the wallet',
    payment(['wpkh', 'multi']),
    [
      'Warning: The coin of input 1 is not known to be yours: sign only if others pay',
      'in this transaction, too, as in a coinjoin; if not, export it again with the',
      'records of all coins. [coin-foreign]',
      'Comes    0.00598000 BTC into your wallet',
      'Pays     0.00400000 BTC to 1 address',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      'Fee      0.00002000 BTC, about 8.5 sat/vB, proven',
      'Change   0.01598000 BTC',
      '  1: 0.01598000 BTC  bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      '     change, verified (descriptor 1, 84h/1h/0h/1/0)',
      'Signed   input 0: 0 of 1; input 1: 0 of 2',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.02000000 BTC in 2 inputs',
      '  0: 0.01000000 BTC  bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '     yours (descriptor 1, 84h/1h/0h/0/0), amount proven',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '     have 0 of 1 signatures, still needed: [58be68cb/84h/1h/0h/0/0]',
      '  1: 0.01000000 BTC  bcrt 1qkd txnd zy80 yegt gm7j xvm0 ggt8 sr8r p0xx z25f eeet',
      '                     7428 thk5 6qyf 4ryj',
      '     not known to be yours, amount proven',
      '     7c387c4e0688676d6fc04a5b7da33f80506af164285922d8aed2687c8becaeed:1',
      '     have 0 of 2 signatures, still needed: [bb2f0b29/48h/1h/0h/0/1] (claimed)',
      '     and [58be68cb/48h/1h/0h/0/1] (claimed)',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or',
      '  add inputs',
    ],
    { descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'signatures that are there and wanted',
    sign(payment(['multi', 'tree'])).psbt,
    [
      'Warning: Output 1 claims to be change, but no key or wallet is at hand to verify',
      'it. [change-unverified]',
      'Pays     0.01998000 BTC to 2 addresses',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  1: 0.01598000 BTC  bcrt 1qfu 79e7 uat0 3xtu mpp3 k98j 06gz exd7 7a9p 39cr 4wht',
      '                     8pll q9rs eq7x xvzw',
      'Fee      0.00002000 BTC, about 8.4 sat/vB, 0.10 % of the payments, proven',
      'Signed   input 0: 2 of 2; input 1: 1 of 1',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.02000000 BTC in 2 inputs',
      '  0: 0.01000000 BTC  bcrt 1q3f s2lr g6yy rgpl ajfc gj66 0vc2 623t qvkf k8vt ercr',
      '                     8xdw 30j8 8qml rqcy',
      '     amount proven',
      '     7ef10fe025c83587c20bd6a5def6f21c43945b5f128e79e1b22f2aa56f2ec90a:1',
      '     signed by [58be68cb/48h/1h/0h/0/0] (claimed) and [bb2f0b29/48h/1h/0h/0/0]',
      '     (claimed)',
      '     have 2 of 2 signatures',
      '  1: 0.01000000 BTC  bcrt 1ptu 6udh a5sj g2qm frpd efe3 kmva slh7 ctml p96x z98p',
      '                     wtgu 20ym ys43 0akm',
      '     amount proven',
      '     919dd4bcb4d2aed19dc3996d680f2af45f249401f8859fff330a9203220f248e:1',
      '     signed by [58be68cb/86h/1h/0h/0/1] (claimed)',
      '     key [58be68cb/86h/1h/0h/0/1] (claimed) at once: have 1 of 1 signatures',
      '     or key [58be68cb/87h/1h/0h/0/1] (claimed) at once: have 0 of 1 signatures',
      '     or key [bb2f0b29/87h/1h/0h/0/1] (claimed) at once: have 0 of 1 signatures',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or',
      '  add inputs',
    ],
  ],
  [
    'a final input, and a lock by height',
    finalizePsbt(sign(payment(['tr'], { locktime: 500 })).psbt).psbt,
    [
      'Nothing suspicious was found.',
      'Leaves   0.00402000 BTC, of it the fee of 0.00002000 BTC; 0.00598000 BTC stay',
      'Pays     0.00400000 BTC to 1 address',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      'Fee      0.00002000 BTC, about 14.1 sat/vB, 0.50 % of the payments, proven',
      'Change   0.00598000 BTC',
      '  1: 0.00598000 BTC  bcrt 1p7c 4nyj 280s d8xh wdcf j02x h8dw vzpw anka 4vd8 36n3',
      '                     ch0v lmz5 7sqy ruzg',
      '     change, verified (descriptor 1, 86h/1h/0h/1/0)',
      'Signed   input 0: final',
      'Mined    not before block 501; signals that it may be replaced (BIP125)',
      'Spends   0.01000000 BTC in 1 input',
      '  0: 0.01000000 BTC  bcrt 1pqe yvnq 867v qdam a47a re4g x544 6rkh za40 3zcm cgye',
      '                     mz08 zgsu 6sgj 6jzu',
      '     yours (descriptor 1, 86h/1h/0h/0/0), amount proven',
      '     4a24275f9c19b15e8085cc996b1ac38568251c4939871e2dc3b121dec1dedfa9:1',
      '     final',
      '  amount proven: if it were false, the signatures would be invalid',
      '  fee proven: all amounts are, and no signature lets others change outputs or',
      '  add inputs',
    ],
    { descriptors: [parse(WALLETS.tr)] },
  ],
  [
    'a script without an address, and a lock by time',
    make({
      inputs: [{ of: WALLETS.wpkh, sequence: 0xffff_fffe }],
      outputs: [{ to: Uint8Array.of(OP['1']), value: 5n }],
      locktime: 1_700_000_000,
    }),
    [
      'REFUSED: Output 0 gives 0.00000005 BTC away: anyone can spend it.',
      '[anyone-can-spend]',
      'REFUSED: The fee of 0.00999995 BTC is 11236 sat/vB, above 1000. [fee-absurd]',
      'Warning: The transaction cannot be mined before 2023-11-14 22:13:20 UTC: if you',
      'pay again from other coins meanwhile, you pay twice. [locktime-unusual]',
      'Warning: Output 0 is dust: it would cost more to spend than it is worth. [dust]',
      'Pays     0.00000005 BTC to 1 output script',
      '  0: 0.00000005 BTC  script "1"',
      '     refused: see [anyone-can-spend] above',
      'Fee      0.00999995 BTC, about 11235.9 sat/vB, 19999900.00 % of the payments,',
      '         proven',
      'Signed   input 0: 0 of 1',
      'Mined    not before 2023-11-14 22:13:20 UTC; does not signal that it may be',
      '         replaced (BIP125)',
      'Spends   0.01000000 BTC in 1 input',
      '  0: 0.01000000 BTC  bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '     amount proven',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '     have 0 of 1 signatures, still needed: [58be68cb/84h/1h/0h/0/0] (claimed)',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or',
      '  add inputs',
    ],
  ],
  [
    'an unknown coin, and a relative lock',
    withInput(payment(['wpkh'], { inputs: [{ of: WALLETS.wpkh, sequence: 10 }] }), 0, (input) =>
      without(input, 'nonWitnessUtxo', 'witnessUtxo'),
    ),
    [
      'Warning: The amount and script of the coin that input 0 spends are not shown:',
      'add its previous transaction. [coin-unknown]',
      'Warning: Output 1 claims to be change, but no key or wallet is at hand to verify',
      'it. [change-unverified]',
      'Warning: Input 0 cannot be mined until its coin is 10 blocks old.',
      '[locktime-unusual]',
      'Pays     0.00998000 BTC to 2 addresses',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  1: 0.00598000 BTC  bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee      unknown: not all coins and amounts are known',
      'Signed   input 0: unknown',
      'Mined    once its coins are old enough; signals that it may be replaced (BIP125)',
      'Spends   1 input',
      '  0: unknown coin',
      '     cannot be mined until the coin is 10 blocks old',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
    ],
  ],
  [
    'an invalid signature',
    withInput(sign(payment(['wpkh'])).psbt, 0, ({ partialSigs = [], ...input }) => ({
      ...input,
      partialSigs: partialSigs.map((sig) => ({ ...sig, signature: parseHex('300602010102010101') })),
    })),
    [
      'REFUSED: Input 0 holds an invalid signature. [signature-invalid]',
      'Leaves   0.00402000 BTC, of it the fee of 0.00002000 BTC; 0.00598000 BTC stay',
      'Pays     0.00400000 BTC to 1 address',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      'Fee      0.00002000 BTC, about 16.0 sat/vB, 0.50 % of the payments, proven',
      'Change   0.00598000 BTC',
      '  1: 0.00598000 BTC  bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      '     change, verified (descriptor 1, 84h/1h/0h/1/0)',
      'Signed   input 0: 0 of 1',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.01000000 BTC in 1 input',
      '  0: 0.01000000 BTC  bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '     yours (descriptor 1, 84h/1h/0h/0/0), amount proven',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '     invalid signature of [58be68cb/84h/1h/0h/0/0]',
      '     have 0 of 1 signatures, still needed: [58be68cb/84h/1h/0h/0/0]',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or',
      '  add inputs',
    ],
    { descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'amounts and a fee without proof',
    make({
      inputs: [
        { of: WALLETS.wpkh, shownBy: 'output' },
        { of: WALLETS.wpkh, shownBy: 'output', index: 1 },
      ],
      outputs: [{ to: PAYEE, value: 1_900_000n }],
    }),
    [
      'Warning: The amount of input 0 is only claimed, and not all signatures commit to',
      'it: the true fee may be far higher. Only its previous transaction can prove it.',
      '[amount-unproven, also input 1]',
      'Warning: The fee of 0.00100000 BTC is 5.3 % of the payments. [fee-high]',
      'Leaves   0.02000000 BTC, of it the fee of 0.00100000 BTC, only claimed',
      'Pays     0.01900000 BTC to 1 address',
      '  0: 0.01900000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      'Fee      0.00100000 BTC, about 565.0 sat/vB, 5.26 % of the payments, only',
      '         claimed',
      'Signed   inputs 0 to 1: 0 of 1',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.02000000 BTC in 2 inputs',
      '  0: 0.01000000 BTC  bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '     yours (descriptor 1, 84h/1h/0h/0/0), amount only claimed',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '     have 0 of 1 signatures, still needed: [58be68cb/84h/1h/0h/0/0]',
      '  1: 0.01000000 BTC  bcrt 1qnt awrg 0x6l f652 6l2z exzq sn7s 4hdr kle9 q37l',
      '     yours (descriptor 1, 84h/1h/0h/0/1), amount only claimed',
      '     18dd5c40713045d292e61e8dc139c9e75326e42733c5978ca55aa033550177d5:1',
      '     have 0 of 1 signatures, still needed: [58be68cb/84h/1h/0h/0/1]',
      '  amount only claimed: its previous transaction is missing',
      '  fee only claimed: not all amounts are proven',
    ],
    { descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'signatures that leave something open',
    sign(payment(['wpkh']), { sighashType: 0x81 }).psbt,
    [
      'Warning: Signatures of input 0 (ALL|ANYONECANPAY) commit to all outputs, but to',
      'no other input: others can add inputs. [sighash-unusual]',
      'Leaves   0.01000000 BTC, of it the fee of 0.00002000 BTC, only claimed',
      'Pays     0.00998000 BTC to 2 addresses',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  1: 0.00598000 BTC  bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      '     yours (descriptor 1, 84h/1h/0h/1/0), but it can still be replaced',
      'Fee      0.00002000 BTC, about 14.2 sat/vB, 0.20 % of the payments, only claimed',
      'Signed   input 0: 1 of 1',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.01000000 BTC in 1 input',
      '  0: 0.01000000 BTC  bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '     yours (descriptor 1, 84h/1h/0h/0/0), amount proven',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '     signed by [58be68cb/84h/1h/0h/0/0]',
      '     have 1 of 1 signatures',
      '  amount proven: its previous transaction shows it',
      '  fee only claimed: the signatures let others change outputs or add inputs',
    ],
    { sighashType: 0x81, descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'a final input that is not valid',
    withInput(payment(['wpkh']), 0, (input) => ({ ...input, finalScriptWitness: [parseHex('01')] })),
    [
      'REFUSED: The final scriptSig and witness of input 0 do not spend its coin.',
      '[signature-invalid]',
      'Warning: Output 1 claims to be change, but no key or wallet is at hand to verify',
      'it. [change-unverified]',
      'Pays     0.00998000 BTC to 2 addresses',
      '  0: 0.00400000 BTC  bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  1: 0.00598000 BTC  bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee      0.00002000 BTC, 0.20 % of the payments, only claimed',
      'Signed   input 0: final, but not valid',
      'Mined    at once; signals that it may be replaced (BIP125)',
      'Spends   0.01000000 BTC in 1 input',
      '  0: 0.01000000 BTC  bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '     amount proven',
      '     ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '     final, but not valid',
      '  amount proven: its previous transaction shows it',
      '  fee only claimed: the signatures let others change outputs or add inputs',
    ],
  ],
];

test.each(rows.map(([what, psbt, lines, facts = {}]) => ({ what, psbt, lines, facts })))(
  'a review shows $what',
  ({ psbt, lines, facts }) => {
    expect(linesOf(psbt, facts)).toEqual([...lines, '']);
  },
);

test('a review shows a script of up to 520 bytes', () => {
  const [whole, long] = [520, 521].map((size) => new Uint8Array(size).fill(OP.NOP));
  const outputs = [whole, long].map((script) => ({ to: script ?? PAYEE, value: 0n }));
  const lines = linesOf(make({ inputs: [{ of: WALLETS.wpkh }], outputs }));
  const text = lines.map((line) => line.trim()).join(' ');
  expect(text).toContain(` 0: 0.00000000 BTC  script "${formatAsm(whole ?? PAYEE)}"`);
  expect(text.replaceAll(' ', '')).toContain(`1:0.00000000BTCscriptof521bytes${formatHex(whole ?? PAYEE)}...`);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('a review marks in colours what is bold, good, doubtful and refused', () => {
  const burning = make({
    inputs: [{ of: WALLETS.wpkh }],
    outputs: [{ to: Uint8Array.of(OP.RETURN), value: 998_000n }],
  });
  const descriptors = [parse(WALLETS.wpkh)];
  const coloured = [burning, payment(['wpkh'])].flatMap((psbt, i) =>
    formatReview(review(psbt, i === 0 ? { descriptors } : {}), { hasColours: true }).split('\n'),
  );
  for (const [style, start] of [
    [1, 'Spends'],
    [1, 'Pays'],
    [1, 'Fee'],
    [32, 'yours (descriptor 1, 84h/1h/0h/0/0)'],
    [31, 'REFUSED: Output 0 destroys'],
    [33, 'Warning: Output 1 claims'],
  ] as const) {
    expect(coloured.some((line) => line.includes(`\u001b[${style}m${start}`) && line.includes('\u001b[0m'))).toBe(true);
  }
});

describe('a line of a review', () => {
  const base = review(payment(['wpkh', 'wpkh']));
  const [input] = base.inputs;
  const [output] = base.outputs;
  if (!input || !output) throw new Error('an input and an output');
  const owned = (facts: SignerFacts, of: WalletName = 'wpkh'): Owner =>
    review(payment([of]), facts).outputs[1]?.owner ?? expect.fail('no output');
  const account = owned({ keys: [ALICE.held] });
  const descriptors = [parse(WALLETS.multi)];
  const unregistered = owned({ descriptors, keys: [ALICE.held] }, 'multi');
  const listed = owned({ descriptors, keys: [] }, 'multi');
  const registered: Owner =
    unregistered.kind === 'wallet'
      ? {
          ...{ ...unregistered, root: 'registered' },
          wallet: { ...unregistered.wallet, root: 'registered', title: '"Family" 3100acb9' },
        }
      : expect.fail('no wallet');
  const KEY = { publicKey: new Uint8Array(33).fill(2) };
  const lines = (changes: Partial<PsbtReview>): readonly string[] =>
    formatReview({ ...base, ...changes }, { hasColours: true }).split('\n');
  const coloured = (style: number, text: string): string => `\u001b[${style}m${text}\u001b[0m`;

  test.each<[string, Partial<InputReview>, number, string]>([
    ['an unknown coin', { coin: undefined, scriptPubKey: undefined }, 33, 'unknown coin'],
    ['an own coin', { owner: account }, 32, 'yours (84h/1h/0h/1/0), amount proven'],
    [
      'a coin of a key',
      { owner: { kind: 'key', root: 'key' } },
      32,
      'yours (a key at hand can sign for it, among others), amount proven',
    ],
    ['a coin of a registered wallet', { owner: registered }, 32, 'yours ("Family" 3100acb9, change 0), amount proven'],
    ['an invalid final input', { isFinal: true }, 31, 'final, but not valid'],
    [
      'an invalid signature',
      { signatures: [{ ...KEY, sighashType: 1, state: 'invalid' }] },
      31,
      'invalid signature of',
    ],
  ])('shows %s in its colour', (_, changes, style, text) => {
    expect(lines({ inputs: [{ ...input, ...changes }] }).join('\n')).toContain(coloured(style, text));
  });

  test.each<[string, Partial<OutputReview>, number, string]>([
    ['change', { owner: account, role: 'change', stays: true }, 32, 'change, verified (84h/1h/0h/1/0)'],
    [
      'open change',
      { owner: account, role: 'change', stays: false },
      33,
      'yours (84h/1h/0h/1/0), but it can still be replaced',
    ],
    [
      'change of a registered wallet',
      { owner: registered, role: 'change', stays: true },
      32,
      'change, verified ("Family" 3100acb9, change 0)',
    ],
    [
      'change that nothing proves',
      { owner: unregistered, role: 'change', stays: true },
      33,
      'change (descriptor 1, change 0, not registered)',
    ],
    ['other accounts', { owner: account, role: 'own', stays: true }, 32, 'yours (84h/1h/0h/1/0)'],
    ['accounts beside', { owner: account, role: 'own', stays: false }, 33, 'yours (84h/1h/0h/1/0), counted as paid'],
    [
      'wallets that are not spent',
      { owner: registered, role: 'wallet', stays: false },
      33,
      'your wallet ("Family" 3100acb9, change 0), counted as paid',
    ],
    [
      'wallets of others',
      { owner: unregistered, role: 'payment', stays: false },
      33,
      'another wallet (descriptor 1, change 0, not registered)',
    ],
  ])('shows %s in their colour', (_, changes, style, text) => {
    expect(lines({ outputs: [{ ...output, ...changes }] }).join('\n')).toContain(coloured(style, text));
  });

  test('says of change that is taken for own without a key at hand that this is not proven', () => {
    const text = lines({ outputs: [{ ...output, owner: listed, role: 'change', stays: true }] }).join('\n');
    expect(text).toContain('change (descriptor 1, change 0, not proven: no key at hand)');
    expect(text).not.toContain('change, verified');
  });

  test('names the place of a coin if it is known', () => {
    const place = (of: Partial<InputReview>) =>
      lines({ inputs: [{ ...input, ...of }] }).filter((line) => /^ {5}[0-9a-f]{64}:1$/.test(line));
    expect([place({}).length, place({ outpoint: undefined }).length]).toEqual([1, 0]);
    expect(lines({ inputs: [{ ...input, outpoint: undefined }] }).join()).not.toContain('Stryker');
  });

  test('says how the balance changes, which 0 does not', () => {
    const balance = (leaves: bigint): string | undefined =>
      lines({ leaves, stays: 7n, fee: 2n, feeShare: undefined, feeTrust: 'proven' }).find((line) =>
        /Leaves|Comes/.test(line),
      );
    expect([-5n, 0n, 5n].map(balance)).toEqual([
      `${coloured(1, 'Comes    ')}0.00000005 BTC into your wallet`,
      `${coloured(1, 'Leaves   ')}0.00000000 BTC; 0.00000007 BTC stay`,
      `${coloured(1, 'Leaves   ')}0.00000005 BTC; 0.00000007 BTC stay`,
    ]);
  });

  test('explains each kind of proof once', () => {
    const proofs = (...of: readonly InputReview['amountProof'][]) =>
      lines({
        inputs: of.map((amountProof) => {
          const { amountProof: _, ...rest } = input;
          return { ...rest, ...(amountProof && { amountProof }) };
        }),
      }).filter((line) => line.startsWith('  amount proven: '));
    const shown = '  amount proven: its previous transaction shows it';
    expect(proofs('previous-transaction', undefined, 'previous-transaction')).toEqual([shown]);
    expect(proofs('previous-transaction', 'signatures')).toEqual([`${shown}, or if it were false, the`]);
    expect(proofs(undefined)).toEqual([]);
  });

  test('tells when the transaction can be mined', () => {
    const lock = { relativeLock: { kind: 'blocks', value: 9 } } as const;
    const mined = (...of: readonly Partial<InputReview>[]) =>
      lines({ inputs: of.map((changes) => ({ ...input, ...changes })) }).find((line) => line.includes('Mined'));
    expect([mined({}, {}), mined({}, lock), mined(lock, lock)].map((line) => line?.split(';')[0])).toEqual([
      `${coloured(1, 'Mined    ')}at once`,
      ...Array(2).fill(`${coloured(1, 'Mined    ')}once its coins are old enough`),
    ]);
  });

  test('leaves out the share of a fee if nothing is spent', () => {
    const coin = { scriptPubKey: PAYEE, value: 0n };
    const fee = lines({ fee: 0n, feeShare: undefined, feeRate: 0, inputs: [{ ...input, coin }] }).find((line) =>
      line.includes('Fee'),
    );
    expect(fee).toBe(`${coloured(1, 'Fee      ')}0.00000000 BTC, about 0.0 sat/vB, proven`);
  });
});

test('a leaf is named by its miniscript of up to 200 characters, if need be with shortened keys, or else by its hash', () => {
  const leafHash = new Uint8Array(32).fill(0xab);
  const [a, b] = ['m/1', 'm/2'].map((path) => formatHex(ALICE.keyAt(path).slice(1)));
  const named = (text: string): string => {
    const descriptor = parse(`tr(${a},${text})`);
    const [leaf] = createDeriver(descriptor)(0).taproot?.leafScripts ?? [];
    return leafText(leafHash, leaf?.script);
  };
  const short = `thresh(2,pk(${a}),s:pk(${b}),adv:older(5))`;
  expect(named(short)).toBe(short);
  const sized = (lock: string): string =>
    `and_v(and_v(and_v(and_v(v:pk(${a}),v:pk(${b})),v:older(${lock})),v:older(1)),after(1))`;
  const padded = (size: number): string => sized('1'.padEnd(size - sized('').length, '0'));
  expect(padded(200)).toHaveLength(200);
  const shortened = (text: string): string => text.replace(/(?<=[0-9a-f]{16})[0-9a-f]{48}/g, '...');
  expect([named(padded(200)), named(padded(201))]).toEqual([padded(200), shortened(padded(201))]);
  const keys = Array.from({ length: 10 }, (_, i) => formatHex(ALICE.keyAt(`m/${i}`).slice(1)));
  const multi = (count: number): string => `multi_a(2,${keys.slice(0, count).join(',')})`;
  expect([named(multi(3)), named(multi(10))]).toEqual([shortened(multi(3)), 'abababababababab...']);
  expect(leafText(leafHash, undefined)).toBe('abababababababab...');
  expect(leafText(leafHash, Uint8Array.of(0xff))).toBe('abababababababab...');
});

test('a fee has shares only of what is known', () => {
  const own = { descriptors: [parse(WALLETS.wpkh)] };
  expect(review(payment(['wpkh']), own).feeShare).toEqual({ percent: 0.5, of: 'payments' });
  expect(review(payment(['wpkh', 'multi']), own).feeShare).toBe(undefined);
  const [input = {}] = payment(['wpkh']).inputs;
  const { nonWitnessUtxo: _, witnessUtxo: __, ...unknown } = input;
  expect(review({ ...payment(['wpkh']), inputs: [unknown] }, own).feeShare).toBe(undefined);
});

describe('the count of signatures leaves out ways whose lock the transaction does not meet', () => {
  const spend = (of: string, sequence: number): Psbt =>
    make({ inputs: [{ of, sequence }], outputs: [{ to: PAYEE, value: 999_000n }] });
  const headline = (psbt: Psbt): string | undefined => linesOf(psbt).find((line) => line.startsWith('Signed'));
  const [early, late] = [0xfffffffd, 144];

  test('a leaf', () => {
    const of = `tr(${BOB.xpub('m/86h')}/<0;1>/*,and_v(v:pk(${ALICE.xprv('m/87h')}/<0;1>/*),older(144)))`;
    const signed = (sequence: number): Psbt => sign(spend(of, sequence), {}, [of]).psbt;
    expect(headline(signed(early))).toBe('Signed   input 0: 0 of 1');
    expect(headline(signed(late))).toBe('Signed   input 0: 1 of 1');
    expect(linesOf(signed(early)).join(' ').replaceAll(/ +/g, ' ')).toContain(
      'after 144 blocks: have 1 of 1 signatures, but the transaction does not meet its lock',
    );
  });

  test('a branch of a script', () => {
    const key = (path: string): string => `${ALICE.xprv(path)}/<0;1>/*`;
    const of = `wsh(or_i(multi(2,${key('m/1h')},${BOB.xpub('m/1h')}/<0;1>/*),and_v(v:pkh(${key('m/2h')}),older(144))))`;
    expect(headline(sign(spend(of, early), {}, [of]).psbt)).toMatch(/: \d of 2$/);
  });

  test('unless all are closed, which it says', () => {
    const of = `wsh(and_v(v:pk(${ALICE.xprv('m/1h')}/<0;1>/*),older(144)))`;
    expect(headline(sign(spend(of, early), {}, [of]).psbt)).toBe(
      'Signed   input 0: 1 of 1, but the transaction does not meet the locks',
    );
  });
});
