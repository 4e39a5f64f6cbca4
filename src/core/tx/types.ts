declare const txidBrand: unique symbol;

/** 32 bytes in wire order, which is displayed reversed (`formatTxid`). Made by `txid`, `parseTxid` and the codecs. */
export type Txid = Uint8Array & { readonly [txidBrand]: true };

/** A reference to an output of a transaction. */
export interface Outpoint {
  readonly txid: Txid;
  /** 0-based output index, 32 bits. */
  readonly vout: number;
}

/** An input: the outpoint that it spends, its sequence, and its scriptSig and witness. */
export interface TxIn {
  readonly outpoint: Outpoint;
  readonly scriptSig: Uint8Array;
  /** 32 bits. */
  readonly sequence: number;
  /** The witness stack, bottom first; empty without a witness. */
  readonly witness: readonly Uint8Array[];
}

/** An output: an amount in satoshi, and the script that locks it. */
export interface TxOut {
  /** In satoshi; 64 bits, signed as on the wire, so that invalid amounts are kept as they are. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** A transaction as plain data. */
export interface Transaction {
  /** 32 bits, unsigned. */
  readonly version: number;
  readonly inputs: readonly TxIn[];
  readonly outputs: readonly TxOut[];
  /** 32 bits, unsigned: a height below 500 000 000, a UNIX time from there on. */
  readonly locktime: number;
  /** Litecoin only: this is a HogEx, the block's last transaction, which moves coins between chain and MWEB. */
  readonly isHogEx?: true;
}
