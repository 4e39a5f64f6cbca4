import { formatReversedHex } from '../../core/bytes/hex.ts';
import { headerRules, type Network } from '../../core/network/networks.ts';
import type { ChainBlock } from './types.ts';

/** Returns the names of the flags with which scripts of a block run, sorted. @see Bitcoin Core `GetBlockScriptFlags` */
export function blockScriptFlags(network: Network, { hash, height }: ChainBlock): readonly string[] {
  const { versionHeights, laterForks, flagExceptions = {} } = headerRules(network) ?? {};
  const [, bip66 = 0, bip65 = 0] = versionHeights ?? [];
  const [csv = 0, segwit = 0] = laterForks ?? [];
  const later = Object.entries({
    DERSIG: bip66,
    CHECKLOCKTIMEVERIFY: bip65,
    CHECKSEQUENCEVERIFY: csv,
    NULLDUMMY: segwit,
  }).flatMap(([name, from]) => (height >= from ? [name] : []));
  return [...(flagExceptions[formatReversedHex(hash)] ?? ['P2SH', 'WITNESS', 'TAPROOT']), ...later].sort();
}
