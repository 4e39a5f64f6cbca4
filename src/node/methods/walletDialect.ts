import { type ByDialect, byDialect } from '../../answers/dialect/dialect.ts';

export interface WalletDialect {
  /** The latest version of legacy wallets, which Core 29 reports for all; Litecoin's supports MWEB. */
  readonly walletVersion: number;
  /** Places where a node looks for whole transactions to put into PSBTs. */
  readonly previousTransactions: 'nowhere' | 'mempool' | 'mempool-and-chain';
  /** Entries say whether a received transaction is abandoned. */
  readonly showsAbandoned: boolean;
  /** Entries have `trusted` even if it is false. */
  readonly showsDistrust: boolean;
  /** Replaceable transactions of the mempool: those that signal it, or any. */
  readonly replaceable: 'signalling' | 'any';
  /** Conflicts and abandonment pass on to the first recorded spender of an output, rather than to all. */
  readonly followsFirstSpender: boolean;
  /** `sendrawtransaction` has Core's limits of the fee rate and of burnt coins, although nothing is broadcast. */
  readonly limitsSends: boolean;
  /** Says why a backup could not be written; Core only logs it. */
  readonly explainsBackups: boolean;
}

export const walletDialects: ByDialect<WalletDialect> = byDialect<WalletDialect>({
  'core-0.21': {
    walletVersion: 169_900,
    previousTransactions: 'nowhere',
    showsAbandoned: false,
    showsDistrust: true,
    replaceable: 'signalling',
    followsFirstSpender: false,
    explainsBackups: false,
    limitsSends: true,
  },
  'litecoin-0.21': {
    walletVersion: 210_000,
    followsFirstSpender: true,
  },
  'core-29': {
    previousTransactions: 'mempool',
    showsAbandoned: true,
    replaceable: 'any',
  },
  documented: {
    previousTransactions: 'mempool-and-chain',
    showsAbandoned: false,
    showsDistrust: false,
    explainsBackups: true,
    limitsSends: false,
  },
});
