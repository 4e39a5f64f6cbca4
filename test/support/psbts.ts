import {
  createDeriver,
  createDescriptorProvider,
  createHolder,
  createPsbt,
  type Derived,
  type Descriptor,
  derivePath,
  type Finding,
  findingText,
  formatHex,
  formatXprv,
  formatXpub,
  type HeldKey,
  type Holder,
  heldKeyOf,
  heldKeysIn,
  keyFingerprint,
  keySigner,
  masterKey,
  type Network,
  networks,
  neuter,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  type PsbtReview,
  parseDescriptor,
  parseHex,
  parsePath,
  parseTxid,
  type ReviewOptions,
  reviewPsbt,
  type SignedPsbt,
  type Signer,
  signPsbt,
  singlePaths,
  type Transaction,
  txid,
  updatePsbt,
} from './library.ts';

// Honest PSBTs, made with this library, which tests then corrupt in one respect at a time.

const NETWORK = networks.regtest;

/** A person with a master key. */
export interface Person {
  /** Returns the key at a path with its origin, as a key expression. */
  readonly xprv: (path: string) => string;
  readonly xpub: (path: string) => string;
  /** The master key, as the person gives it. */
  readonly held: HeldKey;
  readonly fingerprint: Uint8Array;
  readonly secretAt: (path: string) => Uint8Array;
  readonly keyAt: (path: string) => Uint8Array;
}

function personOf(byte: number): Person {
  const master = masterKey(new Uint8Array(32).fill(byte));
  const fingerprint = keyFingerprint(master);
  const held = heldKeyOf(master);
  if (!held) throw new Error('no private key');
  const at = (path: string) => derivePath(master, parsePath(path));
  const origin = (path: string): string => `[${formatHex(fingerprint)}${path.slice(1)}]`;
  return {
    xprv: (path) => origin(path) + formatXprv(at(path), NETWORK),
    xpub: (path) => origin(path) + formatXpub(neuter(at(path)), NETWORK),
    held,
    fingerprint,
    secretAt: (path) => at(path).secretKey ?? new Uint8Array(0),
    keyAt: (path) => at(path).publicKey,
  };
}

export const ALICE: Person = personOf(0xa1);
export const BOB: Person = personOf(0xb0);
export const MALLORY: Person = personOf(0x66);

export const parse = (text: string): Descriptor => parseDescriptor(text, NETWORK);
const account = (purpose: number): string => `m/${purpose}h/1h/0h`;

/** Alice's wallets, with her private keys. */
export const WALLETS = {
  pkh: `pkh(${ALICE.xprv(account(44))}/<0;1>/*)`,
  shWpkh: `sh(wpkh(${ALICE.xprv(account(49))}/<0;1>/*))`,
  wpkh: `wpkh(${ALICE.xprv(account(84))}/<0;1>/*)`,
  tr: `tr(${ALICE.xprv(account(86))}/<0;1>/*)`,
  tree: `tr(${ALICE.xprv(account(86))}/<0;1>/*,{pk(${ALICE.xprv(account(87))}/<0;1>/*),pk(${BOB.xpub(account(87))}/<0;1>/*)})`,
  multi: `wsh(sortedmulti(2,${ALICE.xprv(account(48))}/<0;1>/*,${BOB.xpub(account(48))}/<0;1>/*))`,
  /** The same multisig in Bob's wallet, with Bob's private key. */
  multiOfBob: `wsh(sortedmulti(2,${ALICE.xpub(account(48))}/<0;1>/*,${BOB.xprv(account(48))}/<0;1>/*))`,
} as const;
export type WalletName = keyof typeof WALLETS;

/** Derives the scriptPubKey of a multipath descriptor at an index of a chain (0 receiving, 1 change). */
export function scriptAt(text: string, chain = 0, index = 0): Uint8Array {
  const single = singlePaths(parse(text))[chain];
  const script = single && createDeriver(single)(index).scriptPubKeys[0];
  if (!script) throw new Error(`no script of chain ${chain} at index ${index}`);
  return script;
}

/** The scriptPubKey of the payee, a stranger to Alice. */
export const PAYEE = parseHex(`0014${'11'.repeat(20)}`);

interface CoinPlan {
  /** The text of the descriptor that owns the coin. */
  readonly of: string;
  readonly index?: number;
  readonly value?: bigint;
  /** The record that shows the coin; default the previous transaction, and for segwit coins also the output. */
  readonly shownBy?: 'transaction' | 'output';
  readonly sequence?: number;
}

export interface Plan {
  readonly inputs: readonly CoinPlan[];
  /** The outputs; `to` is a scriptPubKey, or the text of a descriptor for its change. */
  readonly outputs: readonly { readonly to: Uint8Array | string; readonly index?: number; readonly value: bigint }[];
  readonly version?: 0 | 2;
  readonly locktime?: number;
  readonly txVersion?: number;
}

const NOTHING = new Uint8Array(0);

/** Makes the previous transaction of a coin; each input has a different one. */
function previousOf({ of, index = 0, value = 1_000_000n }: CoinPlan, number: number): Transaction {
  const outpoint = { txid: parseTxid(formatHex(new Uint8Array(32).fill(number + 1))), vout: 0 };
  const own = { value, scriptPubKey: scriptAt(of, 0, index) };
  return {
    version: 2,
    inputs: [{ outpoint, scriptSig: NOTHING, sequence: 0xffff_fffd, witness: [] }],
    // The coin is the second output, so that a wrong index of 0 is noticed.
    outputs: [{ value: 777n, scriptPubKey: PAYEE }, own],
    locktime: 0,
  };
}

