import { type ByDialect, byDialect } from '../../answers/dialect/dialect.ts';

/** Rules by which a dialect's node and its wallets follow the chain and present their data. */
export interface WalletDialect {
  /** Places where a node looks for whole transactions to put into PSBTs: `documented` in the chain as well. */
  readonly previousTransactions: 'nowhere' | 'mempool' | 'mempool-and-chain';
  /** Entries of Core 31 say whether a received transaction is abandoned; those of 0.21 and `documented` do not. */
  readonly showsAbandoned: boolean;
  /** Entries of 0.21 and `documented` have `bip125-replaceable`; Core 31 has dropped it. */
  readonly showsReplaceability: boolean;
  /** Entries of Core have `trusted` always, those of `documented` only if it is true. */
  readonly showsDistrust: boolean;
  /** Transactions of the mempool that others can replace: in 0.21 those that signal it, in Core 31 any. */
  readonly replaceable: 'signalling' | 'any';
  /** Litecoin's node replaces none by default. */
  readonly replacedByDefault: boolean;
  /** Litecoin's wallets pass conflicts and abandonment on to the first recorded spender of an output, Core's to all. */
  readonly followsFirstSpender: boolean;
  /** `documented` says why a backup could not be written; Core only writes it into its log. */
  readonly explainsBackups: boolean;
}

/** The rows of {@link WalletDialect}. */
export const walletDialects: ByDialect<WalletDialect> = byDialect<WalletDialect>({
  'core-0.21': {
    previousTransactions: 'nowhere',
    showsAbandoned: false,
    showsReplaceability: true,
    showsDistrust: true,
    replaceable: 'signalling',
    replacedByDefault: true,
    followsFirstSpender: false,
    explainsBackups: false,
  },
  'litecoin-0.21': { replacedByDefault: false, followsFirstSpender: true },
  'core-31': {
    previousTransactions: 'mempool',
    showsAbandoned: true,
    showsReplaceability: false,
    replaceable: 'any',
  },
  documented: {
    previousTransactions: 'mempool-and-chain',
    showsAbandoned: false,
    showsReplaceability: true,
    showsDistrust: false,
    explainsBackups: true,
  },
});
