import {
  concatBytes,
  encodePsbt,
  formatBase64,
  formatHex,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  SIGHASH,
  sha256,
  toPsbtV0,
} from '../support/library.ts';
import {
  ALICE,
  BOB,
  MALLORY,
  make,
  PAYEE,
  type Plan,
  payment,
  scriptAt,
  sign,
  WALLETS,
  type WalletName,
  withInput,
  withOutput,
  without,
} from '../support/psbts.ts';
import { classHeadings } from './classes.ts';
import type { Contract, ContractCase, Verdict } from './contractTypes.ts';

/** In the order of `WALLETS`: the path of Alice's key that signs. */
const PURPOSES: Readonly<Record<WalletName, number>> = {
  pkh: 44,
  shWpkh: 49,
  wpkh: 84,
  tr: 86,
  tree: 86,
  multi: 48,
  multiOfBob: 48,
};

const secretsOf = (names: readonly WalletName[]): readonly string[] =>
  names.map((name, index) => formatHex(ALICE.secretAt(`m/${PURPOSES[name]}h/1h/0h/0/${index}`)));

/** A case before its PSBT is encoded. */
interface Draft {
  readonly id: string;
  readonly row: number;
  readonly expected: Verdict;
  /** The code or check of countersign that refuses or warns. */
  readonly reason?: string;
  readonly about: string;
  readonly bips: readonly number[];
  /** The wallets of the coins. Default: one P2WPKH coin. */
  readonly wallets?: readonly WalletName[];
  readonly psbt: Psbt | Uint8Array;
}

const honest = (id: string, about: string, wallets: readonly WalletName[], more: Partial<Draft> = {}): Draft => ({
  id,
  row: 0,
  expected: 'sign',
  about,
  bips: [174],
  wallets,
  psbt: payment(wallets),
  ...more,
});

const onFirst = (psbt: Psbt, change: (input: PsbtInput) => PsbtInput): Psbt => withInput(psbt, 0, change);
const payee = (psbt: Psbt, change: Partial<PsbtOutput>): Psbt =>
  withOutput(psbt, 0, (output) => ({ ...output, ...change }));
const typed = (name: WalletName, sighashType: number): Psbt =>
  onFirst(payment([name]), (input) => ({ ...input, sighashType }));

const accepted: readonly Draft[] = [
  honest('p2wpkh', 'One P2WPKH coin with its previous transaction', ['wpkh'], { bips: [84, 143, 174] }),
  honest('p2pkh', 'One P2PKH coin with its previous transaction', ['pkh'], { bips: [44, 174] }),
  honest('p2sh-p2wpkh', 'One P2SH-P2WPKH coin', ['shWpkh'], { bips: [49, 143, 174] }),
  honest('p2tr', 'One taproot coin, spent by its key', ['tr'], { bips: [86, 341, 371] }),
  honest('p2wsh-multisig', 'A 2-of-2 multisig, of which the signer has one key', ['multi'], { bips: [48, 143, 174] }),
  honest('all-named', 'The hash type ALL, named', ['wpkh'], { psbt: typed('wpkh', SIGHASH.ALL) }),
  honest('several-kinds', 'Coins of three kinds, each with its previous transaction', ['wpkh', 'pkh', 'tr']),
  honest('unknown-records', 'Records of unknown types, which the signer keeps', ['wpkh'], {
    psbt: onFirst(payment(['wpkh']), (input) => ({
      ...input,
      unknown: [{ key: Uint8Array.of(0xf1, 0xaa), value: Uint8Array.of(1) }],
    })),
  }),
  honest('low-locktime', 'A locktime of an earlier block, as wallets set it', ['wpkh'], {
    psbt: payment(['wpkh'], { locktime: 800_000 }),
  }),
  honest('version-2', 'The same as p2wpkh, in a PSBT of version 2', ['wpkh'], {
    bips: [370],
    psbt: encodePsbt(payment(['wpkh'])),
  }),
];

const refuse = (
  row: number,
  id: string,
  reason: string,
  about: string,
  bips: readonly number[],
  psbt: Psbt | Uint8Array,
  wallets: readonly WalletName[] = ['wpkh'],
): Draft => ({ id, row, expected: 'refuse', reason, about, bips, wallets, psbt });

