import { inCoins } from '../../../answers/json/exactNumbers.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { computeBalances } from '../../wallet/queries/balances.ts';
import { recordCount } from '../../wallet/records/recordIndex.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';
import { walletDialects } from '../walletDialect.ts';
import type { WalletInfoJson } from '../walletJsonTypes.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const getwalletinfo = walletMethod({
  name: 'getwalletinfo',
  about: 'Reports the state of the wallet.',
  params: [],
  result: `walletname, walletversion, format, txcount, keypoolsize, keypoolsize_hd_internal, unlocked_until, private_keys_enabled,
avoid_reuse, scanning, descriptors
balance, unconfirmed_balance, immature_balance, keypoololdest, paytxfee    (0.21)
external_signer, blank, birthtime, flags, lastprocessedblock               (core-31)`,
  examples: ['getwalletinfo'],
  run: (_, context): WalletInfoJson =>
    walletMethodRules[context.dialect.generation].reportsBalances ? infoWithBalances(context) : infoWithFlags(context),
});

function infoWithFlags({ wallet, dialect }: WalletContext): WalletInfoJson {
  const { tip, birth, descriptors, isBlank } = wallet;
  return {
    walletname: wallet.name,
    walletversion: walletDialects[dialect.name].walletVersion,
    format: 'sqlite',
    txcount: recordCount(wallet),
    keypoolsize: descriptors?.keypoolSize('external') ?? 0,
    keypoolsize_hd_internal: descriptors?.keypoolSize('internal') ?? 0,
    ...relockMember(wallet),
    ...flagMembers(wallet),
    descriptors: true,
    external_signer: false,
    blank: isBlank,
    ...(Number.isFinite(birth) && { birthtime: birth }),
    flags: flagNames(wallet),
    lastprocessedblock: { hash: formatReversedHex(tip.hash), height: tip.height },
  };
}

function infoWithBalances(context: WalletContext): WalletInfoJson {
  const { wallet, node, dialect } = context;
  const balances = computeBalances(createView(context));
  return inCoins<WalletInfoJson>({
    walletname: wallet.name,
    walletversion: walletDialects[dialect.name].walletVersion,
    format: 'bdb',
    balance: balances.trusted.own,
    unconfirmed_balance: balances.pending.own,
    immature_balance: balances.immature.own + balances.immature.usedOwn,
    txcount: recordCount(wallet),
    ...keypoolMembers(wallet, node.now()),
    ...relockMember(wallet),
    paytxfee: wallet.payTxFee,
    ...flagMembers(wallet),
    descriptors: false,
  });
}

/** @see Bitcoin Core 31 `WalletFlags`, in the order of their bits */
function flagNames({ avoidsReuse, disablesPrivateKeys, isBlank }: Wallet): readonly string[] {
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
}: Wallet): Pick<WalletInfoJson, 'private_keys_enabled' | 'avoid_reuse' | 'scanning'> => ({
  private_keys_enabled: !disablesPrivateKeys,
  avoid_reuse: avoidsReuse,
  scanning: false,
});
