declare const txidBrand: unique symbol;
declare const txKeyBrand: unique symbol;
declare const outpointKeyBrand: unique symbol;

/** 32 bytes in wire order; `formatTxid` shows them reversed. */
export type Txid = Uint8Array & { readonly [txidBrand]: true };

/** A txid as a key of a `Map`, made by `txKey`. */
export type TxKey = string & { readonly [txKeyBrand]: true };

/** An outpoint as a key of a `Map`, made by `outpointKey`. */
export type OutpointKey = string & { readonly [outpointKeyBrand]: true };

/** A reference to an output of a transaction. */
export interface Outpoint {
  readonly txid: Txid;
  /** 0-based. */
  readonly vout: number;
}

/** An input of a transaction. */
export interface TxIn {
  readonly outpoint: Outpoint;
  readonly scriptSig: Uint8Array;
  readonly sequence: number;
  /** Bottom first; empty without a witness. */
  readonly witness: readonly Uint8Array[];
}

/** An output of a transaction. */
export interface TxOut {
  /** In satoshi; signed as on the wire, so that invalid amounts are kept as they are. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** A transaction as plain data. */
export interface Transaction {
  /** Unsigned. */
  readonly version: number;
  readonly inputs: readonly TxIn[];
  readonly outputs: readonly TxOut[];
  /** A height below 500 000 000, a UNIX time from there on. */
  readonly locktime: number;
  /** A HogEx, the last transaction of a Litecoin block, which moves coins to and from MWEB. */
  readonly isHogEx?: true;
}
