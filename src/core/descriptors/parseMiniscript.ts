import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import { unlessRefused } from '../errors.ts';
import { createKeyDeriver } from './deriveKey.ts';
import { formatKey } from './formatDescriptor.ts';
import { withoutSecretKeys } from './keyExpressions.ts';
import { collectKeys, faultText, findFault, parseMiniscript, printMiniscript } from './miniscript/index.ts';
import { type Context, parseKey, singleKey } from './parseKey.ts';
import { refuse } from './refuse.ts';
import type { Descriptor, KeyExpression, Reading } from './types.ts';

/** Parses miniscript, or refuses an unknown function. @see Bitcoin Core, the end of `ParseScript` */
export function parseInner(text: string, context: Exclude<Context, 'wpkh' | 'musig'>, reading: Reading): Descriptor {
  const isWitnessScript = context === 'wsh';
  const keyContext: Context = isWitnessScript ? 'wsh' : 'tr';
  const parsed = parseMiniscript<KeyExpression>(text, {
    context: isWitnessScript ? 'wsh' : 'tapscript',
    parseKey: (key) => parseKey(key, keyContext, reading),
    nestsKeys: reading.rules.nestsMiniscriptKeys,
  });
  if (parsed.kind === 'fault') {
    return refuseFunction(text, context, reading);
  }
  if (context !== 'wsh' && context !== 'tr') refuse('Miniscript expressions can only be used in wsh or tr.');
  const { root } = parsed;
  const style = { network: reading.network, isPrivate: false };
  // Errors show the first single-path key of a multipath key.
  const print = (key: KeyExpression): string => formatKey(singleKey(key, 0), style);
  const toName = (key: KeyExpression): string | undefined => publicKeyName(key, reading.ecc);
  const keyId = (key: KeyExpression): string => toName(key) ?? (reading.wasAccepted ? print(key) : UNDERIVABLE);
  const fault = findFault(root, keyId);
  if (fault) {
    const isHardened = fault.reason === 'duplicate-keys' && areOthersDistinct(collectKeys(fault.node).map(toName));
    refuse(`${printMiniscript(fault.node, print)}${faultText(fault.reason)}`, isHardened ? HARDENED_HINT : undefined);
  }
  return { kind: 'miniscript', root };
}

/** Core takes all keys that need a private key to be derived for one. */
const UNDERIVABLE = 'underivable';
const HARDENED_HINT =
  'Core counts all keys with hardened steps as duplicates of each other: derive those steps first and write [fingerprint/path]xpub instead';

function areOthersDistinct(names: readonly (string | undefined)[]): boolean {
  const derived = names.filter((name) => name !== undefined);
  return new Set(derived).size === derived.length;
}

export function refuseFunction(text: string, context: Context, { rules }: Reading): never {
  if (context === 'sh') refuse('A function is needed within P2SH');
  if (context === 'wsh') refuse('A function is needed within P2WSH');
  return refuse(
    `${rules.functionQuote}${withoutSecrets(text)}${rules.functionQuote} is not a valid descriptor function`,
  );
}

/** Returns `undefined` if derivation takes a private key. @see Bitcoin Core `PubkeyProvider::operator<` */
function publicKeyName(key: KeyExpression, ecc: Ecc): string | undefined {
  const expansion = { keys: new Map(), aggregates: new Map(), scripts: [] };
  const first = withoutSecretKeys(singleKey(key, 0));
  const publicKey = unlessRefused(() => createKeyDeriver(first, ecc)(0, expansion));
  return publicKey && bytesKey(publicKey);
}
