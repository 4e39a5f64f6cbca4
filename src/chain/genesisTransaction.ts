import { bytesOfKey } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import type { Network } from '../network/networks.ts';
import { payToPubkey, pushOf } from '../script/build.ts';
import { parseTxid } from '../tx/txid.ts';
import type { Transaction } from '../tx/types.ts';
import { consensusParamsOf } from './consensusParams.ts';

/** The text in a genesis coinbase, one character for each byte, and the key that it pays. */
interface Inscription {
  readonly text: string;
  readonly pubkey: string;
}

const BITCOIN: Inscription = {
  text: 'The Times 03/Jan/2009 Chancellor on brink of second bailout for banks',
  pubkey:
    '04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f',
};
const LITECOIN: Inscription = {
  text: 'NY Times 05/Oct/2011 Steve Jobs, Apple\xe2\x80\x99s Visionary, Dies at 56',
  pubkey:
    '040184710fa689ad5023690c80f3a49c8f13f8d45b8c857fbcbc8bc4a8e4d3eb4b10f4d4604fa08dce601aaf0f470216fe1b51850b4acf21b179c45070ac7b03a9',
};
const TESTNET4: Inscription = {
  text: '03/May/2024 000000000000000000001ebd58c244970b3aa9d783bb001011fbe8ea8e98e00e',
  pubkey: '00'.repeat(33),
};

/** The compact target of Bitcoin's first block, which every genesis coinbase begins with. */
const FIRST_BITS = Uint8Array.of(0xff, 0xff, 0x00, 0x1d);
const REWARD = 5_000_000_000n;

/**
 * Returns the only transaction of a genesis block, whose output no node can spend; `undefined` for a caller's own network.
 * @see Bitcoin Core `CreateGenesisBlock`
 */
export function genesisTransaction(network: Network): Transaction | undefined {
  if (!consensusParamsOf(network)) return undefined;
  const { text, pubkey } = network.name === 'testnet4' ? TESTNET4 : network.mweb ? LITECOIN : BITCOIN;
  const scriptSig = [pushOf(FIRST_BITS), pushOf(Uint8Array.of(4)), pushOf(bytesOfKey(text))].flatMap((push) => [
    ...push,
  ]);
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
