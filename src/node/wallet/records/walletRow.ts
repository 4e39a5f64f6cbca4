import { formatHex, formatReversedHex, parseHex } from '../../../core/bytes/hex.ts';
import { type BlockKey, blockKey } from '../../chain/blockHeader.ts';
import { jsonCodec } from '../../store/codecs.ts';
import type { RecordCodec } from '../../store/tables.ts';
import { type DescriptorRoles, NO_ROLES } from '../keys/activeDescriptors.ts';
import { EMPTY_POOL, type PoolRanges } from '../keys/keypool.ts';
import type { SealedMasterKey } from '../keys/sealedSecrets.ts';
import type { Settings } from '../keys/settings.ts';

export interface BlockPlace {
  readonly hash: Uint8Array;
  readonly key: BlockKey;
  readonly height: number;
}

export interface PlaceJson {
  /** In display order. */
  readonly hash: string;
  readonly height: number;
}

export const toPlace = ({ hash, key, height }: BlockPlace): BlockPlace => ({ hash, key, height });

export const placeJson = ({ hash, height }: BlockPlace): PlaceJson => ({ hash: formatReversedHex(hash), height });

/** Parses the hash when it is needed: most calls ask for the height only. */
export const parsePlace = ({ hash, height }: PlaceJson): BlockPlace => ({
  height,
  get hash() {
    return parseHex(hash).reverse();
  },
  get key() {
    return blockKey(this.hash);
  },
});

/** The one record of a wallet itself. */
export interface WalletRow {
  readonly name: string;
  /** The place in the order of loading; missing if it is not loaded. */
  readonly loaded?: number | undefined;
  /** How often it was unloaded. */
  readonly unloads: number;
  readonly disablesPrivateKeys: boolean;
  /** @see Bitcoin Core `WALLET_FLAG_AVOID_REUSE` */
  readonly avoidsReuse: boolean;
  /** True if created without keys; in 0.21, until it has some. @see Bitcoin Core `WALLET_FLAG_BLANK_WALLET` */
  readonly isBlank: boolean;
  /** In satoshi per 1000 virtual bytes; 0 for none. @see Bitcoin Core 0.21 `m_pay_tx_fee` */
  readonly payTxFee: bigint;
  /** Set once the wallet is encrypted. */
  readonly master?: SealedMasterKey | undefined;
  /** The last processed block. */
  readonly tip: BlockPlace;
  /** Until Core 29, the best block in the wallet's file: the tip when the wallet was created, loaded or last saved. */
  readonly written: BlockPlace;
  /** UNIX time of the oldest descriptor or transaction; infinity without. @see Bitcoin Core `CWallet::m_birth_time` */
  readonly birth: number;
  /** Of recorded transactions. */
  readonly recordCount: number;
  /** The place of the next transaction in the order of arrival. */
  readonly nextArrival: number;
  readonly descriptorCount: number;
  /** In 0.21, the public key of the seed of new keys. */
  readonly seed?: Uint8Array | undefined;
  readonly pool: PoolRanges;
  readonly roles: DescriptorRoles;
  /** `roles` as in the wallet file. */
  readonly savedRoles: DescriptorRoles;
}

export type WalletSettings = Settings<WalletRow>;

export type WalletTerms = Pick<WalletRow, 'name' | 'disablesPrivateKeys' | 'avoidsReuse' | 'isBlank'>;

export const newWalletRow = (
  { name, disablesPrivateKeys, avoidsReuse, isBlank }: WalletTerms,
  tip: BlockPlace,
): WalletRow => ({
  name,
  disablesPrivateKeys,
  avoidsReuse,
  isBlank,
  unloads: 0,
  payTxFee: 0n,
  tip,
  written: tip,
  birth: Number.POSITIVE_INFINITY,
  recordCount: 0,
  nextArrival: 0,
  descriptorCount: 0,
  pool: EMPTY_POOL,
  roles: NO_ROLES,
  savedRoles: NO_ROLES,
});

export const walletRowCodec: RecordCodec<WalletRow> = jsonCodec(
  ({ payTxFee, tip, written, birth, seed, ...rest }: WalletRow) => ({
    ...rest,
    payTxFee: String(payTxFee),
    tip: placeJson(tip),
    written: placeJson(written),
    ...(Number.isFinite(birth) && { birth }),
    seed: seed && formatHex(seed),
  }),
  ({ payTxFee, tip, written, birth = Number.POSITIVE_INFINITY, seed, ...rest }) => ({
    ...rest,
    payTxFee: BigInt(payTxFee),
    tip: parsePlace(tip),
    written: parsePlace(written),
    birth,
    seed: seed === undefined ? undefined : parseHex(seed),
  }),
);
