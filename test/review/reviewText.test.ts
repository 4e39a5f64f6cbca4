import { describe, expect, test } from 'vitest';
import { feeShares, leafText } from '../../src/review/reviewText.ts';
import {
  createDeriver,
  finalizePsbt,
  formatAsm,
  formatHex,
  formatReview,
  type InputReview,
  networks,
  OP,
  type OutputReview,
  type Psbt,
  type PsbtReview,
  parseHex,
  type ReviewOptions,
  reviewPsbt,
} from '../support/library.ts';
import { ALICE, make, PAYEE, parse, payment, sign, WALLETS, withInput, without } from '../support/psbts.ts';

const linesOf = (psbt: Psbt, options: Partial<ReviewOptions> = {}): readonly string[] =>
  formatReview(reviewPsbt(psbt, { network: networks.regtest, ...options })).split('\n');

const rows: readonly (readonly [
  what: string,
  psbt: Psbt,
  lines: readonly string[],
  options?: Partial<ReviewOptions>,
])[] = [
  [
    'coins, payments, change and what leaves the wallet',
    payment(['wpkh', 'multi']),
    [
      'Spends (2)',
      '  0.01000000 BTC  bcrt1q3dq35hn9a4fl3fwvf873ee4yrdhnxjsge5tu7x  yours (descriptor 1, index 0)  amount proven',
      '      bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '      not signed by [58be68cb/84h/1h/0h/0/0] (claimed)',
      '  0.01000000 BTC  bcrt1qkdtxndzy80yegtgm7jxvm0ggt8sr8rp0xxz25feeet7428thk56qyf4ryj  amount proven',
      '      bcrt 1qkd txnd zy80 yegt gm7j xvm0 ggt8 sr8r p0xx z25f eeet 7428 thk5 6qyf 4ryj',
      '      7c387c4e0688676d6fc04a5b7da33f80506af164285922d8aed2687c8becaeed:1',
      '      not signed by [bb2f0b29/48h/1h/0h/0/1] (claimed)',
      '      not signed by [58be68cb/48h/1h/0h/0/1] (claimed)',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.01598000 BTC  bcrt1q76dhs72zwn8vwhw7zretls6wxaj3hsdqh877d8  change, verified (descriptor 1, index 0)',
      '      bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee',
      '  0.00002000 BTC (proven), 0.10 % of the spent amount, about 8.5 sat/vB',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or add inputs',
      '  0.00598000 BTC come into your wallet in total',
      '  can be mined at once; signals that it may be replaced (BIP125)',
    ],
    { descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'signatures that are there and wanted',
    sign(payment(['multi', 'tree'])).psbt,
    [
      'Spends (2)',
      '  0.01000000 BTC  bcrt1q3fs2lrg6yyrgplajfcgj660vc2623tqvkfk8vtercr8xdw30j88qmlrqcy  amount proven',
      '      bcrt 1q3f s2lr g6yy rgpl ajfc gj66 0vc2 623t qvkf k8vt ercr 8xdw 30j8 8qml rqcy',
      '      7ef10fe025c83587c20bd6a5def6f21c43945b5f128e79e1b22f2aa56f2ec90a:1',
      '      signed by [58be68cb/48h/1h/0h/0/0] (claimed)',
      '      signed by [bb2f0b29/48h/1h/0h/0/0] (claimed)',
      '  0.01000000 BTC  bcrt1ptu6udha5sjg2qmfrpdefe3kmvaslh7ctmlp96xz98pwtgu20ymys430akm  amount proven',
      '      bcrt 1ptu 6udh a5sj g2qm frpd efe3 kmva slh7 ctml p96x z98p wtgu 20ym ys43 0akm',
      '      919dd4bcb4d2aed19dc3996d680f2af45f249401f8859fff330a9203220f248e:1',
      '      signed by [58be68cb/86h/1h/0h/0/1] (claimed)',
      '      not signed by [bb2f0b29/87h/1h/0h/0/1] (claimed) for the leaf pk(4dde9da1aa5b1eb0730a2e71e71fe3e29c3463f4921c8134ffa8f100f7977240)',
      '      not signed by [58be68cb/87h/1h/0h/0/1] (claimed) for the leaf pk(e3c189482246aaf0d4d958eff02c5070c633977a9cbb09ae27bf45faa94f8ede)',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.01598000 BTC  bcrt1qfu79e7uat03xtumpp3k98j06gzexd77a9p39cr4wht8pllq9rseq7xxvzw  claims to be change',
      '      bcrt 1qfu 79e7 uat0 3xtu mpp3 k98j 06gz exd7 7a9p 39cr 4wht 8pll q9rs eq7x xvzw',
      'Fee',
      '  0.00002000 BTC (proven), 0.10 % of the spent amount, about 8.4 sat/vB',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or add inputs',
      '  can be mined at once; signals that it may be replaced (BIP125)',
      'Warning: Output 1 claims to be change, but no wallet is open to verify it: give the descriptors of yours. [change-unverified]',
    ],
  ],
  [
    'a final input, and a lock by height',
    finalizePsbt(sign(payment(['tr'], { locktime: 500 })).psbt).psbt,
    [
      'Spends (1)',
      '  0.01000000 BTC  bcrt1pqeyvnq867vqdama47are4gx5446rkhza403zcmcgyemz08zgsu6sgj6jzu  yours (an available key can sign for it)  amount proven',
      '      bcrt 1pqe yvnq 867v qdam a47a re4g x544 6rkh za40 3zcm cgye mz08 zgsu 6sgj 6jzu',
      '      4a24275f9c19b15e8085cc996b1ac38568251c4939871e2dc3b121dec1dedfa9:1',
      '      final',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.00598000 BTC  bcrt1p7c4nyj280sd8xhwdcfj02xh8dwvzpwanka4vd836n3ch0vlmz57sqyruzg  claims to be change',
      '      bcrt 1p7c 4nyj 280s d8xh wdcf j02x h8dw vzpw anka 4vd8 36n3 ch0v lmz5 7sqy ruzg',
      'Fee',
      '  0.00002000 BTC (proven), 0.20 % of the spent amount, about 14.1 sat/vB',
      '  amount proven: if it were false, the signatures would be invalid',
      '  fee proven: all amounts are, and no signature lets others change outputs or add inputs',
      '  cannot be mined before block 501; signals that it may be replaced (BIP125)',
      'Warning: Output 1 claims to be change, but no wallet is open to verify it: give the descriptors of yours. [change-unverified]',
    ],
    { holdsKey: () => true },
  ],
  [
    'a script without an address, and a lock by time',
    make({
      inputs: [{ of: WALLETS.wpkh, sequence: 0xffff_fffe }],
      outputs: [{ to: Uint8Array.of(OP['1']), value: 5n }],
      locktime: 1_700_000_000,
    }),
    [
      'Spends (1)',
      '  0.01000000 BTC  bcrt1q3dq35hn9a4fl3fwvf873ee4yrdhnxjsge5tu7x  amount proven',
      '      bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '      not signed by [58be68cb/84h/1h/0h/0/0] (claimed)',
      'Pays (1)',
      '  0.00000005 BTC  script "1"',
      'Fee',
      '  0.00999995 BTC (proven), 100.00 % of the spent amount, about 11235.9 sat/vB',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or add inputs',
      '  cannot be mined before 2023-11-14T22:13:20.000Z; does not signal that it may be replaced (BIP125)',
      'REFUSED: Output 0 gives 0.00000005 BTC away: anyone can spend it. [anyone-can-spend]',
      'Warning: Output 0 is dust: it would cost more to spend than it is worth. [dust]',
      'REFUSED: The fee of 0.00999995 BTC is 11236 sat/vB, above 1000. [fee-absurd]',
      'Warning: The transaction cannot be mined before 2023-11-14T22:13:20.000Z: if you pay again from other coins meanwhile, you pay twice. [locktime-unusual]',
    ],
  ],
  [
    'an unknown coin, and a relative lock',
    withInput(payment(['wpkh'], { inputs: [{ of: WALLETS.wpkh, sequence: 10 }] }), 0, (input) =>
      without(input, 'nonWitnessUtxo', 'witnessUtxo'),
    ),
    [
      'Spends (1)',
      '  unknown coin',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.00598000 BTC  bcrt1q76dhs72zwn8vwhw7zretls6wxaj3hsdqh877d8  claims to be change',
      '      bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee',
      '  unknown: not all coins and amounts are known',
      '  can be mined once its coins are old enough; signals that it may be replaced (BIP125)',
      'Warning: Input 0 cannot be mined until its coin is 10 blocks old. [locktime-unusual]',
      'Warning: The amount and script of the coin that input 0 spends are not shown: add its previous transaction. [coin-unknown]',
      'Warning: Output 1 claims to be change, but no wallet is open to verify it: give the descriptors of yours. [change-unverified]',
      'Warning: Output 1 is change to a kind of script that no input has. [path-unusual]',
    ],
  ],
  [
    'an invalid signature',
    withInput(sign(payment(['wpkh'])).psbt, 0, ({ partialSigs = [], ...input }) => ({
      ...input,
      partialSigs: partialSigs.map((sig) => ({ ...sig, signature: parseHex('300602010102010101') })),
    })),
    [
      'Spends (1)',
      '  0.01000000 BTC  bcrt1q3dq35hn9a4fl3fwvf873ee4yrdhnxjsge5tu7x  yours (descriptor 1, index 0)  amount proven',
      '      bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '      invalid signature of [58be68cb/84h/1h/0h/0/0] (claimed)',
      '      not signed by [58be68cb/84h/1h/0h/0/0] (claimed)',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.00598000 BTC  bcrt1q76dhs72zwn8vwhw7zretls6wxaj3hsdqh877d8  change, verified (descriptor 1, index 0)',
      '      bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee',
      '  0.00002000 BTC (proven), 0.20 % of the spent amount, about 16.0 sat/vB',
      '  amount proven: its previous transaction shows it',
      '  fee proven: all amounts are, and no signature lets others change outputs or add inputs',
      '  0.00402000 BTC leave your wallet in total',
      '  can be mined at once; signals that it may be replaced (BIP125)',
      'REFUSED: Input 0 holds an invalid signature. [signature-invalid]',
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
      'Spends (2)',
      '  0.01000000 BTC  bcrt1q3dq35hn9a4fl3fwvf873ee4yrdhnxjsge5tu7x  yours (descriptor 1, index 0)  amount only claimed',
      '      bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '      not signed by [58be68cb/84h/1h/0h/0/0] (claimed)',
      '  0.01000000 BTC  bcrt1qntawrg0x6lf6526l2zexzqsn7s4hdrkle9q37l  yours (descriptor 1, index 1)  amount only claimed',
      '      bcrt 1qnt awrg 0x6l f652 6l2z exzq sn7s 4hdr kle9 q37l',
      '      18dd5c40713045d292e61e8dc139c9e75326e42733c5978ca55aa033550177d5:1',
      '      not signed by [58be68cb/84h/1h/0h/0/1] (claimed)',
      'Pays (1)',
      '  0.01900000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      'Fee',
      '  0.00100000 BTC (only claimed), 5.00 % of the spent amount, about 565.0 sat/vB',
      '  amount only claimed: its previous transaction is missing',
      '  fee only claimed: not all amounts are proven',
      '  0.02000000 BTC leave your wallet in total, only claimed',
      '  can be mined at once; signals that it may be replaced (BIP125)',
      'Warning: The amount of input 0 is only claimed, and not all signatures commit to it: only its previous transaction can prove the fee. [amount-unproven]',
      'Warning: The amount of input 1 is only claimed, and not all signatures commit to it: only its previous transaction can prove the fee. [amount-unproven]',
    ],
    { descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'signatures that leave something open',
    sign(payment(['wpkh']), { sighashType: 0x81 }).psbt,
    [
      'Spends (1)',
      '  0.01000000 BTC  bcrt1q3dq35hn9a4fl3fwvf873ee4yrdhnxjsge5tu7x  yours (descriptor 1, index 0)  amount proven',
      '      bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '      signed by [58be68cb/84h/1h/0h/0/0] (claimed)',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.00598000 BTC  bcrt1q76dhs72zwn8vwhw7zretls6wxaj3hsdqh877d8  yours (descriptor 1, index 0), but it can still be replaced',
      '      bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee',
      '  0.00002000 BTC (only claimed), 0.20 % of the spent amount, about 14.2 sat/vB',
      '  amount proven: its previous transaction shows it',
      '  fee only claimed: the signatures let others change outputs or add inputs',
      '  0.01000000 BTC leave your wallet in total, only claimed',
      '  can be mined at once; signals that it may be replaced (BIP125)',
      'Warning: Signatures of input 0 (ALL|ANYONECANPAY) commit to all outputs; others can add inputs. [sighash-unusual]',
    ],
    { sighashType: 0x81, descriptors: [parse(WALLETS.wpkh)] },
  ],
  [
    'a final input that is not valid',
    withInput(payment(['wpkh']), 0, (input) => ({ ...input, finalScriptWitness: [parseHex('01')] })),
    [
      'Spends (1)',
      '  0.01000000 BTC  bcrt1q3dq35hn9a4fl3fwvf873ee4yrdhnxjsge5tu7x  amount proven',
      '      bcrt 1q3d q35h n9a4 fl3f wvf8 73ee 4yrd hnxj sge5 tu7x',
      '      ed3dc0f3e6a5b49dc1a687dc7342ea9ce1f5892861c55d1823d6718d29c72d0e:1',
      '      final, but not valid',
      'Pays (2)',
      '  0.00400000 BTC  bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
      '      bcrt 1qzy g3zy g3zy g3zy g3zy g3zy g3zy g3zy g3lg th6c',
      '  0.00598000 BTC  bcrt1q76dhs72zwn8vwhw7zretls6wxaj3hsdqh877d8  claims to be change',
      '      bcrt 1q76 dhs7 2zwn 8vwh w7zr etls 6wxa j3hs dqh8 77d8',
      'Fee',
      '  0.00002000 BTC (only claimed), 0.20 % of the spent amount',
      '  amount proven: its previous transaction shows it',
      '  fee only claimed: the signatures let others change outputs or add inputs',
      '  can be mined at once; signals that it may be replaced (BIP125)',
      'REFUSED: The final scriptSig and witness of input 0 do not spend its coin. [signature-invalid]',
      'Warning: Output 1 claims to be change, but no wallet is open to verify it: give the descriptors of yours. [change-unverified]',
    ],
  ],
];

test.each(rows.map(([what, psbt, lines, options = {}]) => ({ what, psbt, lines, options })))(
  'a review shows $what',
  ({ psbt, lines, options }) => {
    expect(linesOf(psbt, options)).toEqual([...lines, '']);
  },
);

test('a review shows a script of up to 520 bytes', () => {
  const [whole, long] = [520, 521].map((size) => new Uint8Array(size).fill(OP.NOP));
  const outputs = [whole, long].map((script) => ({ to: script ?? PAYEE, value: 0n }));
  const lines = linesOf(make({ inputs: [{ of: WALLETS.wpkh }], outputs }));
  expect(lines).toContain(`  0.00000000 BTC  script "${formatAsm(whole ?? PAYEE)}"`);
  expect(lines).toContain(`  0.00000000 BTC  script of 521 bytes ${formatHex(whole ?? PAYEE)}...`);
});

test('a review marks in colours what is bold, good, doubtful and refused', () => {
  const burning = make({
    inputs: [{ of: WALLETS.wpkh }],
    outputs: [{ to: Uint8Array.of(OP.RETURN), value: 998_000n }],
  });
  const descriptors = [parse(WALLETS.wpkh)];
  const coloured = [burning, payment(['wpkh'])].flatMap((psbt, i) =>
    formatReview(reviewPsbt(psbt, i === 0 ? { descriptors } : {}), { hasColours: true }).split('\n'),
  );
  for (const [style, start] of [
    [1, 'Spends (1)'],
    [1, 'Pays (1)'],
    [1, 'Fee'],
    [32, '  yours (descriptor 1, index 0)'],
    [31, 'REFUSED: Output 0 destroys'],
    [33, '  claims to be change'],
    [33, 'Warning: Output 1 claims'],
  ] as const) {
    expect(coloured.some((line) => line.includes(`\u001b[${style}m${start}`) && line.includes('\u001b[0m'))).toBe(true);
  }
});

describe('a line of a review', () => {
  const base = reviewPsbt(payment(['wpkh', 'wpkh']), { network: networks.regtest });
  const [input] = base.inputs;
  const [output] = base.outputs;
  if (!input || !output) throw new Error('an input and an output');
  const OWNER = { descriptor: 0, position: 0, index: 3 };
  const KEY = { publicKey: new Uint8Array(33).fill(2) };
  const lines = (changes: Partial<PsbtReview>): readonly string[] =>
    formatReview({ ...base, ...changes }, { hasColours: true }).split('\n');
  const coloured = (style: number, text: string): string => `\u001b[${style}m${text}\u001b[0m`;

  test.each<[string, Partial<InputReview>, number, string]>([
    ['an unknown coin', { coin: undefined, scriptPubKey: undefined }, 33, '  unknown coin'],
    ['an own coin', { verifiedOwner: OWNER }, 32, '  yours (descriptor 1, index 3)'],
    ['a coin of a key', { hasOwnKey: true }, 32, '  yours (an available key can sign for it)'],
    ['an invalid final input', { isFinal: true }, 31, '      final, but not valid'],
    [
      'an invalid signature',
      { signatures: [{ ...KEY, sighashType: 1, state: 'invalid' }] },
      31,
      `      invalid signature of ${'02'.repeat(33)}`,
    ],
  ])('shows %s in its colour', (_, changes, style, text) => {
    expect(lines({ inputs: [{ ...input, ...changes }] }).join('\n')).toContain(coloured(style, text));
  });

  test.each<[string, Partial<OutputReview>, number, string]>([
    ['change', { verifiedOwner: OWNER, verifiedChange: OWNER }, 32, '  change, verified (descriptor 1, index 3)'],
    ['open change', { verifiedOwner: OWNER }, 33, '  yours (descriptor 1, index 3), but it can still be replaced'],
    [
      'claims',
      { claimedKeys: [{ ...KEY, origin: { fingerprint: KEY.publicKey, path: [] } }] },
      33,
      '  claims to be change',
    ],
  ])('shows %s in their colour', (_, changes, style, text) => {
    expect(lines({ outputs: [{ ...output, ...changes }] }).join('\n')).toContain(coloured(style, text));
  });

  test('names the place of a coin if it is known', () => {
    const place = (of: Partial<InputReview>) =>
      lines({ inputs: [{ ...input, ...of }] }).filter((line) => /^ {6}[0-9a-f]{64}:1$/.test(line));
    expect([place({}).length, place({ outpoint: undefined }).length]).toEqual([1, 0]);
    expect(lines({ inputs: [{ ...input, outpoint: undefined }] }).join()).not.toContain('Stryker');
  });

  test('says how the balance changes, which 0 does not', () => {
    const balance = (verifiedSpent: bigint): string | undefined =>
      lines({ verifiedSpent, feeTrust: 'proven' })
        .find((line) => line.includes('in total'))
        ?.trim()
        .replace(/ +/g, ' ');
    expect([-5n, 0n, 5n].map(balance)).toEqual([
      '0.00000005 BTC come into your wallet in total',
      '0.00000000 BTC leave your wallet in total',
      '0.00000005 BTC leave your wallet in total',
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
    expect(proofs('previous-transaction', 'signatures')).toEqual([
      `${shown}, or if it were false, the signatures would be invalid`,
    ]);
    expect(proofs(undefined)).toEqual([]);
  });

  test('tells when the transaction can be mined', () => {
    const lock = { relativeLock: { kind: 'blocks', value: 9 } } as const;
    const mined = (...of: readonly Partial<InputReview>[]) =>
      lines({ inputs: of.map((changes) => ({ ...input, ...changes })) }).find((line) => line.includes('can be mined'));
    expect([mined({}, {}), mined({}, lock), mined(lock, lock)].map((line) => line?.split(';')[0])).toEqual([
      '  can be mined at once',
      ...Array(2).fill('  can be mined once its coins are old enough'),
    ]);
  });

  test('leaves out the share of a fee if nothing is spent', () => {
    const coin = { scriptPubKey: PAYEE, value: 0n };
    const fee = lines({ fee: 0n, inputs: [{ ...input, coin }] }).find((line) => line.includes(' BTC (proven)'));
    expect(fee).toMatch(/^ {2}0\.00000000 BTC \(proven\), about 0\.0 sat\/vB$/);
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
  const inputs = reviewPsbt(payment(['wpkh'])).inputs;
  expect(feeShares({ fee: 10_000n, vsize: 100, inputs })).toEqual({ percent: 1, rate: 100 });
  expect(feeShares({ fee: 10_000n, vsize: undefined, inputs })).toEqual({ percent: 1 });
  expect(feeShares({ fee: 10_000n, vsize: 100, inputs: [] })).toEqual({ rate: 100 });
  expect(feeShares({ fee: undefined, vsize: 100, inputs })).toEqual({});
});
