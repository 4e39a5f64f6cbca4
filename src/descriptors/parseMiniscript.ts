import { byteName } from '../bytes/compare.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createKeyDeriver, type Secrets, secretsOf } from './deriveKey.ts';
import { refuse, unlessInvalid, withoutSecrets } from './fault.ts';
import { faultOf, faultText, keysOf, parseMiniscript, printMiniscript } from './miniscript/index.ts';
import { type Context, parseKey, singleKey } from './parseKey.ts';
import { formatKey } from './print.ts';
import type { Reading } from './rules.ts';
import type { Descriptor, KeyExpression } from './types.ts';

/**
 * Reads what is no function of descriptors: miniscript, or nothing that makes sense.
 * @throws `descriptor/invalid`
 * @see Bitcoin Core `ParseScript`, its end
 */
export function parseInner(text: string, context: Exclude<Context, 'wpkh' | 'musig'>, reading: Reading): Descriptor {
  const isWitnessScript = context === 'wsh';
  const keyContext: Context = isWitnessScript ? 'wsh' : 'tr';
  const parsed = parseMiniscript<KeyExpression>(text, {
    context: isWitnessScript ? 'wsh' : 'tapscript',
    parseKey: (key) => parseKey(key, keyContext, reading),
  });
  if (parsed.kind === 'fault') {
    return refuseFunction(text, context, reading);
  }
  if (context !== 'wsh' && context !== 'tr') refuse('Miniscript expressions can only be used in wsh or tr.');
  const { root } = parsed;
  const print = (key: KeyExpression): string => formatKey(key, { network: reading.network, isPrivate: false });
  const secrets = secretsOf(keysOf(root));
  const fault = faultOf(root, (key) => keyId(key, secrets, print));
  if (fault) refuse(`${printMiniscript(fault.node, print)}${faultText(fault.reason)}`);
  return { kind: 'miniscript', root };
}

/** Refuses what is no function. 0.21 puts it between no quotes. */
export function refuseFunction(text: string, context: Context, { rules }: Reading): never {
  if (context === 'sh') refuse('A function is needed within P2SH');
  if (context === 'wsh') refuse('A function is needed within P2WSH');
  const quote = rules.isModern ? "'" : '';
  return refuse(`${quote}${withoutSecrets(text)}${quote} is not a valid descriptor function`);
}

/** The same for the same keys only: the key at index 0, or the text where that cannot be derived. */
function keyId(key: KeyExpression, secrets: Secrets, print: (key: KeyExpression) => string): string {
  const found = { keys: new Map(), aggregates: new Map(), scripts: [] };
  const publicKey = unlessInvalid(() => createKeyDeriver(singleKey(key, 0), nobleEcc, secrets)(0, found));
  return publicKey ? byteName(publicKey) : print(key);
}
