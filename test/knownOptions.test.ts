import { describe, expect, test } from 'vitest';
import * as address from '../src/core/address/index.ts';
import * as bytes from '../src/core/bytes/index.ts';
import { withSecretKey } from '../src/core/crypto/concealed.ts';
import * as crypto from '../src/core/crypto/index.ts';
import * as descriptors from '../src/core/descriptors/index.ts';
import * as holder from '../src/core/holder/index.ts';
import * as interpreter from '../src/core/interpreter/index.ts';
import * as keys from '../src/core/keys/index.ts';
import * as network from '../src/core/network/index.ts';
import * as psbt from '../src/core/psbt/index.ts';
import * as review from '../src/core/report/index.ts';
import * as script from '../src/core/script/index.ts';
import * as sighash from '../src/core/sighash/index.ts';
import * as signing from '../src/core/signing/index.ts';
import * as silentPayments from '../src/core/silentPayments/index.ts';
import * as tx from '../src/core/tx/index.ts';
import * as countersign from '../src/index.ts';
import * as account from '../src/kit/account/index.ts';
import { reviewWith, signWith } from '../src/kit/account/signWith.ts';
import * as funding from '../src/kit/funding/index.ts';
import * as message from '../src/kit/message/index.ts';
import * as names from '../src/kit/names/index.ts';
import * as payment from '../src/kit/payment/index.ts';
import * as picture from '../src/kit/picture/index.ts';
import * as policies from '../src/kit/policies/index.ts';
import * as qr from '../src/kit/qr/index.ts';
import * as trace from '../src/kit/trace/index.ts';
import { BITCOIND_OPTIONS } from '../src/node/bitcoindOptions.ts';
import { OPTION_KINDS } from '../src/node/nodeOptions.ts';
import * as node from '../src/node/state/index.ts';
import * as rpc from '../src/rpc.ts';
import { refusalOf } from './support/refusal.ts';

const [seedKey] = countersign.openKeys(`${'abandon '.repeat(11)}about`) as [countersign.OpenedKey];

const areas = {
  ...countersign,
  ...account,
  ...address,
  ...bytes,
  ...crypto,
  ...descriptors,
  ...funding,
  ...holder,
  ...interpreter,
  ...keys,
  ...message,
  ...names,
  ...network,
  ...node,
  ...payment,
  ...picture,
  ...policies,
  ...psbt,
  ...qr,
  ...review,
  ...rpc,
  ...script,
  ...sighash,
  ...signing,
  ...silentPayments,
  ...trace,
  ...tx,
};

/** Whether a parameter is an object of which some members may be left out. */
type IsOptional<P> = P extends readonly unknown[] | ((...given: never) => unknown) | tx.Transaction | network.Network
  ? never
  : P extends crypto.Ecc
    ? never
    : P extends object
      ? P extends Required<P>
        ? never
        : true
      : never;

type ArithmeticOf<P extends readonly unknown[]> = { [I in keyof P]: P[I] extends crypto.Ecc ? true : never }[number];

/** The functions that take an arithmetic by its place, where the others have the option `ecc`. */
type TakingArithmetic<M> = {
  [K in keyof M]: M[K] extends (...given: infer P) => unknown
    ? [ArithmeticOf<Required<P>>] extends [never]
      ? never
      : K
    : never;
}[keyof M];

type OptionalOf<P extends readonly unknown[]> = { [I in keyof P]: IsOptional<P[I]> }[number];

/** The functions with such a parameter. */
type WithOptional<M> = {
  [K in keyof M]: M[K] extends (...given: infer P) => unknown
    ? [OptionalOf<Required<P>>] extends [never]
      ? never
      : K
    : never;
}[keyof M];

/** The functions whose only such parameters are data: a key, a record, an answer, or functions of another library. */
type OnData =
  | 'addInput'
  | 'addOutput'
  | 'addPartialSignature'
  | 'createEcc'
  | 'findPayment'
  | 'formatXprv'
  | 'formatXpub'
  | 'hasStoredNonce'
  | 'heldKeyOf'
  | 'inferDescriptor'
  | 'isPartialSignatureValid'
  | 'neuter'
  | 'findingText'
  | 'progressText'
  | 'proposeWallet'
  | 'scriptErrorBefore31'
  | 'wordLine';

/** A promise is rejected, as the tests of these functions say. */
type Asynchronous = 'scan';

type Call = (misspelt: object) => unknown;

