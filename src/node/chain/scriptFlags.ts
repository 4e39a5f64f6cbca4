import { formatReversedHex } from '../../core/bytes/hex.ts';
import type { ScriptFlag } from '../../core/interpreter/flags.ts';
import { headerRules, type Network } from '../../core/network/networks.ts';
import type { ChainBlock } from './types.ts';

/** Returns the flags with which scripts of a block run, sorted. @see Bitcoin Core `GetBlockScriptFlags` */
export function blockScriptFlags(network: Network, { hash, height }: ChainBlock): readonly ScriptFlag[] {
  const { versionHeights, laterForks, flagExceptions = {} } = headerRules(network) ?? {};
  const [, bip66 = 0, bip65 = 0] = versionHeights ?? [];
  const [csv = 0, segwit = 0] = laterForks ?? [];
  const later = (
    [
      ['DERSIG', bip66],
      ['CHECKLOCKTIMEVERIFY', bip65],
      ['CHECKSEQUENCEVERIFY', csv],
      ['NULLDUMMY', segwit],
    ] as const
  ).flatMap(([flag, from]) => (height >= from ? [flag] : []));
  return [...(flagExceptions[formatReversedHex(hash)] ?? (['P2SH', 'WITNESS', 'TAPROOT'] as const)), ...later].sort();
}
