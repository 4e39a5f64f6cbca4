import { assertBytes } from '../../core/bytes/assertBytes.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import {
  assertKnownOptions,
  assertList,
  assertShape,
  invalidOption,
  isObject,
  type OptionNames,
} from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { type Annotations, withAnnotations } from '../../core/descriptors/annotations.ts';
import {
  type AnnotatedKeys,
  formatSilentPaymentDescriptor,
  parseSilentPaymentDescriptor,
} from '../../core/descriptors/silentPayments.ts';
import { heldKeyOf } from '../../core/holder/heldKey.ts';
import { accountBelow, labelsUpTo, SILENT_PURPOSE, USUAL_LABELS } from '../../core/holder/silentWallets.ts';
import { type ExtendedKey, masterKey } from '../../core/keys/bip32.ts';
import type { KeyOrigin } from '../../core/keys/path.ts';
import { seedOfWords } from '../../core/keys/seedWords.ts';
import { type Network, resolveNetwork } from '../../core/network/networks.ts';
import type { PsbtOutput } from '../../core/psbt/format/types.ts';
import {
  assertSilentNetwork,
  formatSilentPaymentAddress,
  type SilentPaymentAddress,
} from '../../core/silentPayments/address.ts';
import { keysBelow, originsBelow, type SilentPaymentKeys } from '../../core/silentPayments/keys.ts';
import { CHANGE_LABEL } from '../../core/silentPayments/labels.ts';
import type { FoundPayment } from '../../core/silentPayments/receiver.ts';
import type { SpendableKey } from '../../core/silentPayments/spending.ts';
import { formatTxid, txid } from '../../core/tx/txid.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';
import type { Account } from './account.ts';
import { ACCOUNT_OPTIONS, type AccountOptions, assertAccountIndex, type WordsAccountOptions } from './accountKeys.ts';
import { readShownBlocks, type ShownBlock } from './shownBlock.ts';
import { silentPaymentParts } from './silentParts.ts';

/** An output that pays a wallet of silent payments, with what a PSBT needs to spend it. */
export interface SilentPaymentOutput extends SpendableKey {
  readonly scriptPubKey: Uint8Array;
  readonly network: Network;
  readonly spendOrigin?: KeyOrigin;
  /** That of the address which was paid. */
  readonly label?: number;
  /** Of the block that has it, if it was found in blocks. */
  readonly height?: number;
}

/** A coin that `buildPsbt` takes as an input. */
export interface SilentPaymentCoin {
  readonly txid: string;
  readonly vout: number;
  /** In satoshi. */
  readonly value: bigint;
  readonly from: SilentPaymentOutput;
}

/** The address of change, which `buildPsbt` takes, with what it writes into the output. @see BIP375 "Change Detection" */
export interface SilentPaymentChange {
  readonly address: string;
  readonly network: Network;
  readonly records: Pick<PsbtOutput, 'spV0Label' | 'bip32Derivations'> & { readonly spV0Info: SilentPaymentAddress };
}

/** A wallet of silent payments. */
export interface SilentPaymentAccount extends Pick<Account, 'network' | 'holds' | 'birthHeight'> {
  /**
   * Returns the address, or one with a label in use; label 0 is for change and not to be shown to others.
   * @throws `argument/invalid` for a label that no scan looks for
   */
  readonly address: (label?: number) => string;
  /** Returns the address of change, with the origins by which signers recognize it. */
  readonly change: () => SilentPaymentChange;
  /**
   * Returns the descriptor that finds payments, and with `isPrivate` spends them. Even the first holds a private key, with
   * which others see all payments. Repeats the annotations of the descriptor that made the wallet.
   * @throws `descriptor/invalid` if the private spend key is not known
   * @see BIP392, BIP393
   */
  readonly descriptor: (options?: { readonly isPrivate?: boolean }) => string;
  /** Finds the coins that a transaction pays; `spent` are the outputs that it spends, in the order of its inputs. */
  readonly findCoins: (tx: Transaction, spent: readonly Pick<TxOut, 'scriptPubKey'>[]) => readonly SilentPaymentCoin[];
  /**
   * Finds the coins that outputs are, with the tweak data of their transaction, 33 bytes, as servers of light clients give it.
   * @throws `ecc/point`
   * @see BIP352 "Appendix A: Light Client Support"
   */
  readonly findByTweakData: (
    tweakData: Uint8Array,
    paid: { readonly txid: string; readonly outputs: readonly TxOut[] },
  ) => readonly SilentPaymentCoin[];
  /**
   * Finds the coins that blocks, in the order of the chain, pay and leave unspent.
   * @throws `argument/invalid` for a block that is not shown with the coins that it spends
   */
  readonly coinsIn: (blocks: Iterable<string | ShownBlock>) => readonly SilentPaymentCoin[];
}

