import { formatHex } from '../bytes/hex.ts';
import { isValidXOnlyPublicKey } from '../crypto/publicKey.ts';
import type { ScriptTemplate } from '../script/template.ts';
import { withChecksum } from './checksum.ts';
import type { Descriptor, FixedKey } from './types.ts';

/** A descriptor that shows keys as they stand in the script. */
type ShownKeys =
  | { readonly kind: 'pk' | 'rawtr'; readonly key: FixedKey }
  | { readonly kind: 'multi'; readonly required: number; readonly keys: readonly FixedKey[] };

/** What a script stands in. */
export type Place = 'top' | 'sh' | 'wsh' | 'tr';

/** A key as a script shows it. Descriptors have no form for hybrid keys, and for uncompressed ones none in segwit. */
export function shownKey(publicKey: Uint8Array, place: Place): FixedKey | undefined {
  const header = publicKey[0] ?? 0;
  const isAllowed = header === 2 || header === 3 || (header === 4 && (place === 'top' || place === 'sh'));
  return isAllowed ? { kind: 'fixed', publicKey, isXOnly: false, mark: 'h' } : undefined;
}

/** An x-only key as a script shows it. */
export function shownXOnlyKey(publicKey: Uint8Array): FixedKey {
  return { kind: 'fixed', publicKey: Uint8Array.of(0x02, ...publicKey), isXOnly: true, mark: 'h' };
}

/** A bare key or multisig script, as far as the script itself shows keys. */
export function shownKeys(template: ScriptTemplate, place: Place): ShownKeys | undefined {
  if (template.type === 'pubkey') {
    const key = shownKey(template.pubkey, place);
    return key && { kind: 'pk', key };
  }
  if (template.type !== 'multisig') return undefined;
  const keys = template.pubkeys.flatMap((pubkey) => shownKey(pubkey, place) ?? []);
  const isWhole = keys.length === template.pubkeys.length;
  return isWhole ? { kind: 'multi', required: template.required, keys } : undefined;
}

const WITHOUT_ADDRESS: ReadonlySet<ScriptTemplate['type']> = /* @__PURE__ */ new Set([
  'pubkey',
  'multisig',
  'nulldata',
  'nonstandard',
  'witness_mweb_pegin',
  'witness_mweb_hogaddr',
] as const);

/**
 * The descriptor that a node infers for a scriptPubKey of which it knows no keys and no inner scripts.
 * @see Bitcoin Core `InferDescriptor`
 */
export function inferShown(
  scriptPubKey: Uint8Array,
  template: ScriptTemplate,
): ShownKeys | Extract<Descriptor, { kind: 'addr' | 'raw' }> {
  const keys = shownKeys(template, 'top');
  if (keys) return keys;
  if (template.type === 'witness_v1_taproot' && isValidXOnlyPublicKey(template.program)) {
    return { kind: 'rawtr', key: shownXOnlyKey(template.program) };
  }
  return { kind: WITHOUT_ADDRESS.has(template.type) ? 'raw' : 'addr', script: scriptPubKey };
}

/**
 * The text of the descriptor that a node infers for a scriptPubKey of which it knows nothing else, with checksum.
 *
 * - `address`: the script's address, where it has one
 */
export function shownDescriptor(
  scriptPubKey: Uint8Array,
  template: ScriptTemplate,
  address: string | undefined,
): string {
  const shown = inferShown(scriptPubKey, template);
  if ('script' in shown) {
    return withChecksum(shown.kind === 'addr' ? `addr(${address ?? ''})` : `raw(${formatHex(scriptPubKey)})`);
  }
  const required = shown.kind === 'multi' ? [shown.required] : [];
  return withChecksum(`${shown.kind}(${[...required, ...keysOf(shown).map(keyText)].join(',')})`);
}

const keysOf = (shown: ShownKeys): readonly FixedKey[] => ('keys' in shown ? shown.keys : [shown.key]);
const keyText = ({ publicKey, isXOnly }: FixedKey): string => formatHex(isXOnly ? publicKey.slice(1) : publicKey);
