import { equalBytes } from '../../core/bytes/compare.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import { adaptNativeSecp256k1 } from '../../core/crypto/adaptNativeSecp256k1.ts';
import { adaptTinySecp256k1 } from '../../core/crypto/adaptTinySecp256k1.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { UsageError, unknownName } from '../terminal/usageError.ts';
import { installedPackages, type Packages } from './packages.ts';

interface Library {
  readonly name: 'native' | 'wasm';
  readonly path: string;
  readonly adapt: (library: never) => Ecc;
  readonly isPossible: () => boolean;
}

/** Fastest first. */
const LIBRARIES: readonly Library[] = [
  // The package's main entry silently falls back to JavaScript.
  { name: 'native', path: 'secp256k1/bindings.js', adapt: adaptNativeSecp256k1, isPossible: () => true },
  { name: 'wasm', path: 'tiny-secp256k1', adapt: adaptTinySecp256k1, isPossible: () => 'WebAssembly' in globalThis },
];

export const ARITHMETIC_NAMES: readonly string[] = [...LIBRARIES.map(({ name }) => name), 'noble'];

/** `library` is undefined for noble. */
interface Arithmetic {
  readonly library: Library | undefined;
  readonly ecc: Ecc;
}

const NOBLE: Arithmetic = { library: undefined, ecc: nobleEcc };

/**
 * Returns the arithmetic for a value of `--arithmetic`, by default the fastest that works, loaded at the first
 * operation.
 */
export function chosenEcc(choice: string | undefined, packages: Packages = installedPackages): Ecc {
  if (choice !== undefined) return named(choice, packages).ecc;
  if (!LIBRARIES.some((library) => isInstalled(library, packages))) return nobleEcc;
  return createLazyEcc(() => firstWorking(packages).ecc);
}

/** Returns a text such as `wasm (tiny-secp256k1 2.2.4)`. */
export function arithmeticText(choice: string | undefined, packages: Packages = installedPackages): string {
  const { library } = loaded(choice, packages);
  return library ? `${library.name} (${packageName(library)} ${packages.version(library.path)})` : 'noble';
}

const packageName = ({ path }: Library): string => path.split('/')[0] ?? path;

const loaded = (choice: string | undefined, packages: Packages): Arithmetic =>
  choice === undefined ? firstWorking(packages) : named(choice, packages);

const isInstalled = ({ path, isPossible }: Library, packages: Packages): boolean => isPossible() && packages.has(path);

function firstWorking(packages: Packages): Arithmetic {
  for (const library of LIBRARIES) {
    if (!isInstalled(library, packages)) continue;
    try {
      return { library, ecc: loadEcc(library, packages) };
    } catch {
      // The next library gives the same answers.
    }
  }
  return NOBLE;
}

function named(name: string, packages: Packages): Arithmetic {
  if (name === 'noble') return NOBLE;
  const library = LIBRARIES.find((known) => known.name === name);
  if (!library) throw new UsageError(unknownName('arithmetic', name, ARITHMETIC_NAMES));
  try {
    return { library, ecc: loadEcc(library, packages) };
  } catch (error) {
    throw new UsageError(`--arithmetic ${library.name}: ${faultText(library, error, packages)}`);
  }
}

function loadEcc(library: Library, packages: Packages): Ecc {
  if (!library.isPossible()) throw new Error('no WebAssembly');
  const ecc = library.adapt(packages.load(library.path) as never);
  if (!isSound(ecc)) throw new Error('wrong signatures');
  return ecc;
}

/** Signatures of 32 bytes 01 with the same secret key, by RFC6979 and BIP340. */
const ECDSA =
  'c64b1924157748652733c41294e5f6e395c3626a8e911f3742a4b8ad4fdb922f347ba5cdd629027ef5846eb85c9452f6312e0aea697625d66b202448f3e9618f';
const SCHNORR =
  '0d3d3f19148fae410afebd34da30527cc1bd9d559918a826871399a9dd94f4cd92435e2327bf4086f23e6d708c61112a7446dde45aae882447b669aba2d6867a';

/** Rejects a version of a library with another interface. */
function isSound(ecc: Ecc): boolean {
  const ones = new Uint8Array(32).fill(1);
  return (
    equalBytes(ecc.signEcdsa(ones, ones), parseHex(ECDSA)) &&
    equalBytes(ecc.signSchnorr(ones, ones, new Uint8Array(32)), parseHex(SCHNORR))
  );
}

function faultText(library: Library, error: unknown, packages: Packages): string {
  const name = packageName(library);
  const instead = 'or leave --arithmetic out';
  if (!library.isPossible())
    return `this Node.js runs without WebAssembly (--jitless): run it with WebAssembly, ${instead}`;
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  if (code === 'MODULE_NOT_FOUND' && !packages.has(library.path)) {
    return `the package ${name} is not installed here: install it beside countersign (npm install ${name}), ${instead}`;
  }
  if (code === 'ERR_DLOPEN_FAILED' || message?.startsWith('No native build')) {
    const machine = `${process.platform} ${process.arch}`;
    return `the package ${name} has no native code that runs here (${machine}): install it again on this machine, ${instead}`;
  }
  return `the package ${name} does not work here: install it again, ${instead}`;
}

function createLazyEcc(load: () => Ecc): Ecc {
  let loaded: Ecc | undefined;
  const ecc = (): Ecc => {
    loaded ??= load();
    return loaded;
  };
  const { isSecretKey, isPoint, isXOnlyPoint } = nobleEcc;
  return {
    isSecretKey,
    isPoint,
    isXOnlyPoint,
    publicKey: (...args) => ecc().publicKey(...args),
    verifyEcdsa: (...args) => ecc().verifyEcdsa(...args),
    verifySchnorr: (...args) => ecc().verifySchnorr(...args),
    signEcdsa: (...args) => ecc().signEcdsa(...args),
    signSchnorr: (...args) => ecc().signSchnorr(...args),
    isOwnEcdsa: (...args) => ecc().isOwnEcdsa(...args),
    isOwnSchnorr: (...args) => ecc().isOwnSchnorr(...args),
    tweakPublicKey: (...args) => ecc().tweakPublicKey(...args),
    tweakSecretKey: (...args) => ecc().tweakSecretKey(...args),
  };
}
