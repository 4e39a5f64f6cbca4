import { parseHex } from '../../core/bytes/hex.ts';
import type { KeyDigest } from '../../core/dnssec/zoneKey.ts';

const anchor = (keyTag: number, digest: string): KeyDigest => ({
  keyTag,
  algorithm: 8,
  digestType: 2,
  digest: parseHex(digest),
});

/**
 * The keys of the root of the domain name system, of 2017 and 2024, each by its SHA-256.
 * @see RFC 7958; the file root-anchors.xml of IANA
 */
export const ROOT_ANCHORS: readonly KeyDigest[] = /* @__PURE__ */ [
  [20326, 'e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d'] as const,
  [38696, '683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16'] as const,
].map(([keyTag, digest]) => anchor(keyTag, digest));