const { parseHex } = countersign;
const HEX = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
const transaction = countersign.decodeTransaction(parseHex(HEX));
const prevouts = [{ value: 5000n, scriptPubKey: parseHex(`0014${'00'.repeat(20)}`) }];
const spent = { tx: transaction, inputIndex: 0, prevouts };
const unsigned = countersign.createPsbt(transaction);
const descriptor = countersign.parseDescriptor('raw(51)', countersign.networks.main);
const provider = countersign.createDescriptorProvider([]);
const me = countersign.accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
const payTo = { to: me.receive(1), value: 60_000n };
const build = { inputs: [coin], outputs: [payTo], change: me.change(0), feeRate: 2 };
const built = countersign.buildPsbt(build);
const bytes32 = new Uint8Array(32).fill(1);
const master = keys.masterKey(bytes32);
const policy = { name: 'x', template: 'x', keys: [] };
const digested = { tx: transaction, inputIndex: 0, scriptCode: parseHex('51'), sighashType: 1 };
const reviewed = countersign.reviewPsbt(built);
const spend = { scriptSig: new Uint8Array(), witness: [], scriptPubKey: parseHex('51') };
const checker = interpreter.transactionChecker({ tx: transaction, inputIndex: 0, value: 1n });
const signed = { message: 'x' };
// Its options are refused first.
const unread = undefined as never;

