import { parseBytesKey } from '../../core/bytes/compare.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import type { Network } from '../../core/network/networks.ts';
import { encodePush, payToPubkey } from '../../core/script/build.ts';
import { parseTxid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { encodeBlock } from './block.ts';
import { encodeBlockHeader } from './blockHeader.ts';
import type { BlockBody } from './chainCodec.ts';
import { chainTx } from './chainTx.ts';

/** The compact target of Bitcoin's first block, with which every genesis coinbase begins. */
const FIRST_BITS = Uint8Array.of(0xff, 0xff, 0x00, 0x1d);
const REWARD = 5_000_000_000n;

export function genesisHeader({ genesis }: Network): Uint8Array | undefined {
  if (!genesis?.header) return undefined;
  const { merkleRoot, ...numbers } = genesis.header;
  return encodeBlockHeader({
    version: 1,
    previous: new Uint8Array(32),
    merkleRoot: parseHex(merkleRoot).reverse(),
    time: genesis.time,
    ...numbers,
  });
}

/** Returns `undefined` if the network does not state it. @see Bitcoin Core `CreateGenesisBlock` */
export function genesisTransaction(network: Network): Transaction | undefined {
  const coinbase = network.genesis?.coinbase;
  if (!coinbase) return undefined;
  const { text, pubkey } = coinbase;
  const scriptSig = [encodePush(FIRST_BITS), encodePush(Uint8Array.of(4)), encodePush(parseBytesKey(text))].flatMap(
    (push) => [...push],
  );
  return {
    version: 1,
    inputs: [
      {
        outpoint: { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff },
        scriptSig: Uint8Array.from(scriptSig),
        sequence: 0xffff_ffff,
        witness: [],
      },
    ],
    outputs: [{ value: REWARD, scriptPubKey: payToPubkey(parseHex(pubkey)) }],
    locktime: 0,
  };
}

/** Returns the genesis block with its transaction; `undefined` if the network does not state it. */
export function genesisBody(network: Network): BlockBody | undefined {
  const [header, tx] = [genesisHeader(network), genesisTransaction(network)];
  return header && tx && { bytes: encodeBlock(header, [tx]), txs: [chainTx(tx)] };
}
