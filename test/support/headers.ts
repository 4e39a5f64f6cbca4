import { readFileSync } from 'node:fs';
import { scryptHash } from '../../src/core/crypto/scryptHash.ts';
import { type ConsensusParams, headerRules } from '../../src/core/network/networks.ts';
import { type BlockHeader, blockHash, decodeBlockHeader, encodeBlockHeader } from '../../src/node/chain/blockHeader.ts';
import { genesisHeader } from '../../src/node/chain/genesis.ts';
import type { ChainHeader, HeaderChain } from '../../src/node/chain/headerChain.ts';
import { hasProofOfWork } from '../../src/node/chain/proofOfWork.ts';
import { type Network, type NetworkName, networks, parseHex } from './library.ts';

const REAL = JSON.parse(readFileSync(new URL('../../vectors/headers.json', import.meta.url), 'utf8')) as Readonly<
  Record<'main' | 'testnet3', readonly string[]>
>;

/** Returns the first headers of a real chain, from the genesis block on. */
export const realHeaders = (name: 'main' | 'testnet3'): readonly Uint8Array[] => REAL[name].map(parseHex);

/** Returns the rules of a built-in network. */
export function paramsOf(name: NetworkName): ConsensusParams {
  const params = headerRules(networks[name]);
  if (!params) throw new Error(`no rules for ${name}`);
  return params;
}

/** Returns the header of a built-in network's genesis block, in bytes and in parts. */
export function builtInGenesis(name: NetworkName): BlockHeader & { readonly bytes: Uint8Array } {
  const bytes = genesisHeader(networks[name]);
  if (!bytes) throw new Error(`no header for ${name}`);
  return { ...decodeBlockHeader(bytes), bytes };
}

/** Creates a chain from headers, of which the first has the height `from`; nothing about them is checked. */
export function chainFrom(network: Network, headers: readonly Uint8Array[], from = 0): HeaderChain {
  const decoded = headers.map((bytes, i): ChainHeader => {
    return { ...decodeBlockHeader(bytes), hash: blockHash(bytes), height: from + i, work: 0n };
  });
  const tip = decoded.at(-1);
  if (!tip) throw new Error('no header');
  return { network, tip, headerAt: (height) => decoded[height - from] };
}

/** Creates a chain that only has the genesis block of a network. */
export const chainAtGenesis = (name: NetworkName): HeaderChain =>
  chainFrom(networks[name], [builtInGenesis(name).bytes]);

/** Changes a header's nonce until the header has work, on regtest after two attempts on average. */
export function mined(name: NetworkName, header: BlockHeader): Uint8Array {
  const { powHash, powLimit } = paramsOf(name);
  for (let { nonce } = header; ; nonce = (nonce + 1) >>> 0) {
    const bytes = encodeBlockHeader({ ...header, nonce });
    if (hasProofOfWork(header.bits, powHash === 'scrypt' ? scryptHash(bytes) : blockHash(bytes), powLimit))
      return bytes;
  }
}