/** Calls of each function with options, which are right but for the members of `misspelt`. */
const CALLS: Readonly<Record<Exclude<WithOptional<typeof areas>, OnData | Asynchronous>, Call | readonly Call[]>> = {
  accountFromDescriptors: (o) => countersign.accountFromDescriptors('x', o),
  accountFromKey: (o) => countersign.accountFromKey('x', o),
  accountFromPolicy: [
    (o) => policies.accountFromPolicy(policy, o),
    (o) => policies.accountFromPolicy({ ...policy, ...o }),
  ],
  accountFromWalletFile: (o) => countersign.accountFromWalletFile('x', o),
  accountFromWords: (o) => countersign.accountFromWords('x', o),
  addNonce: (o) => psbt.addNonce(unsigned, unread, { secretKey: bytes32, rand: bytes32, ...o }),
  addStoredNonce: (o) =>
    psbt.addStoredNonce(unsigned, unread, { secretKey: bytes32, rand: bytes32, store: unread, ...o }),
  addStoredPartialSignature: (o) =>
    psbt.addStoredPartialSignature(unsigned, unread, { secretKey: bytes32, store: unread, ...o }),
  analyzePsbt: (o) => countersign.analyzePsbt(unsigned, { maxMoney: 1n, ...o }),
  answerText: (o) => rpc.answerText(rpc.createRpc(), '{}', o),
  applySignature: (o) => countersign.applySignature(unsigned, unread, bytes32, o),
  bumpFee: (o) => funding.bumpFee(built, { feeRate: 3, change: 1, ...o }),
  fundPsbt: (o) =>
    funding.fundPsbt({
      ...build,
      coins: [coin],
      inputs: [],
      feeRate: 2,
      change: me.change(0),
      random: () => bytes32,
      ...o,
    }),
  lackingAssets: [
    (o) => descriptors.lackingAssets(descriptor, o),
    (o) => descriptors.lackingAssets(descriptor, {}, { index: 0, ...o }),
  ],
  plan: [(o) => descriptors.plan(descriptor, o), (o) => descriptors.plan(descriptor, {}, { index: 0, ...o })],
  buildPsbt: [
    (o) => countersign.buildPsbt({ ...build, ...o }),
    (o) => countersign.buildPsbt({ ...build, inputs: [{ ...coin, ...o }] }),
    (o) => countersign.buildPsbt({ ...build, outputs: [{ ...payTo, ...o }] }),
    (o) => countersign.buildPsbt({ ...build, outputs: [{ data: bytes32, ...o }] }),
  ],
  checkTransaction: (o) => countersign.checkTransaction(transaction, o),
  combineTransactions: (o) => countersign.combineTransactions([transaction], prevouts, o),
  completeSeedWords: (o) => keys.completeSeedWords('x', { most: 1, ...o }),
  createDeriver: (o) => countersign.createDeriver(descriptor, { ecc: countersign.nobleEcc, ...o }),
  createDescriptorProvider: (o) => countersign.createDescriptorProvider([], o),
  createHolder: (o) => holder.createHolder({ network: countersign.networks.main, ecc: countersign.nobleEcc, ...o }),
  createMultisig: (o) => rpc.createMultisig([1, [], 'legacy'], o),
  createNodeRpc: (o) => rpc.createNodeRpc({ clock: () => 0, random: (size) => new Uint8Array(size), ...o }),
  createPsbt: (o) => countersign.createPsbt(transaction, o),
  createRawTransaction: [(o) => rpc.createRawTransaction([[], {}], o)],
  createReceiver: [
    (o) => silentPayments.createReceiver({ scanSecretKey: bytes32, spendKey: unread, ...o }),
    (o) => silentPayments.createReceiver({ scanSecretKey: bytes32, spendKey: unread }, o),
  ],
  createRpc: (o) => rpc.createRpc(o),
  createSigningProvider: (o) => countersign.createSigningProvider({ keys: [], scripts: [] }, o),
  createSignatureCache: (o) => countersign.createSignatureCache(o),
  decodePsbt: (o) => rpc.decodePsbt([''], o),
  decodeRawTransaction: (o) => rpc.decodeRawTransaction([HEX, true], o),
  decodeScript: (o) => rpc.decodeScript(['51'], o),
  decodeTransaction: (o) => countersign.decodeTransaction(parseHex(HEX), o),
  decryptKey: (o) => keys.decryptKey('x', 'x', { network: 'main', ...o }),
  deriveChild: (o) => keys.deriveChild(master, 0, o),
  derivePath: (o) => keys.derivePath(master, [], o),
  deriveForPsbt: (o) => countersign.deriveForPsbt(unsigned, [], o),
  deterministicSign: (o) =>
    crypto.deterministicSign({
      secretKey: bytes32,
      aggregateOtherNonce: unread,
      aggregate: unread,
      message: bytes32,
      ...o,
    }),
  encodeAccountUr: (o) => qr.encodeAccountUr([], o),
  encodeBbqr: (o) => qr.encodeBbqr(bytes32, o),
  encodeDescriptorUr: (o) => qr.encodeDescriptorUr('x', o),
  encodeTransaction: (o) => countersign.encodeTransaction(transaction, o),
  encodeUr: (o) => qr.encodeUr(bytes32, o),
  formatTraceJson: [(o) => trace.formatTraceJson({ ...spent, ...o }), (o) => trace.formatTraceJson(spent, o)],
  formatTrace: [(o) => trace.formatTrace({ ...spent, ...o }), (o) => trace.formatTrace(spent, o)],
  drawReview: (o) => picture.drawReview(reviewed, o),
  explainSpend: (o) => trace.explainSpend({ ...spent, ...o }),
  extractHex: (o) => countersign.extractHex(unsigned, o),
  extractTransaction: (o) => countersign.extractTransaction(unsigned, o),
  finalizePsbt: (o) => countersign.finalizePsbt(unsigned, o),
  formatAsm: (o) => script.formatAsm(parseHex('51'), o),
  formatDescriptor: (o) => countersign.formatDescriptor(descriptor, countersign.networks.main, o),
  formatMessagePsbt: (o) => message.formatMessagePsbt(unsigned, o),
  formatPaymentUri: (o) => payment.formatPaymentUri({ addresses: [], ...o }),
  formatRegistration: (o) => policies.formatRegistration(policy, 'ledger', o),
  formatReview: (o) => countersign.formatReview(reviewWith(me, built), o),
  reportReview: (o) => review.reportReview(reviewWith(me, built), o),
  generateNonce: (o) => crypto.generateNonce({ rand: bytes32, publicKey: bytes32, ...o }),
  joinPsbts: (o) => countersign.joinPsbts([], o),
  keySigner: (o) => countersign.keySigner(provider, o),
  legacySighash: (o) => sighash.legacySighash({ ...digested, ...o }),
  masterKey: (o) => keys.masterKey(bytes32, o),
  masterOfElectrumSeed: (o) => keys.masterOfElectrumSeed('x', o),
  musig2Shares: (o) => psbt.musig2Shares(unsigned, o),
  openSession: (o) => psbt.openSession(unsigned, o),
  parseDescriptor: (o) => countersign.parseDescriptor('raw(51)', countersign.networks.main, o),
  parseExtendedKey: (o) => keys.parseExtendedKey('x', countersign.networks.main, o),
  parsePaymentUri: (o) => payment.parsePaymentUri('x', o),
  parsePsbt: (o) => countersign.parsePsbt(countersign.encodePsbt(unsigned), o),
  parseWalletFile: (o) => countersign.parseWalletFile('x', o),
  policyDescriptor: (o) => policies.policyDescriptor(policy, o),
  policyOf: (o) => policies.policyOf('x', { name: 'x', ...o }),
  open: (o) => countersign.open('x', o),
  accountOfKey: (o) => countersign.accountOfKey(seedKey, o),
  quorumDescriptor: (o) => countersign.quorumDescriptor(1, countersign.signerKeys(seedKey).slice(1), o),
  signerKeys: (o) => countersign.signerKeys(seedKey, o),
  openKeys: (o) => countersign.openKeys(`${'abandon '.repeat(11)}about`, o),
  proveName: [
    (o) => names.proveName({ name: 'a@b', proof: bytes32 }, o),
    (o) => names.proveName({ name: 'a@b', proof: bytes32, ...o }),
  ],
  psbtSighash: [
    (o) => countersign.psbtSighash(unsigned, 0, o),
    (o) => countersign.psbtSighash(built, 0, { leaf: { script: parseHex('51'), ...o } }),
  ],
  registerProposal: (o) => policies.registerProposal(unread, { name: 'x', ...o }),
  reviewWith: (o) => reviewWith(me, built, o),
  signWith: (o) => signWith(me, built, o),
  reviewPsbt: (o) => countersign.reviewPsbt(unsigned, o),
  segwitV0Sighash: (o) => sighash.segwitV0Sighash({ ...digested, value: 1n, ...o }),
  silentPaymentsFromDescriptor: (o) => countersign.silentPaymentsFromDescriptor('x', o),
  silentPaymentsFromWords: (o) => countersign.silentPaymentsFromWords('x', o),
  addSilentPaymentShares: (o) => countersign.addSilentPaymentShares(unsigned, () => undefined, o),
  shareSigner: (o) => countersign.shareSigner(provider, o),
  silentPaymentScripts: (o) => silentPayments.silentPaymentScripts({ keys: [], outpoints: [], addresses: [] }, o),
  sighashForInput: [
    (o) => countersign.sighashForInput({ ...spent, ...o }),
    (o) => countersign.sighashForInput({ ...spent, leaf: { script: parseHex('51'), ...o } }),
  ],
  signMessage: (o) => countersign.signMessage({ ...signed, from: { scriptPubKey: unread, provider }, ...o }),
  signPsbt: (o) => countersign.signPsbt(unsigned, () => undefined, o),
  signRawTransactionWithKey: (o) => rpc.signRawTransactionWithKey([HEX, [], [], 'ALL'], o),
  signTransaction: (o) => countersign.signTransaction({ tx: transaction, prevouts, keys: [], ...o }),
  signingRequests: (o) => countersign.signingRequests(unsigned, o),
  stringifyRpc: (o) => rpc.stringifyRpc({}, o),
  taprootOutput: (o) => countersign.taprootOutput(parseHex('51'), o),
  taprootSighash: [
    (o) => sighash.taprootSighash({ ...spent, sighashType: 0, ...o }),
    (o) => sighash.taprootSighash({ ...spent, sighashType: 0, tapscript: { leafHash: unread, ...o } }),
  ],
  tweakData: (o) => silentPayments.tweakData(transaction, [], o),
  transactionChecker: (o) => interpreter.transactionChecker({ tx: transaction, inputIndex: 0, value: 1n, ...o }),
  updatePsbt: (o) => countersign.updatePsbt(unsigned, { provider, ...o }),
  validateAddress: (o) => rpc.validateAddress(['x'], o),
  traceInput: (o) => interpreter.traceInput({ ...spent, ...o }, () => undefined),
  verifyInput: (o) => countersign.verifyInput({ ...spent, ...o }),
  verifySilentPayments: (o) => countersign.verifySilentPayments(unsigned, o),
  verifyMessage: (o) => countersign.verifyMessage({ ...signed, signature: '', address: '', ...o }),
  verifyRawTransaction: (o) => rpc.verifyRawTransaction([HEX, [], 'NONE'], o),
  verifyScript: (o) => interpreter.verifyScript({ ...spend, checker, ...o }),
  verifyTransaction: (o) => countersign.verifyTransaction(transaction, prevouts, o),
  wordsFromEntropy: (o) => countersign.wordsFromEntropy(bytes32, o),
};

