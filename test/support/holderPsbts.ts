import { policyTemplate } from '../../src/core/descriptors/policyTemplate.ts';
import { registerWallet } from '../../src/core/holder/registration.ts';
import { seedOfWords } from '../../src/core/keys/seedWords.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createHolder,
  createPsbt,
  type Derived,
  type Descriptor,
  derivePath,
  formatHex,
  formatXprv,
  formatXpub,
  type HeldKey,
  type Holder,
  type HolderParts,
  heldKeyOf,
  keyFingerprint,
  masterKey,
  type Network,
  networks,
  neuter,
  nobleEcc,
  type OfferedWallet,
  type Psbt,
  parseDescriptor,
  parseHex,
  parsePath,
  parseTxid,
  singlePaths,
  txid,
  updatePsbt,
} from './library.ts';

// PSBTs and holders of the main network, where wallets must be registered.

const MAIN = networks.main;

export const WORDS = {
  alice: `${'abandon '.repeat(11)}about`,
  bob: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  mallory: `${'zoo '.repeat(11)}wrong`,
} as const;

export type Name = keyof typeof WORDS;

export const masterOf = (name: Name, passphrase = '') => masterKey(seedOfWords(WORDS[name], { passphrase }));

/** Returns the key expression of a person at a path, public unless asked. */
export function keyAt(name: Name, path: string, network: Network = MAIN, isPrivate = false): string {
  const key = derivePath(masterOf(name), parsePath(path));
  const text = isPrivate ? formatXprv(key, network) : formatXpub(neuter(key), network);
  return `[${formatHex(keyFingerprint(masterOf(name)))}${path.slice(1)}]${text}`;
}

const P84 = 'm/84h/0h/0h';
const P48 = 'm/48h/0h/0h/2h';

export const quorumOf = (required: number, names: readonly Name[], chains = '<0;1>'): string =>
  `wsh(sortedmulti(${required},${names.map((name) => `${keyAt(name, P48)}/${chains}/*`).join()}))`;

export const single = (name: Name, path = P84, kind = 'wpkh', network: Network = MAIN): string => {
  const key = `${keyAt(name, path, network)}/<0;1>/*`;
  return kind === 'sh' ? `sh(wpkh(${key}))` : `${kind}(${key})`;
};

export const parseMain = (text: string, network: Network = MAIN): Descriptor => parseDescriptor(text, network);

/** Where a descriptor has a coin or an output. */
interface Place {
  readonly of: string;
  readonly chain?: number;
  readonly index?: number;
  readonly value?: bigint;
}

export interface Spend {
  readonly coins: readonly (Place & { readonly sequence?: number })[];
  readonly outputs: readonly (Place | { readonly script: Uint8Array; readonly value?: bigint })[];
  readonly locktime?: number;
  readonly network?: Network;
}

function derivedAt({ of, chain = 0, index = 0 }: Place, network: Network = MAIN): Derived {
  const chosen = singlePaths(parseMain(of, network))[chain];
  if (!chosen) throw new Error(`no chain ${chain}`);
  return createDeriver(chosen)(index);
}

const scriptOf = (place: Place, network: Network): Uint8Array =>
  derivedAt(place, network).scriptPubKeys[0] as Uint8Array;

export const STRANGER = parseHex(`0014${'11'.repeat(20)}`);
const NOTHING = new Uint8Array(0);

/** Makes an honest PSBT, with every record and previous transaction: coins of 1 million satoshi, outputs of 995 000 by default. */
export function spend({ coins, outputs, locktime = 0, network = MAIN }: Spend): Psbt {
  const previous = coins.map((coin, number) => ({
    version: 2,
    inputs: [
      {
        outpoint: { txid: parseTxid(formatHex(new Uint8Array(32).fill(number + 1))), vout: 0 },
        scriptSig: NOTHING,
        sequence: 0xffff_fffd,
        witness: [],
      },
    ],
    outputs: [{ value: coin.value ?? 1_000_000n, scriptPubKey: scriptOf(coin, network) }],
    locktime: 0,
  }));
  const unsigned = createPsbt(
    {
      version: 2,
      inputs: previous.map((tx, i) => ({
        outpoint: { txid: txid(tx), vout: 0 },
        scriptSig: NOTHING,
        sequence: coins[i]?.sequence ?? 0xffff_fffd,
        witness: [],
      })),
      outputs: outputs.map((output) => ({
        value: output.value ?? 995_000n,
        scriptPubKey: 'script' in output ? output.script : scriptOf(output, network),
      })),
      locktime,
    },
    { version: 2 },
  );
  const withCoins = {
    ...unsigned,
    inputs: unsigned.inputs.map((input, i) => ({ ...input, ...(previous[i] && { nonWitnessUtxo: previous[i] }) })),
  };
  const places = [...coins, ...outputs.flatMap((output) => ('script' in output ? [] : [output]))];
  const provider = createDescriptorProvider(places.map((place) => derivedAt(place, network)));
  return updatePsbt(withCoins, { provider });
}

export const heldKey = (name: Name, passphrase = '') =>
  heldKeyOf(masterOf(name, passphrase)) as NonNullable<ReturnType<typeof heldKeyOf>>;

/** A holder of the keys of persons, with wallets. */
export const holderOf = (
  names: readonly Name[],
  wallets: readonly (string | OfferedWallet)[] = [],
  rest: Partial<HolderParts> = {},
): Holder =>
  createHolder({
    network: MAIN,
    ecc: nobleEcc,
    keys: names.map((name) => heldKey(name)),
    wallets: wallets.map((wallet) =>
      typeof wallet === 'string' ? { descriptor: parseMain(wallet, rest.network) } : wallet,
    ),
    ...rest,
  });

/** Registers a wallet by a person, as `countersign register` does. */
export function registered(
  text: string,
  name: string,
  { by = 'alice' as Name, root = heldKey(by) as HeldKey, retires = [] as readonly string[], network = MAIN } = {},
): OfferedWallet {
  const descriptor = parseMain(text, network);
  const wallet = { ...policyTemplate(descriptor, network), name, network, retires };
  return { descriptor, registered: { name, retires, registrations: [registerWallet(root, wallet)] } };
}