/** Options of every wallet of silent payments. */
export interface SilentPaymentAccountOptions extends AccountOptions {
  /** The labels in use, besides 0, for which scans look. Default: 1 to 100, or to the highest that the descriptor names. */
  readonly labels?: readonly number[];
}

/** Options of a wallet of silent payments from seed words. */
export type SilentPaymentWordsOptions = SilentPaymentAccountOptions & Omit<WordsAccountOptions, 'purpose' | 'path'>;

const OPTIONS: OptionNames<SilentPaymentAccountOptions> = { ...ACCOUNT_OPTIONS, labels: true };
const WORDS_OPTIONS: OptionNames<SilentPaymentWordsOptions> = {
  ...OPTIONS,
  account: true,
  passphrase: true,
  wordlist: true,
};

/**
 * Creates a wallet of silent payments from a BIP39 seed phrase, with the keys below `m/352h/coin/account`.
 * @throws `words/*`, `network/unknown`, `xkey/underivable`, `argument/invalid`
 * @see BIP352 "Key Derivation"
 *
 * @example
 * ```ts
 * import { silentPaymentsFromWords } from 'countersign';
 *
 * const me = silentPaymentsFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * me.address().slice(0, 6); // sprt1q
 * ```
 */
export function silentPaymentsFromWords(words: string, options: SilentPaymentWordsOptions = {}): SilentPaymentAccount {
  assertKnownOptions(options, WORDS_OPTIONS);
  return silentPaymentsFromMaster(masterKey(seedOfWords(words, options), { ecc: options.ecc }), options);
}

/** Creates a wallet of silent payments from the master key of a seed. @throws as `silentPaymentsFromWords` */
export function silentPaymentsFromMaster(
  master: ExtendedKey,
  options: SilentPaymentAccountOptions & Pick<SilentPaymentWordsOptions, 'account'>,
): SilentPaymentAccount {
  const { network: requested = 'main', account = 0, ecc = nobleEcc, labels = USUAL_LABELS } = options;
  const network = resolveNetwork(requested);
  assertAccountIndex(account);
  const { key, origin } = accountBelow(master, SILENT_PURPOSE, { network, account, ecc });
  return createSilentPaymentAccount(keysBelow(key, origin, ecc), { network, ecc, labels, number: account, master });
}

/**
 * Creates a wallet of silent payments from its descriptor. Without the private spend key, it finds payments and signs
 * nothing.
 * @throws `descriptor/invalid`, `descriptor/checksum`, `network/unknown`, `argument/invalid`
 * @see BIP392, BIP393
 *
 * @example
 * ```ts
 * import { silentPaymentsFromDescriptor, silentPaymentsFromWords } from 'countersign';
 *
 * const me = silentPaymentsFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const watching = silentPaymentsFromDescriptor(me.descriptor(), { network: 'regtest' });
 * watching.address() === me.address(); // true
 * ```
 */
export function silentPaymentsFromDescriptor(
  text: string,
  options: SilentPaymentAccountOptions = {},
): SilentPaymentAccount {
  assertKnownOptions(options, OPTIONS);
  assertText('descriptor', text);
  const { network: requested = 'main', ecc = nobleEcc } = options;
  const network = resolveNetwork(requested);
  return silentPaymentsFromKeys(parseSilentPaymentDescriptor(text.trim(), network, ecc), { ...options, network });
}

