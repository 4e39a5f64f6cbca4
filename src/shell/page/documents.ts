import { resolveContext } from '../../answers/dialect/dialect.ts';
import { stringifyRpc } from '../../answers/json/stringify.ts';
import { explainPsbt } from '../../answers/psbt/decodepsbt.ts';
import { explainTransaction } from '../../answers/rawtransaction/decoderawtransaction.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { NEWEST } from '../../core/generations.ts';
import type { Musig2Source } from '../../core/job/musig2Round.ts';
import type { Network } from '../../core/network/networks.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import type { PolicyCheck } from '../../core/review/finding.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, txid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { createMemoryNonces } from './memoryNonces.ts';
import {
  combineWith,
  finishWith,
  inputsSpending,
  type OpenDocument,
  psbtFromTransaction,
  withPrevious,
} from './openDocument.ts';
import type { Wallets } from './pageWallets.ts';
import type { DocumentView, OpenedView } from './protocol.ts';
import { refuse } from './refusals.ts';
import { countSignatures, type ReviewedDocument, reviewDocument, signDocument } from './reviewDocument.ts';

export interface Documents {
  readonly openPsbt: (psbt: Psbt, name: string | undefined) => OpenedView;
  readonly openTransaction: (tx: Transaction, name: string | undefined) => OpenedView;
  readonly view: () => DocumentView | undefined;
  readonly reviewed: () => ReviewedDocument;
  readonly signatureCount: () => number;
  readonly sign: (overrides: readonly PolicyCheck[]) => DocumentView;
  readonly nodeJson: () => string;
  /** Forces a new review after keys or the network changed. */
  readonly forgetReview: () => void;
  readonly close: () => void;
  readonly wipe: () => void;
}

interface DocumentsContext {
  readonly wallets: Wallets;
  readonly ecc: Ecc;
  readonly network: () => Network;
  readonly random?: Musig2Source['random'];
}

export function createDocuments({ wallets, ecc, network, random }: DocumentsContext): Documents {
  let current: OpenDocument | undefined;
  let cached: ReviewedDocument | undefined;
  /** Possible previous transactions of later documents. */
  const transactions = createMemory<Transaction>();
  /** Found by the txid of the unsigned transaction, whose coins they have. */
  const psbts = createMemory<Psbt>();

  /** Outlive their document, which is combined and opened again between the rounds. */
  const musig2 = random && { store: createMemoryNonces(random), random };

  const review = (document: OpenDocument): ReviewedDocument =>
    reviewDocument(document, { wallets, network: network() });
  /** Opens a document only if its review succeeds. */
  const show = (document: OpenDocument): DocumentView => {
    const next = review({ ...document, psbt: withPrevious(document.psbt, transactions.find) });
    [current, cached] = [next.document, next];
    psbts.add(unsignedId(current.psbt), current.psbt);
    return next.view;
  };
  const reviewed = (): ReviewedDocument => {
    if (!current) return refuse('No PSBT or transaction is open');
    cached ??= review(current);
    return cached;
  };
  const close = (): void => {
    current = undefined;
    cached = undefined;
  };
  const openPsbt: Documents['openPsbt'] = (psbt, name) => {
    if (!current) return { kind: 'psbt', document: show({ name, psbt, parts: 1, notes: [] }), isCombined: false };
    const combined = combineWith(current, psbt);
    return { kind: 'psbt', isCombined: combined !== current, document: show(combined) };
  };
  const openTransaction: Documents['openTransaction'] = (tx, name) => {
    const inputs = current ? inputsSpending(current.psbt, tx) : [];
    transactions.add(formatTxid(txid(tx)), tx);
    if (current && inputs.length > 0) return { kind: 'previous-transaction', document: show(current), inputs };
    if (current) return { kind: 'transaction', document: show(finishWith(current, tx, ecc)) };
    const psbt = psbtFromTransaction(tx);
    const earlier = psbts.find(unsignedId(psbt));
    return { kind: 'transaction', document: show({ name, psbt: withCoins(psbt, earlier), tx, parts: 1, notes: [] }) };
  };
  return {
    openPsbt,
    openTransaction,
    view: () => current && reviewed().view,
    reviewed,
    signatureCount: () => countSignatures(reviewed()),
    sign: (overrides) => show(signDocument(reviewed(), { overrides, ...(musig2 && { musig2 }) })),
    nodeJson: () => nodeJson(reviewed(), network()),
    forgetReview: () => {
      cached = undefined;
    },
    close,
    wipe: () => {
      close();
      transactions.wipe();
      psbts.wipe();
      musig2?.store.wipe();
    },
  };
}

/** Transactions of at most 4 MB each. */
const MOST_REMEMBERED = 200;

interface Memory<T> {
  readonly add: (id: string, value: T) => void;
  readonly find: (id: string) => T | undefined;
  readonly wipe: () => void;
}

function createMemory<T>(): Memory<T> {
  const values = new Map<string, T>();
  return {
    add: (id, value) => {
      values.delete(id);
      values.set(id, value);
      const [oldest] = values.keys();
      if (values.size > MOST_REMEMBERED && oldest !== undefined) values.delete(oldest);
    },
    find: (id) => values.get(id),
    wipe: () => values.clear(),
  };
}

const unsignedId = (psbt: Psbt): string => formatTxid(txid(unsignedTransaction(psbt)));

function withCoins(psbt: Psbt, earlier: Psbt | undefined): Psbt {
  if (!earlier) return psbt;
  const inputs = psbt.inputs.map((input, index) => {
    const { witnessUtxo, nonWitnessUtxo } = earlier.inputs[index] ?? {};
    return { ...input, ...(witnessUtxo && { witnessUtxo }), ...(nonWitnessUtxo && { nonWitnessUtxo }) };
  });
  return { ...psbt, inputs };
}

function nodeJson({ document, final }: ReviewedDocument, network: Network): string {
  const context = resolveContext({ network, dialect: network.ticker === 'LTC' ? 'litecoin-0.21' : NEWEST });
  const answer = document.tx
    ? explainTransaction(formatHex(encodeTransaction(final ?? document.tx)), undefined, context)
    : explainPsbt(document.psbt, context);
  return stringifyRpc(answer, { indent: 2 });
}
