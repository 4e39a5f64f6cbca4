import {
  type Answer,
  always,
  amount,
  either,
  flag,
  hex,
  list,
  maybe,
  members,
  numeric,
  text,
  time,
} from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { computeBalances } from '../../wallet/queries/balances.ts';
import type { WalletRow } from '../../wallet/records/walletRow.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';
import { walletDialects } from '../walletDialect.ts';
import { lastProcessedBlock, lastProcessedBlockResult } from './lastProcessedBlock.ts';

const walletInfoResult = members({
  walletname: text(),
  walletversion: numeric(),
  format: text('sqlite or bdb'),
  balance: maybe(amount(), { until: 'core-29' }),
  unconfirmed_balance: maybe(amount(), { until: 'core-29' }),
  immature_balance: maybe(amount(), { until: 'core-29' }),
  txcount: numeric(),
  keypoololdest: maybe(time(), { until: 'core-0.21' }),
  keypoolsize: numeric(),
  hdseedid: maybe(hex("HASH160 of the seed's public key"), { until: 'core-0.21' }),
  keypoolsize_hd_internal: numeric('for change'),
  unlocked_until: maybe(time('of an encrypted wallet; 0 while locked')),
  paytxfee: maybe(amount('per 1000 virtual bytes'), { until: 'core-30' }),
  private_keys_enabled: flag(),
  avoid_reuse: flag(),
  scanning: either(always(false), members({ duration: numeric('in seconds'), progress: numeric('0 to 1') })),
  descriptors: flag(),
  external_signer: maybe(flag(), { since: 'core-29' }),
  blank: maybe(flag(), { since: 'core-29' }),
  birthtime: maybe(time(), { since: 'core-29' }),
  flags: maybe(list(text()), { since: 'core-30' }),
  lastprocessedblock: maybe(lastProcessedBlockResult, { since: 'core-29' }),
});

/** The answer of `getwalletinfo`. */
export type WalletInfoJson = Answer<typeof walletInfoResult>;

export const getwalletinfo = walletMethod({
  name: 'getwalletinfo',
  about: 'Reports the state of the wallet.',
  params: [],
  result: walletInfoResult,
  examples: ['getwalletinfo'],
  run: (_, context) => {
    const { wallet, node, dialect, settings } = context;
    const { row, legacy, descriptors } = wallet;
    return {
      walletname: row.name,
      walletversion: walletDialects[dialect.name].walletVersion,
      format: legacy ? 'bdb' : 'sqlite',
      ...balanceMembers(context),
      txcount: row.recordCount,
      keypoolsize: descriptors?.keypoolSize('external') ?? 0,
      keypoolsize_hd_internal: descriptors?.keypoolSize('internal') ?? 0,
      ...keypoolMembers(wallet, node.now()),
      unlocked_until: wallet.vault.master ? wallet.relockTime : undefined,
      paytxfee: row.payTxFee || settings.payRate,
      private_keys_enabled: !row.disablesPrivateKeys,
      avoid_reuse: row.avoidsReuse,
      scanning: false as const,
      descriptors: descriptors !== undefined,
      external_signer: false,
      blank: row.isBlank,
      birthtime: Number.isFinite(row.birth) ? row.birth : undefined,
      flags: flagNames(row),
      lastprocessedblock: lastProcessedBlock(wallet),
    };
  },
});

type BalanceMember = 'balance' | 'unconfirmed_balance' | 'immature_balance';

function balanceMembers(context: WalletContext): Readonly<Record<BalanceMember, bigint>> {
  const { trusted, pending, immature } = computeBalances(createView(context));
  return {
    balance: trusted.own,
    unconfirmed_balance: pending.own,
    immature_balance: immature.own + immature.usedOwn,
  };
}

/** @see Bitcoin Core 31 `WalletFlags`, in the order of their bits */
function flagNames({ avoidsReuse, disablesPrivateKeys, isBlank }: WalletRow): readonly string[] {
  return [
    ...(avoidsReuse ? ['avoid_reuse'] : []),
    'last_hardened_xpub_cached',
    ...(disablesPrivateKeys ? ['disable_private_keys'] : []),
    ...(isBlank ? ['blank'] : []),
    'descriptor_wallet',
  ];
}

type KeypoolMembers = Partial<
  Pick<WalletInfoJson, 'keypoololdest' | 'keypoolsize' | 'hdseedid' | 'keypoolsize_hd_internal'>
>;

/** @see Bitcoin Core 0.21 `GetOldestKeyPoolTime` */
function keypoolMembers({ legacy }: Wallet, now: number): KeypoolMembers {
  if (!legacy) return {};
  const { pool } = legacy.hd;
  const seed = legacy.hd.seed();
  const [external, internal] = [pool.first('external')?.time ?? now, pool.first('internal')?.time ?? now];
  return {
    keypoololdest: seed ? Math.max(external, internal) : external,
    keypoolsize: pool.size('external'),
    ...(seed && { hdseedid: formatReversedHex(hash160(seed.publicKey)) }),
    keypoolsize_hd_internal: pool.size('internal'),
  };
}