const warn = (...args: Parameters<typeof refuse>): Draft => ({ ...refuse(...args), expected: 'warn' });

const segwit = (name: WalletName = 'wpkh', rest: Partial<Plan> = {}): Psbt => payment([name], rest);

const asPaid = (value: bigint, more: Partial<Plan> = {}): Psbt =>
  make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value }], ...more });

/** Shows all coins as outputs only. */
const claimed = (): Psbt =>
  make({
    inputs: [0, 1].map((index) => ({ of: WALLETS.wpkh, index, shownBy: 'output' as const })),
    outputs: [{ to: PAYEE, value: 1_998_000n }],
  });

/** Another transaction than the one that created the coin. */
const otherPrevious = (input: PsbtInput): PsbtInput => {
  const { nonWitnessUtxo } = input;
  return nonWitnessUtxo ? { ...input, nonWitnessUtxo: { ...nonWitnessUtxo, locktime: 7 } } : input;
};

/** Bob's signature for another transaction. */
function signedElsewhere(): Psbt {
  const other = sign(payee(payment(['multi']), { amount: 399_000n }), {}, [WALLETS.multiOfBob]).psbt;
  const { partialSigs } = other.inputs[0] ?? {};
  return onFirst(payment(['multi']), (input) => ({ ...input, ...(partialSigs && { partialSigs }) }));
}

/** Bob signs with NONE, and takes the record of it out. */
function signedWithNone(): Psbt {
  const { psbt } = sign(payment(['multi']), { sighashType: SIGHASH.NONE }, [WALLETS.multiOfBob]);
  return onFirst(psbt, (input) => without(input, 'sighashType') as PsbtInput);
}

const stolen = MALLORY.keyAt('m/84h/1h/0h/1/0');
const hash160Script = (key: Uint8Array): Uint8Array => scriptAt(`wpkh(${formatHex(key)})`);

/** Change that names Alice's key, and pays Mallory's. */
const falseChange = (): Psbt =>
  withOutput(payment(['wpkh']), 1, (output) => ({ ...output, script: hash160Script(stolen) }));

const wireCase = (spoil: (bytes: Uint8Array) => Uint8Array): Uint8Array =>
  spoil(encodePsbt(toPsbtV0(payment(['wpkh']))));

/** Repeats a record of an unknown type in the global map, which follows the magic bytes. */
const twiceInGlobal = (bytes: Uint8Array): Uint8Array => {
  const record = Uint8Array.of(2, 0xf1, 0xaa, 1, 1);
  return concatBytes(bytes.slice(0, 5), record, record, bytes.slice(5));
};

const hugeCount = (bytes: Uint8Array): Uint8Array =>
  // The size of the unsigned transaction, which is the first record.
  concatBytes(bytes.slice(0, 7), Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), bytes.slice(8));

const withUncompressedKey = (): Psbt => {
  const long = nobleEcc.publicKey(ALICE.secretAt('m/84h/1h/0h/0/0'), false);
  const script = concatBytes(Uint8Array.of(65), long, Uint8Array.of(0xac));
  const psbt = payment(['multi']);
  return onFirst(psbt, (input): PsbtInput => {
    const coin = { value: 1_000_000n, scriptPubKey: concatBytes(Uint8Array.of(0, 32), sha256(script)) };
    return { ...(without(input, 'nonWitnessUtxo') as PsbtInput), witnessUtxo: coin, witnessScript: script };
  });
};