describe('a misspelt option is refused', () => {
  test.each(Object.entries(CALLS))('by %s', (_, calls) => {
    for (const call of [calls].flat()) {
      const { code, data } = refusalOf(() => call({ misspelt: 1 }));
      expect(code).toBe('argument/invalid');
      expect(data).toMatchObject({ argument: expect.stringMatching(/^(?:[a-z]+(?:\[0\])?\.)?misspelt$/) });
    }
  });

  test('with the names of those that there are', () => {
    const call = () => countersign.accountFromWords('x', { netwrok: 'regtest' } as object);
    expect(call).toThrow(
      'The option netwrok is unknown: there is no such option; there are network, ecc, purpose, account, path, passphrase, wordlist',
    );
  });

  test('without a name that may be a secret', () => {
    const key = 'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1';
    expect(refusalOf(() => rpc.createRpc({ [key]: 1 } as object)).data).toMatchObject({ argument: '...' });
  });
});

describe('a missing option is named', () => {
  const namesOf = (call: Call): readonly string[] =>
    /there are (.*)$/.exec(refusalOf(() => call({ misspelt: 1 })).message)?.[1]?.split(', ') ?? [];

  test('by every function that needs some', () => {
    const needed = Object.entries(CALLS).flatMap(([name, calls]) =>
      [calls].flat().flatMap((call) =>
        namesOf(call).filter((option) => {
          const { message: text } = thrown(() => call({ [option]: undefined }));
          return new RegExp(`^The option (?:[a-z]+(?:\\[0\\])?\\.)?${option} is missing$`).test(text) && name;
        }),
      ),
    );
    expect(needed.length).toBeGreaterThan(60);
  });

  test('by a node without a clock, or without randomness', () => {
    const node = (options: object) => () => rpc.createNodeRpc({ network: 'regtest', ...options } as never);
    expect(node({ random: () => bytes32 })).toThrow('The option clock is missing');
    expect(node({ clock: () => 0 })).toThrow('The option random is missing');
  });

  test('but not a private key that logs do not show', () => {
    const key = withSecretKey({ isTaproot: false }, bytes32);
    expect(() => silentPayments.silentPaymentScripts({ keys: [key], outpoints: [], addresses: [] })).not.toThrow(
      'is missing',
    );
  });
});

