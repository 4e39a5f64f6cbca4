import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_METHOD_DEPRECATED } from '../../../answers/method/errorCodes.ts';
import { bool, coinAmount, optional, string } from '../../../answers/method/parameters.ts';
import { always, flag, maybe, members, text } from '../../../answers/method/results.ts';
import { formatAmount } from '../../../core/encoding/amount.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { isDeprecatedUsed, type WalletContext, walletMethod } from '../context.ts';
import { applyToWallet } from '../importResult.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

/** @see Bitcoin Core `WALLET_FLAG_CAVEATS` */
const RESCAN_FIRST =
  'You need to rescan the blockchain in order to correctly mark used destinations in the past. Until this is done, some destinations may be considered unused, even if the opposite is the case.';

export const setwalletflag = walletMethod({
  name: 'setwalletflag',
  checksLate: true,
  about: 'Sets or clears a flag of the wallet.',
  params: [
    string('flag', 'avoid_reuse: whether to mark coins of addresses that were spent from'),
    optional(bool('value', 'whether the flag is set'), true),
  ],
  result: members({
    flag_name: text(),
    flag_state: flag(),
    warnings: maybe(text('advice, if the flag was set')),
  }),
  examples: ['setwalletflag avoid_reuse --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const flag = args.flag;
    const isSet = args.value;
    if (!walletMethodRules[dialect.generation].flags.includes(flag)) {
      throw invalidParameter(`Unknown wallet flag: ${withoutSecrets(flag)}`);
    }
    if (flag !== 'avoid_reuse') throw invalidParameter(`Wallet flag is immutable: ${flag}`);
    if (wallet.row.avoidsReuse === isSet) throw invalidParameter(`Wallet flag is already set to ${isSet}: ${flag}`);
    applyToWallet(context, [{ type: 'flag', flag, isSet }]);
    return { flag_name: flag, flag_state: isSet, ...(isSet && { warnings: RESCAN_FIRST }) };
  },
});

/** The answer of a node without `-deprecatedrpc=settxfee`. */
const DEPRECATED_FEE_SETTING =
  'settxfee is deprecated and will be fully removed in v31.0.\n' +
  'To use settxfee restart bitcoind with -deprecatedrpc=settxfee.';

export const settxfee = lasting(
  walletMethod({
    name: 'settxfee',
    checksLate: true,
    about:
      'Sets the fee rate of payments that name neither a rate nor a confirmation target, until the wallet is unloaded.',
    params: [coinAmount('amount', 'the fee rate in coins per 1000 virtual bytes; 0 to choose none')],
    result: always(true),
    examples: ['settxfee 0.0002 --wallet-dir wallets'],
    run: (args, context) => {
      const { deprecatesFeeSetting } = walletMethodRules[context.dialect.generation];
      if (deprecatesFeeSetting && !isDeprecatedUsed('settxfee', context)) {
        throw new RpcError(RPC_METHOD_DEPRECATED, DEPRECATED_FEE_SETTING);
      }
      const rate = args.amount;
      assertRate(rate, context);
      applyToWallet(context, [{ type: 'pay-tx-fee', rate: Number(rate) }]);
      return true as const;
    },
  }),
  { until: 'core-30' },
);

function assertRate(rate: bigint, { mempool, network, settings: { minRate, maxFee } }: WalletContext): void {
  const relayRate = BigInt(mempool.rules.minRelayFee);
  const refuse = (limit: string, amount: bigint): never => {
    throw invalidParameter(`txfee cannot be ${limit} (${formatAmount(amount)} ${network.ticker}/kvB)`);
  };
  if (rate === 0n) return;
  if (rate < relayRate) refuse('less than min relay tx fee', relayRate);
  if (rate < minRate) refuse('less than wallet min fee', minRate);
  // Core compares the limit of a fee with the fee of 1000 virtual bytes.
  if (rate > maxFee) refuse('more than wallet max tx fee', maxFee);
}

export const abortrescan = walletMethod({
  name: 'abortrescan',
  about: 'Answers whether a rescan was stopped: never, since rescans end before the next call begins.',
  params: [],
  result: always(false),
  examples: ['abortrescan --wallet-dir wallets'],
  run: () => false as const,
});