const drafts: readonly Draft[] = [
  ...accepted,
  warn(
    1,
    'amount-claimed',
    'amount-unproven',
    'Two segwit v0 coins without their previous transactions: two sessions with one lie each can hide a fee',
    [174],
    claimed(),
    ['wpkh', 'wpkh'],
  ),
  refuse(
    2,
    'amount-contradicted',
    'amount-mismatch',
    'The witness UTXO has twice the amount of the previous transaction',
    [174],
    onFirst(segwit(), (input) =>
      input.witnessUtxo ? { ...input, witnessUtxo: { ...input.witnessUtxo, value: 2_000_000n } } : input,
    ),
  ),
  refuse(
    3,
    'previous-transaction-wrong',
    'psbt/utxo-txid-mismatch',
    'The previous transaction is another than the one spent',
    [174],
    onFirst(segwit('pkh'), otherPrevious),
    ['pkh'],
  ),
  refuse(
    5,
    'legacy-unproven',
    'legacy-unproven',
    'A P2PKH coin that only a witness UTXO shows: its signature would not commit to the amount',
    [174],
    onFirst(segwit('pkh'), (input): PsbtInput => {
      const coin = input.nonWitnessUtxo?.outputs[1];
      return { ...(without(input, 'nonWitnessUtxo') as PsbtInput), ...(coin && { witnessUtxo: coin }) };
    }),
    ['pkh'],
  ),
  ...(
    [
      ['none', SIGHASH.NONE],
      ['single', SIGHASH.SINGLE],
      ['all-anyonecanpay', SIGHASH.ALL | SIGHASH.ANYONECANPAY],
      ['none-anyonecanpay', SIGHASH.NONE | SIGHASH.ANYONECANPAY],
    ] as const
  ).flatMap(([name, type]) => [
    refuse(
      6,
      `sighash-${name}`,
      'sighash-unnamed',
      `The PSBT alone asks for the hash type ${name.toUpperCase()}, P2WPKH`,
      [174],
      typed('wpkh', type),
    ),
    refuse(
      6,
      `sighash-${name}-taproot`,
      'sighash-unnamed',
      `The PSBT alone asks for the hash type ${name.toUpperCase()}, taproot`,
      [174, 341],
      typed('tr', type),
      ['tr'],
    ),
  ]),
  refuse(
    7,
    'single-without-output',
    'single-without-output',
    'SINGLE for an input without an output at its place',
    [174],
    withInput(
      make({
        inputs: [{ of: WALLETS.wpkh }, { of: WALLETS.wpkh, index: 1 }],
        outputs: [{ to: PAYEE, value: 1_998_000n }],
      }),
      1,
      (input) => ({ ...input, sighashType: SIGHASH.SINGLE }),
    ),
    ['wpkh', 'wpkh'],
  ),
  refuse(8, 'sighash-undefined', 'sighash-undefined', 'An undefined hash type, 0x04', [174], typed('wpkh', 4)),
  refuse(
    9,
    'signature-of-other-type',
    'signature-sighash',
    'A cosigner has signed with NONE, and the PSBT does not say so',
    [174],
    signedWithNone(),
    ['multi'],
  ),
  refuse(
    10,
    'redeem-script-wrong',
    'script-mismatch',
    'The coin does not commit to the redeem script',
    [174],
    onFirst(segwit('shWpkh'), (input) => ({ ...input, redeemScript: scriptAt(WALLETS.wpkh, 0, 2) })),
    ['shWpkh'],
  ),
  refuse(
    10,
    'witness-script-wrong',
    'script-mismatch',
    'The coin does not commit to the witness script',
    [174],
    onFirst(segwit('multi'), (input) => ({ ...input, witnessScript: Uint8Array.of(0x51) })),
    ['multi'],
  ),
  refuse(
    12,
    'signature-invalid',
    'signature-invalid',
    'The signature of the cosigner is for another transaction',
    [174],
    signedElsewhere(),
    ['multi'],
  ),
  refuse(13, 'fee-absurd', 'fee-absurd', 'The fee is 60 % of what is spent', [174], asPaid(400_000n)),
  warn(13, 'fee-high', 'fee-high', 'The fee is 6 % of what is spent', [174], asPaid(940_000n)),
  refuse(14, 'outputs-exceed-inputs', 'fee-negative', 'The outputs exceed the inputs', [174], asPaid(1_000_001n)),
  refuse(
    15,
    'change-false',
    'change-refuted',
    'An output names the key of the wallet’s change, and pays a stranger',
    [174],
    falseChange(),
  ),
  warn(
    16,
    'change-far',
    'path-far',
    'Change at an index that no wallet searches',
    [44, 84],
    make({
      inputs: [{ of: WALLETS.wpkh }],
      outputs: [
        { to: PAYEE, value: 400_000n },
        { to: WALLETS.wpkh, index: 1_000_000, value: 598_000n },
      ],
    }),
  ),
  refuse(17, 'record-twice', 'psbt/duplicate-key', 'A map has one key twice', [174], wireCase(twiceInGlobal)),
  refuse(
    18,
    'data-after',
    'psbt/trailing',
    'A byte follows the PSBT',
    [174],
    wireCase((bytes) => concatBytes(bytes, Uint8Array.of(0))),
  ),
  refuse(
    18,
    'cut-off',
    'psbt/separator-missing',
    'The last byte is missing',
    [174],
    wireCase((bytes) => bytes.slice(0, -1)),
  ),
  refuse(20, 'size-huge', 'bytes/size-too-large', 'A record claims to have 2^64-1 bytes', [174], wireCase(hugeCount)),
  refuse(
    21,
    'taproot-internal-key',
    'taproot-mismatch',
    'The internal key is not that of the taproot coin',
    [341, 371],
    onFirst(segwit('tr'), (input) => ({ ...input, tapInternalKey: BOB.keyAt('m/0').slice(1) })),
    ['tr'],
  ),
  refuse(
    21,
    'taproot-merkle-root',
    'taproot-mismatch',
    'The Merkle root is not that of the taproot coin',
    [341, 371],
    onFirst(segwit('tr'), (input) => ({ ...input, tapMerkleRoot: new Uint8Array(32).fill(9) })),
    ['tr'],
  ),
  refuse(
    23,
    'key-uncompressed',
    'key-uncompressed',
    'A witness script has a key of 65 bytes',
    [143],
    withUncompressedKey(),
  ),
  warn(
    24,
    'locktime-far',
    'locktime-unusual',
    'The transaction waits for the year 2100',
    [65],
    segwit('wpkh', { locktime: 4_102_444_800 }),
  ),
  refuse(
    26,
    'silent-payment-unproven',
    'silent-payment-unproven',
    'An output names a silent payment address, and nothing proves that it pays it',
    [352, 375],
    encodePsbt(
      payee(payment(['tr']), { spV0Info: { scanKey: BOB.keyAt('m/352h/0'), spendKey: BOB.keyAt('m/352h/1') } }),
    ),
    ['tr'],
  ),
  refuse(
    27,
    'op-return-with-amount',
    'burn',
    'An OP_RETURN output has an amount, which nobody can spend',
    [],
    payee(segwit(), { script: Uint8Array.of(0x6a, 1, 0x68) }),
  ),
  refuse(
    27,
    'taproot-key-off-curve',
    'burn',
    'A taproot output whose key is not a point of the curve',
    [341],
    payee(segwit(), { script: Uint8Array.of(0x51, 32, ...new Uint8Array(31), 5) }),
  ),
  warn(
    27,
    'dust',
    'dust',
    'An output of 100 satoshi, which costs more to spend',
    [],
    withOutput(
      withOutput(segwit(), 0, (output) => ({ ...output, amount: 100n })),
      1,
      (output) => ({ ...output, amount: 997_900n }),
    ),
  ),
  refuse(
    30,
    'anyone-can-spend',
    'anyone-can-spend',
    'An output that anyone can spend: OP_TRUE',
    [],
    payee(segwit(), { script: Uint8Array.of(0x51) }),
  ),
  refuse(
    30,
    'witness-version-undefined',
    'anyone-can-spend',
    'A witness program of version 16, which has no rules yet',
    [141],
    payee(segwit(), { script: Uint8Array.of(0x60, 32, ...new Uint8Array(32).fill(3)) }),
  ),
];

/** Version 0, which all signers read, wherever the case does not say otherwise. */
const encode = (psbt: Psbt | Uint8Array): string =>
  formatBase64(psbt instanceof Uint8Array ? psbt : encodePsbt(toPsbtV0(psbt)));

function finish({ row, wallets = ['wpkh'], psbt, ...rest }: Draft): ContractCase {
  return {
    ...rest,
    class: row,
    psbt: encode(psbt),
    descriptors: [...new Set(wallets)].map((name) => WALLETS[name]),
    secretKeys: secretsOf(wallets),
  };
}

/** Makes the cases which any PSBT signer must pass or refuse, with the names of their classes. */
export const makeContract = (): Contract => ({
  version: 1,
  network: 'regtest',
  classes: classHeadings(drafts.map(({ row }) => row)),
  cases: drafts.map(finish),
});