const thrown = (call: () => unknown): { readonly message: string } => {
  try {
    call();
    return { message: '' };
  } catch (error) {
    return error as Error;
  }
};

/** Their subject is the arithmetic itself. */
const ON_ARITHMETIC: Readonly<Record<TakingArithmetic<typeof areas>, (o: never) => unknown>> = {
  withSignatureCache: (o) => countersign.withSignatureCache(o, countersign.createSignatureCache()),
};

describe('an arithmetic is an option', () => {
  test.each(Object.entries(CALLS))('of %s, and in the place of the options it is refused', (_, calls) => {
    for (const call of [calls].flat()) {
      const { message: known } = refusalOf(() => call({ misspelt: 1 }));
      const { code, message: text } = refusalOf(() => call(countersign.nobleEcc));
      expect(code).toBe('argument/invalid');
      if (!/\becc\b/.test(known)) continue;
      expect(text).toBe('The option ecc belongs into the options: pass { ecc: nobleEcc }, not nobleEcc');
      expect(refusalOf(() => call({ ecc: { ecc: countersign.nobleEcc } })).message).toBe(
        'The option ecc must be an arithmetic such as nobleEcc, without braces around it',
      );
    }
  });

  test.each(Object.entries(ON_ARITHMETIC))('of which %s refuses options', (_, call) => {
    expect(refusalOf(() => call({ ecc: countersign.nobleEcc } as never))).toMatchObject({
      code: 'argument/invalid',
      message: 'The option ecc must be an arithmetic such as nobleEcc, without braces around it',
    });
  });
});

const WRONG: Readonly<Record<keyof typeof OPTION_KINDS, readonly unknown[]>> = {
  flag: ['x', 1],
  count: ['x', -1, 1.5, Number.NaN],
  sats: ['x', -1, 1.5, 5n],
  satsOrNone: [-2],
  text: [1],
  texts: ['x', [1]],
  outputKind: ['', 'bech33', 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ'],
};

const KINDS = Object.entries(BITCOIND_OPTIONS).map(([name, { kind }]) => [name, kind] as const);

test.each(KINDS)('the option %s of a node is refused unless it is a %s', (name, kind) => {
  for (const wrong of WRONG[kind]) {
    expect(refusalOf(() => [CALLS.createNodeRpc].flat().map((call) => call({ [name]: wrong })))).toMatchObject({
      code: 'argument/invalid',
      message: `The option ${name} must be ${OPTION_KINDS[kind].words}`,
    });
  }
});
