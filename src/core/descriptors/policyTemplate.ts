import type { Network } from '../network/networks.ts';
import { formatDescriptor } from './formatDescriptor.ts';
import { withoutMarks } from './keyExpressions.ts';
import type { Descriptor } from './types.ts';

/** A descriptor with placeholders for its keys. @see BIP388 "Wallet policies" */
export interface PolicyTemplate {
  /** A descriptor with `@0`, `@1` … for the keys, each followed by `/**` or `/<M;N>/*`. */
  readonly template: string;
  /** Extended public keys with their origins, in the order of their first use. */
  readonly keys: readonly string[];
}

/** An extended key with its origin, and the steps behind it. */
const KEY = /((?:\[[0-9a-f/']*\])?[a-zA-Z]pub[1-9A-HJ-NP-Za-km-z]{100,115})((?:\/[^,(){}]*)?)/g;
const USUAL_CHAINS = '/<0;1>/*';

/** Writes a descriptor in one form for all signers: without checksum, with `'`, and keys as `xpub` or `tpub`. */
export function policyTemplate(descriptor: Descriptor, network: Network): PolicyTemplate {
  const keys: string[] = [];
  const text = formatDescriptor(withoutMarks(descriptor), network).replace(/#.*/, '');
  const template = text.replace(KEY, (_, key: string, path: string) => {
    if (!keys.includes(key)) keys.push(key);
    // The path of a key in `musig()` follows the parenthesis.
    return `@${keys.indexOf(key)}${path === USUAL_CHAINS ? '/**' : path}`;
  });
  return { template: template.replaceAll(`)${USUAL_CHAINS}`, ')/**'), keys };
}
