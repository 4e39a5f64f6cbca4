import { formatHex } from '../bytes/hex.ts';
import { isValidXOnlyPublicKey } from '../crypto/publicKey.ts';
import { type ScriptTemplate, TEMPLATES_WITHOUT_ADDRESS } from '../script/template.ts';
import { withChecksum } from './checksum.ts';
import type { Descriptor, FixedKey } from './types.ts';

type ShownKeys =
  | { readonly kind: 'pk' | 'rawtr'; readonly key: FixedKey }
  | { readonly kind: 'multi'; readonly required: number; readonly keys: readonly FixedKey[] };

export type Place = 'top' | 'sh' | 'wsh' | 'tr';

/** In `any`, every valid key may be shown. */
export type KeyPlace = Place | 'any';

/** Descriptors cannot express hybrid keys, nor uncompressed ones in segwit. */
export function shownKey(publicKey: Uint8Array, place: KeyPlace): FixedKey | undefined {
  const header = publicKey[0] ?? 0;
  const isUncompressedAllowed = header === 4 && (place === 'top' || place === 'sh');
  return header === 2 || header === 3 || isUncompressedAllowed || place === 'any'
    ? { kind: 'fixed', publicKey, isXOnly: false, mark: 'h' }
    : undefined;
}

export function shownXOnlyKey(publicKey: Uint8Array): FixedKey {
  return { kind: 'fixed', publicKey: Uint8Array.of(0x02, ...publicKey), isXOnly: true, mark: 'h' };
}

export function shownKeys(template: ScriptTemplate, place: KeyPlace): ShownKeys | undefined {
  if (template.type === 'pubkey') {
    const key = shownKey(template.pubkey, place);
    return key && { kind: 'pk', key };
  }
  if (template.type !== 'multisig') return undefined;
  const keys = template.pubkeys.flatMap((pubkey) => shownKey(pubkey, place) ?? []);
  const isWhole = keys.length === template.pubkeys.length;
  return isWhole ? { kind: 'multi', required: template.required, keys } : undefined;
}

export function inferShown(
  scriptPubKey: Uint8Array,
  template: ScriptTemplate,
): ShownKeys | Extract<Descriptor, { kind: 'addr' | 'raw' }> {
  const keys = shownKeys(template, 'top');
  if (keys) return keys;
  if (template.type === 'witness_v1_taproot' && isValidXOnlyPublicKey(template.program)) {
    return { kind: 'rawtr', key: shownXOnlyKey(template.program) };
  }
  return { kind: TEMPLATES_WITHOUT_ADDRESS.has(template.type) ? 'raw' : 'addr', script: scriptPubKey };
}

/** Formats what Core infers from a scriptPubKey alone. @see Bitcoin Core `InferDescriptor` */
export function shownDescriptor(
  scriptPubKey: Uint8Array,
  template: ScriptTemplate,
  address: string | undefined,
): string {
  const inferred = inferShown(scriptPubKey, template);
  if ('script' in inferred) {
    return withChecksum(inferred.kind === 'addr' ? `addr(${address ?? ''})` : `raw(${formatHex(scriptPubKey)})`);
  }
  const required = inferred.kind === 'multi' ? [inferred.required] : [];
  return withChecksum(`${inferred.kind}(${[...required, ...keyList(inferred).map(keyText)].join(',')})`);
}

const keyList = (inferred: ShownKeys): readonly FixedKey[] => ('keys' in inferred ? inferred.keys : [inferred.key]);
const keyText = ({ publicKey, isXOnly }: FixedKey): string => formatHex(isXOnly ? publicKey.slice(1) : publicKey);
