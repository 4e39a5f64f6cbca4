import { halvingInterval, type Network } from '../../core/network/networks.ts';

const FIRST_SUBSIDY = 5_000_000_000n;
const MOST_HALVINGS = 64;

/** Returns what a block at a height creates, in satoshi. @see Bitcoin Core `GetBlockSubsidy` */
export function blockSubsidy(height: number, network: Network): bigint {
  const halvings = Math.floor(height / halvingInterval(network));
  return halvings >= MOST_HALVINGS ? 0n : FIRST_SUBSIDY >> BigInt(halvings);
}