/** Makes a valid PSBT with everything that the descriptors in the plan know. */
export function make({ inputs, outputs, version = 2, locktime = 0, txVersion = 2 }: Plan): Psbt {
  const previous = inputs.map(previousOf);
  const unsigned = createPsbt(
    {
      version: txVersion,
      inputs: previous.map((tx, i) => ({
        outpoint: { txid: txid(tx), vout: 1 },
        scriptSig: NOTHING,
        sequence: inputs[i]?.sequence ?? 0xffff_fffd,
        witness: [],
      })),
      outputs: outputs.map(({ to, index = 0, value }) => ({
        value,
        scriptPubKey: typeof to === 'string' ? scriptAt(to, 1, index) : to,
      })),
      locktime,
    },
    { version },
  );
  const texts = [...inputs.map(({ of }) => of), ...outputs.flatMap(({ to }) => (typeof to === 'string' ? to : []))];
  const withCoins = {
    ...unsigned,
    inputs: unsigned.inputs.map((input, i): PsbtInput => {
      const tx = previous[i];
      if (!tx) return input;
      return inputs[i]?.shownBy === 'output'
        ? { ...input, ...(tx.outputs[1] && { witnessUtxo: tx.outputs[1] }) }
        : { ...input, nonWitnessUtxo: tx };
    }),
  };
  const indexes = new Set([...inputs, ...outputs].map(({ index = 0 }) => index));
  return updated(withCoins, texts, [...indexes]);
}

/** Updates a PSBT with descriptors, at some indexes. */
export function updated(psbt: Psbt, texts: readonly string[], indexes: readonly number[] = [0, 1, 2]): Psbt {
  const derivers = [...new Set(texts)]
    .flatMap((text) => singlePaths(parse(text)))
    .map((single) => createDeriver(single));
  const provider = createDescriptorProvider(derivers.flatMap((derive) => indexes.map(derive)));
  return updatePsbt(psbt, { provider });
}

/** Makes a PSBT that pays Alice's coins to a stranger, with change and a fee of 2000 satoshi. */
export function payment(names: readonly WalletName[], rest: Partial<Plan> = {}): Psbt {
  const inputs = names.map((name, index) => ({ of: WALLETS[name], index }));
  const [first = 'wpkh'] = names;
  const outputs = [
    { to: PAYEE, value: 400_000n },
    { to: WALLETS[first], value: 1_000_000n * BigInt(names.length) - 402_000n },
  ];
  return make({ inputs, outputs, ...rest });
}

export const withInput = (psbt: Psbt, index: number, change: (input: PsbtInput) => PsbtInput): Psbt => ({
  ...psbt,
  inputs: psbt.inputs.map((input, i) => (i === index ? change(input) : input)),
});

export const withOutput = (psbt: Psbt, index: number, change: (output: PsbtOutput) => PsbtOutput): Psbt => ({
  ...psbt,
  outputs: psbt.outputs.map((output, i) => (i === index ? change(output) : output)),
});

/** Removes fields from a map. */
export function without<M extends object, N extends keyof M>(map: M, ...names: readonly N[]): Omit<M, N> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name as N))) as Omit<M, N>;
}

const derived = new Map<string, readonly Derived[]>();

/** Derives the first five indexes of each chain of a descriptor. */
function firstOf(text: string): readonly Derived[] {
  const known =
    derived.get(text) ?? singlePaths(parse(text)).flatMap((single) => [0, 1, 2, 3, 4].map(createDeriver(single)));
  derived.set(text, known);
  return known;
}

/** Creates a signer with all private keys of descriptors. */
const keysOf = (texts: readonly string[] = Object.values(WALLETS)): Signer =>
  keySigner(createDescriptorProvider(texts.flatMap(firstOf)));

/** What a test says of the signer: wallets, whose private keys are the signer's, and further keys. */
export interface SignerFacts extends Omit<ReviewOptions, 'holder'> {
  readonly network?: Network;
  readonly descriptors?: readonly Descriptor[];
  readonly keys?: readonly HeldKey[];
  readonly holder?: Holder;
}

export function reviewOptions({
  network = NETWORK,
  descriptors = [],
  keys,
  holder,
  ...rest
}: SignerFacts): ReviewOptions {
  const wallets = descriptors.map((descriptor) => ({ descriptor }));
  const held = { network, ecc: rest.ecc ?? nobleEcc, wallets, keys: keys ?? heldKeysIn(descriptors) };
  return { ...rest, holder: holder ?? createHolder(held) };
}

export const sign = (psbt: Psbt, facts: SignerFacts = {}, texts?: readonly string[]): SignedPsbt =>
  signPsbt(psbt, keysOf(texts), reviewOptions(facts));

export const review = (psbt: Psbt, facts: SignerFacts = {}): PsbtReview => reviewPsbt(psbt, reviewOptions(facts));

/** A finding with its sentence. */
export type WordedFinding = Finding & { readonly text: string };

export function findingsOf(psbt: Psbt, facts: SignerFacts = {}): readonly WordedFinding[] {
  const { findings, network } = review(psbt, facts);
  return findings.map((finding) => ({ ...finding, text: findingText(finding, network) }));
}

/** Lists the distinct findings as `check: action`. */
export const verdictsOf = (psbt: Psbt, facts: SignerFacts = {}): readonly string[] => [
  ...new Set(findingsOf(psbt, facts).map(({ check, action }) => `${check}: ${action}`)),
];

/** Counts the signatures in all inputs. */
export const signatureCount = ({ inputs }: Psbt): number =>
  inputs.reduce(
    (count, { partialSigs = [], tapKeySig, tapScriptSigs = [] }) =>
      count + partialSigs.length + tapScriptSigs.length + (tapKeySig ? 1 : 0),
    0,
  );
