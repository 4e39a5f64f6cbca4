import { type HeldKey, heldKeyFrom } from '../../src/core/holder/heldKey.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createPsbt,
  type Ecc,
  formatHex,
  keySigner,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  parseTxid,
  type SignatureRequest,
  type SignedPsbt,
  type Signer,
  type SigningProvider,
  type SignOptions,
  signingRequests,
  singlePaths,
  type Transaction,
  type TxOut,
  toPsbtV2,
  txid,
  updatePsbt,
} from './library.ts';
import { ALICE, BOB, PAYEE, parse } from './psbts.ts';

// Coins of every kind of script, and the keys that can spend them.

/** The holders of keys: two keys of Alice, two of Bob. */
const HOLDERS = { a1: [ALICE, '1'], a2: [ALICE, '2'], b1: [BOB, '1'], b2: [BOB, '2'] } as const;
export type Holder = keyof typeof HOLDERS;
export const HOLDER_NAMES = Object.keys(HOLDERS) as readonly Holder[];

const key = (holder: Holder): string => `${HOLDERS[holder][0].xpub(`m/${HOLDERS[holder][1]}h`)}/0`;
const [A1, A2, B1, B2] = HOLDER_NAMES.map(key) as [string, string, string, string];

export interface Kind {
  readonly descriptor: string;
  /** The sets of keys that can spend it, at a height of 200. */
  readonly quorums: readonly (readonly Holder[])[];
}

const kind = (descriptor: string, ...quorums: readonly (readonly Holder[])[]): Kind => ({ descriptor, quorums });

export const KINDS = {
  pk: kind(`pk(${A1})`, ['a1']),
  pkh: kind(`pkh(${A1})`, ['a1']),
  multi: kind(`multi(1,${A1},${B1})`, ['a1'], ['b1']),
  'sh(pk)': kind(`sh(pk(${A1}))`, ['a1']),
  'sh(pkh)': kind(`sh(pkh(${A1}))`, ['a1']),
  'sh(multi)': kind(`sh(multi(2,${A1},${B1}))`, ['a1', 'b1']),
  wpkh: kind(`wpkh(${A1})`, ['a1']),
  'sh(wpkh)': kind(`sh(wpkh(${A1}))`, ['a1']),
  'wsh(pk)': kind(`wsh(pk(${A1}))`, ['a1']),
  'wsh(pkh)': kind(`wsh(pkh(${A1}))`, ['a1']),
  'wsh(multi)': kind(`wsh(multi(2,${A1},${B1},${B2}))`, ['a1', 'b1'], ['a1', 'b2'], ['b1', 'b2']),
  'wsh(miniscript)': kind(`wsh(and_v(v:pk(${A1}),or_d(pk(${B1}),after(100))))`, ['a1']),
  'wsh(later)': kind(`wsh(or_d(pk(${A1}),and_v(v:pkh(${B1}),after(300))))`, ['a1']),
  'sh(wsh(multi))': kind(`sh(wsh(sortedmulti(2,${A1},${B1})))`, ['a1', 'b1']),
  tr: kind(`tr(${A1})`, ['a1']),
  'tr with leaves': kind(`tr(${A1},{pk(${A2}),pk(${B2})})`, ['a1'], ['a2'], ['b2']),
  'tr, multi_a': kind(`tr(${ALICE.xpub('m/3h')}/0,multi_a(2,${A2},${B2}))`, ['a2', 'b2']),
  rawtr: kind(`rawtr(${A1})`, ['a1']),
} as const satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

const SECRETS = new Map(
  HOLDER_NAMES.map((holder) => {
    const [person, account] = HOLDERS[holder];
    return [holder, person.secretAt(`m/${account}h/0`)] as const;
  }),
);

/** Creates a signer with the keys of some holders. */
export function keySignerOf(holders: readonly Holder[], ecc: Ecc = nobleEcc): Signer {
  const keys = holders.flatMap((holder) => {
    const secretKey = SECRETS.get(holder);
    return secretKey ? [{ secretKey, publicKey: ecc.publicKey(secretKey) }] : [];
  });
  const find = (wanted: Uint8Array) =>
    keys.find(({ publicKey }) => formatHex(publicKey.slice(1)) === formatHex(wanted));
  const signer = keySigner(
    { key: () => undefined, xOnlyKey: find } satisfies Pick<SigningProvider, 'key' | 'xOnlyKey'>,
    {
      ecc,
    },
  );
  const ecdsa = (request: SignatureRequest): Uint8Array | undefined => {
    const ownKey = find(request.publicKey.slice(1));
    return ownKey && keySigner({ key: () => ownKey, xOnlyKey: () => undefined }, { ecc })(request);
  };
  return (request) => (request.algorithm === 'ecdsa' ? ecdsa(request) : signer(request));
}

