declare const txidBrand: unique symbol;

/** 32 bytes in wire order; people see them reversed (`formatTxid`). Made by `txid`, `parseTxid` and the codecs. */
export type Txid = Uint8Array & { readonly [txidBrand]: true };

/** Names one output of a transaction. */
export interface Outpoint {
  readonly txid: Txid;
  /** 0-based output index, 32 bits. */
  readonly vout: number;
}

export interface TxIn {
  readonly outpoint: Outpoint;
  readonly scriptSig: Uint8Array;
  /** 32 bits. */
  readonly sequence: number;
  /** The witness stack, bottom first; empty where there is none. */
  readonly witness: readonly Uint8Array[];
}

export interface TxOut {
  /** In satoshi; signed 64 bits on the wire, so that nonsense is shown as it is. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

export interface Transaction {
  /** 32 bits, unsigned. */
  readonly version: number;
  readonly inputs: readonly TxIn[];
  readonly outputs: readonly TxOut[];
  /** 32 bits, unsigned: a height below 500 000 000, a UNIX time from there on. */
  readonly locktime: number;
  /** Litecoin only: the integrating transaction that moves coins out of the extension block. */
  readonly isHogEx?: true;
}
