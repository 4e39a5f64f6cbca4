import { hash160 } from '../crypto/hash.ts';
import { classifyScript, type TemplateRules } from '../script/template.ts';
import type { Provider } from '../signing/provider.ts';

/** Whose an output is: nobody's here, watched, or one's own. @see Bitcoin Core 0.21 `isminetype` */
export type Ownership = 'no' | 'watched' | 'own';

/** When a key or script came, and where a key comes from. */
export interface KeyMetadata {
  /** UNIX time. */
  readonly time: number;
  /** Where the key comes from, if that was said. */
  readonly origin?: KeyPlace;
}

interface KeyPlace {
  /** 4 bytes. */
  readonly fingerprint: Uint8Array;
  readonly path: readonly number[];
}

/** What a wallet owns, and what it knows in order to spend it. */
export interface KeyStore {
  readonly ownershipOf: (scriptPubKey: Uint8Array) => Ownership;
  /**
   * Stands for what is known of one of its outputs, so that what follows from that can be remembered: another object
   * as soon as more is known; `undefined` for what is nobody's.
   */
  readonly knowledgeOf: (scriptPubKey: Uint8Array) => object | undefined;
  /** What is known of an output, other than private keys; `undefined` where nothing is to be told of it. */
  readonly providerFor: (scriptPubKey: Uint8Array) => Provider | undefined;
  /** Of the key of an output, or of the output itself. */
  readonly metadataOf: (scriptPubKey: Uint8Array) => KeyMetadata | undefined;
}

/** The hash of the one key that an address is for. @see Bitcoin Core `GetKeyForDestination` */
export function keyHashOf(
  script: Uint8Array,
  {
    templates,
    scriptOf,
  }: {
    readonly templates: TemplateRules;
    readonly scriptOf: (hash: Uint8Array) => Uint8Array | undefined;
  },
): Uint8Array | undefined {
  const template = classifyScript(script, templates);
  if (template.type === 'pubkey') return hash160(template.pubkey);
  if (template.type === 'pubkeyhash') return template.hash;
  if (template.type === 'witness_v0_keyhash') return template.program;
  if (template.type !== 'scripthash') return undefined;
  const inner = scriptOf(template.hash);
  const wrapped = inner && classifyScript(inner, templates);
  return wrapped?.type === 'witness_v0_keyhash' ? wrapped.program : undefined;
}