/** The same keys, as a person gives them. */
export const heldKeysOf = (holders: readonly Holder[], ecc: Ecc = nobleEcc): readonly HeldKey[] =>
  holders.map((holder) =>
    heldKeyFrom({ secretKey: SECRETS.get(holder) ?? new Uint8Array(32), isCompressed: true }, ecc),
  );

const derived = Object.values(KINDS).flatMap(({ descriptor }) =>
  singlePaths(parse(descriptor)).map((single) => createDeriver(single)(0)),
);
/** A signing provider that knows all scripts and no private key. */
export const WATCHER: SigningProvider = createDescriptorProvider(derived);

const scriptOf = (name: KindName): Uint8Array => {
  const script = derived[KIND_NAMES.indexOf(name)]?.scriptPubKeys[0];
  if (!script) throw new Error(`no script of kind ${name}`);
  return script;
};

const NOTHING = new Uint8Array(0);

/** Makes the previous transaction of the coin with this number; the coin is its second output. */
function previousOf(name: KindName, number: number): Transaction {
  const outpoint = { txid: parseTxid(formatHex(new Uint8Array(32).fill(number + 1))), vout: 0 };
  return {
    version: 2,
    inputs: [{ outpoint, scriptSig: NOTHING, sequence: 0xffff_fffd, witness: [] }],
    outputs: [
      { value: 777n, scriptPubKey: PAYEE },
      { value: 1_000_000n, scriptPubKey: scriptOf(name) },
    ],
    locktime: 0,
  };
}

export interface Coins {
  readonly kinds: readonly KindName[];
  readonly outputs?: number;
  readonly version?: 0 | 2;
}

/** Makes a PSBT as a creator does, with the previous transactions added and no scripts. */
export function created({ kinds, outputs = kinds.length, version = 2 }: Coins): Psbt {
  const previous = kinds.map(previousOf);
  const psbt = createPsbt(
    {
      version: 2,
      inputs: previous.map((tx) => ({
        outpoint: { txid: txid(tx), vout: 1 },
        scriptSig: NOTHING,
        sequence: 0xffff_fffd,
        witness: [],
      })),
      outputs: Array.from({ length: outputs }, (_, i) => ({ value: 900_000n - BigInt(i), scriptPubKey: PAYEE })),
      locktime: 200,
    },
    { version: 0 },
  );
  const inputs = previous.map((nonWitnessUtxo): PsbtInput => ({ nonWitnessUtxo }));
  return version === 0 ? { ...psbt, inputs } : toPsbtV2({ ...psbt, inputs });
}

const updatedInputs = new Map<string, PsbtInput>();

/** Makes a PSBT with all scripts and key origins. Caches the updated inputs. */
export function updatedPsbt(coins: Coins): Psbt {
  const psbt = created(coins);
  return {
    ...psbt,
    inputs: psbt.inputs.map((input, i) => {
      const kindName = coins.kinds[i] ?? 'pk';
      const name = `${kindName} ${i}`;
      const known = updatedInputs.get(name) ?? updatedInput(kindName, i);
      updatedInputs.set(name, known);
      return { ...input, ...known };
    }),
  };
}

function updatedInput(name: KindName, number: number): PsbtInput {
  const kinds = Array.from({ length: number + 1 }, () => name);
  const [input = {}] = updatePsbt(created({ kinds, outputs: 1, version: 0 }), { provider: WATCHER }).inputs.slice(
    number,
  );
  return input;
}

export const prevoutsOf = ({ kinds }: Coins): readonly TxOut[] =>
  kinds.map((name) => ({ value: 1_000_000n, scriptPubKey: scriptOf(name) }));

/** Answers all signature requests of a PSBT, without a review. */
export function drive(psbt: Psbt, signer: Signer, options: SignOptions = {}): SignedPsbt {
  const requests = signingRequests(psbt, options);
  let step = requests.next();
  while (!step.done) step = requests.next(signer(step.value));
  return step.value;
}

/** Lists all signature requests of a PSBT. */
export function requestsOf(psbt: Psbt, options: SignOptions = {}): readonly SignatureRequest[] {
  return [...signingRequests(psbt, options)];
}