/** Creates a wallet of silent payments from what its descriptor says. */
export function silentPaymentsFromKeys(
  { annotations, ...keys }: AnnotatedKeys,
  options: SilentPaymentAccountOptions & { readonly network: Network },
): SilentPaymentAccount {
  const { network, ecc = nobleEcc, labels = labelsUpTo(annotations.maxLabel) } = options;
  return createSilentPaymentAccount(keys, { network, ecc, labels, annotations });
}

interface Terms {
  readonly network: Network;
  readonly ecc: Ecc;
  readonly labels: readonly number[];
  readonly number?: number;
  readonly master?: ExtendedKey;
  readonly annotations?: Annotations;
}

function createSilentPaymentAccount(
  keys: SilentPaymentKeys,
  { network, ecc, labels, number = 0, master, annotations = {} }: Terms,
): SilentPaymentAccount {
  const { spend, spendOrigin } = keys;
  assertSilentNetwork(network);
  const spendKey = spend.publicKey;
  const held = master && heldKeyOf(master);
  const parts = silentPaymentParts(keys, { labels, ecc, number, ...(held && { master: held }) });
  const { receiver } = parts.silent;
  const coinsOf = (
    id: string,
    outputs: readonly TxOut[],
    found: readonly FoundPayment[],
  ): readonly SilentPaymentCoin[] =>
    found.flatMap(({ vout, tweak, label }) => {
      const output = outputs[vout];
      if (!output) return [];
      const { value, scriptPubKey } = output;
      const known = { ...(spendOrigin && { spendOrigin }), ...(label !== undefined && { label }) };
      return [{ txid: id, vout, value, from: { scriptPubKey, network, spendKey, tweak, ...known } }];
    });
  const findCoins: SilentPaymentAccount['findCoins'] = (tx, spent) =>
    coinsOf(formatTxid(txid(tx)), tx.outputs, receiver.findPayments(tx, spent));
  const { birthHeight } = annotations;
  return {
    network,
    holds: { network, ecc, keys: parts.keys, silent: [parts.silent] },
    ...(birthHeight !== undefined && { birthHeight }),
    address: (label) => {
      assertLabel(label, labels);
      return formatSilentPaymentAddress(receiver.address(label), network);
    },
    change: () => changeOf(keys, { keys: receiver.address(CHANGE_LABEL), network }),
    descriptor: (options = {}) => withAnnotations(formatSilentPaymentDescriptor(keys, network, options), annotations),
    findCoins: (tx, spent) => {
      assertList('spent', spent);
      return findCoins(tx, spent);
    },
    findByTweakData: (tweakData, paid) => {
      assertBytes('tweakData', tweakData);
      assertShape('paid', isObject(paid) && Array.isArray(paid.outputs), 'an object with txid and outputs');
      return coinsOf(paid.txid, paid.outputs, receiver.findByTweakData(tweakData, paid.outputs));
    },
    coinsIn: (blocks) => {
      const coins = new Map<string, SilentPaymentCoin>();
      for (const { height, transactions } of readShownBlocks(blocks)) {
        for (const { tx, spent } of transactions) {
          for (const { outpoint } of tx.inputs) coins.delete(`${formatTxid(outpoint.txid)}:${outpoint.vout}`);
          for (const coin of findCoins(tx, spent)) {
            coins.set(`${coin.txid}:${coin.vout}`, { ...coin, from: { ...coin.from, height } });
          }
        }
      }
      return [...coins.values()];
    },
  };
}

function assertLabel(label: number | undefined, labels: readonly number[]): void {
  if (label === undefined || label === CHANGE_LABEL || labels.includes(label)) return;
  throw invalidOption('label', 'is none of those in use: name it in the option labels, so that scans look for it');
}

function changeOf(
  { scan, spend, origin }: SilentPaymentKeys,
  { keys, network }: { readonly keys: SilentPaymentAddress; readonly network: Network },
): SilentPaymentChange {
  const origins = origin && originsBelow(origin);
  const bip32Derivations = origins && [
    { pubkey: scan.publicKey, ...origins.scan },
    { pubkey: spend.publicKey, ...origins.spend },
  ];
  return {
    address: formatSilentPaymentAddress(keys, network),
    network,
    records: { spV0Info: keys, spV0Label: CHANGE_LABEL, ...(bip32Derivations && { bip32Derivations }) },
  };
}
