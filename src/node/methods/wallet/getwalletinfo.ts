import { inCoins } from '../../../answers/json/exactNumbers.ts';
import {
  type Answer,
  amount,
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
import { walletMethodRules } from '../walletMethodRules.ts';
import { lastProcessedBlock, lastProcessedBlockResult } from './lastProcessedBlock.ts';

const walletInfoResult = members({
  walletname: text(),
  walletversion: numeric(),
  format: text('sqlite or bdb'),
  balance: maybe(amount(), { onlyIn: 'core-0.21' }),
  unconfirmed_balance: maybe(amount(), { onlyIn: 'core-0.21' }),
  immature_balance: maybe(amount(), { onlyIn: 'core-0.21' }),
  txcount: numeric(),
  keypoololdest: maybe(time(), { onlyIn: 'core-0.21' }),
  keypoolsize: numeric(),
  hdseedid: maybe(hex("HASH160 of the seed's public key"), { onlyIn: 'core-0.21' }),
  keypoolsize_hd_internal: numeric('for change'),
  unlocked_until: maybe(time('of an encrypted wallet; 0 while locked')),
  paytxfee: maybe(amount('per 1000 virtual bytes'), { onlyIn: 'core-0.21' }),
  private_keys_enabled: flag(),
  avoid_reuse: flag(),
  scanning: flag(),
  descriptors: flag(),
  external_signer: maybe(flag(), { since: 'core-31' }),
  blank: maybe(flag(), { since: 'core-31' }),
  birthtime: maybe(time(), { since: 'core-31' }),
  flags: maybe(list(text()), { since: 'core-31' }),
  lastprocessedblock: maybe(lastProcessedBlockResult, { since: 'core-31' }),
});

/** The answer of `getwalletinfo`. */
export type WalletInfoJson = Answer<typeof walletInfoResult>;

export const getwalletinfo = walletMethod({
  name: 'getwalletinfo',
  about: 'Reports the state of the wallet.',
  params: [],
  result: walletInfoResult,
  examples: ['getwalletinfo'],
  run: (_, context) =>
    walletMethodRules[context.dialect.generation].reportsBalances ? infoWithBalances(context) : infoWithFlags(context),
});

function infoWithFlags({ wallet, dialect }: WalletContext): WalletInfoJson {
  const { row, descriptors } = wallet;
  const { birth, isBlank } = row;
  return {
    walletname: wallet.row.name,
    walletversion: walletDialects[dialect.name].walletVersion,
    format: 'sqlite',
    txcount: wallet.row.recordCount,
    keypoolsize: descriptors?.keypoolSize('external') ?? 0,
    keypoolsize_hd_internal: descriptors?.keypoolSize('internal') ?? 0,
    ...relockMember(wallet),
    ...flagMembers(wallet.row),
    descriptors: true,
    external_signer: false,
    blank: isBlank,
    ...(Number.isFinite(birth) && { birthtime: birth }),
    flags: flagNames(row),
    lastprocessedblock: lastProcessedBlock(wallet),
  };
}

function infoWithBalances(context: WalletContext): WalletInfoJson {
  const { wallet, node, dialect } = context;
  const balances = computeBalances(createView(context));
  return inCoins({
    walletname: wallet.row.name,
    walletversion: walletDialects[dialect.name].walletVersion,
    format: 'bdb',
    balance: balances.trusted.own,
    unconfirmed_balance: balances.pending.own,
    immature_balance: balances.immature.own + balances.immature.usedOwn,
    txcount: wallet.row.recordCount,
    ...keypoolMembers(wallet, node.now()),
    ...relockMember(wallet),
    paytxfee: wallet.row.payTxFee,
    ...flagMembers(wallet.row),
    descriptors: false,
  });
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

type KeypoolMembers = Pick<WalletInfoJson, 'keypoololdest' | 'keypoolsize' | 'hdseedid' | 'keypoolsize_hd_internal'>;

/** @see Bitcoin Core 0.21 `GetOldestKeyPoolTime` */
function keypoolMembers({ legacy }: Wallet, now: number): KeypoolMembers {
  if (!legacy) return { keypoolsize: 0, keypoolsize_hd_internal: 0 };
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

const relockMember = ({ vault, relockTime }: Wallet): Pick<WalletInfoJson, 'unlocked_until'> =>
  vault.master ? { unlocked_until: relockTime } : {};

const flagMembers = ({
  disablesPrivateKeys,
  avoidsReuse,
}: WalletRow): Pick<WalletInfoJson, 'private_keys_enabled' | 'avoid_reuse' | 'scanning'> => ({
  private_keys_enabled: !disablesPrivateKeys,
  avoid_reuse: avoidsReuse,
  scanning: false,
});
