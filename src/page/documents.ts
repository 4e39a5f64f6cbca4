import { formatBase64 } from '../bytes/base64.ts';
import { formatHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { Network } from '../network/networks.ts';
import { encodePsbt } from '../psbt/format/encodePsbt.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { unsignedTransaction } from '../psbt/format/version.ts';
import type { PolicyCheck } from '../review/policy.ts';
import { decodePsbt, decodeRawTransaction } from '../rpc/client.ts';
import { stringifyRpc } from '../rpc/json/stringify.ts';
import { encodeTransaction } from '../tx/codec.ts';
import { formatTxid, txid } from '../tx/txid.ts';
import type { Transaction } from '../tx/types.ts';
import {
  combineWith,
  finishWith,
  inputsSpending,
  type OpenDocument,
  psbtOfTransaction,
  withPrevious,
} from './openDocument.ts';
import type { DocumentView, OpenedView } from './protocol.ts';
import { refuse } from './refuse.ts';
import { countSignatures, type ReviewedDocument, reviewDocument, signDocument } from './reviewDocument.ts';
import type { Wallets } from './wallets.ts';

/** The open document of a session, and the transactions that were opened before. */
export interface Documents {
  /** @throws `page/refused` for another transaction; as `Account.review` */
  readonly openPsbt: (psbt: Psbt, name: string | undefined) => OpenedView;
  readonly openTransaction: (tx: Transaction, name: string | undefined) => OpenedView;
  readonly view: () => DocumentView | undefined;
  /** @throws `page/refused` if nothing is open */
  readonly reviewed: () => ReviewedDocument;
  /** The number of signatures that the keys at hand can add. */
  readonly signatureCount: () => number;
  readonly sign: (overrides: readonly PolicyCheck[]) => DocumentView;
  readonly nodeJson: () => string;
  /** Has the document reviewed again, since keys or the network changed. */
  readonly forgetReview: () => void;
  readonly close: () => void;
  /** Closes the document, and forgets the transactions, too. */
  readonly wipe: () => void;
}

/** The most transactions that are remembered, each of at most 4 MB. */
const MOST_REMEMBERED = 200;

/** Creates a place for documents. */
export function createDocuments(context: {
  readonly wallets: Wallets;
  readonly ecc: Ecc;
  readonly network: () => Network;
}): Documents {
  const { wallets, ecc } = context;
  let current: OpenDocument | undefined;
  let cached: ReviewedDocument | undefined;
  /** By txid: they may be the previous transactions of a document that is opened later. */
  const remembered = new Map<string, Transaction>();
  /** PSBTs by the txid of their unsigned transaction: they know the coins of a transaction that is opened later. */
  const psbts = new Map<string, Psbt>();

  const review = (document: OpenDocument): ReviewedDocument =>
    reviewDocument(document, { wallets, network: context.network(), ecc });
  /** Reviews a document, and opens it if that succeeds. */
  const show = (document: OpenDocument): DocumentView => {
    const next = review({ ...document, psbt: withPrevious(document.psbt, (id) => remembered.get(id)) });
    [current, cached] = [next.document, next];
    remember(psbts, unsignedId(current.psbt), current.psbt);
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

  return {
    openPsbt: (psbt, name) => {
      if (!current) return { kind: 'psbt', document: show({ name, psbt, parts: 1, notes: [] }), isCombined: false };
      const combined = combineWith(current, psbt);
      return { kind: 'psbt', isCombined: combined !== current, document: show(combined) };
    },
    openTransaction: (tx, name) => {
      const inputs = current ? inputsSpending(current.psbt, tx) : [];
      remember(remembered, formatTxid(txid(tx)), tx);
      if (current && inputs.length > 0) return { kind: 'previous-transaction', document: show(current), inputs };
      if (current) return { kind: 'transaction', document: show(finishWith(current, tx, ecc)) };
      const psbt = psbtOfTransaction(tx);
      const known = psbts.get(unsignedId(psbt));
      return { kind: 'transaction', document: show({ name, psbt: withCoins(psbt, known), tx, parts: 1, notes: [] }) };
    },
    view: () => current && reviewed().view,
    reviewed,
    signatureCount: () => {
      const { updated, review: found } = reviewed();
      return countSignatures(updated, found);
    },
    sign: (overrides) => show(signDocument(reviewed(), overrides)),
    nodeJson: () => nodeJson(reviewed(), context.network()),
    forgetReview: () => {
      cached = undefined;
    },
    close,
    wipe: () => {
      close();
      remembered.clear();
      psbts.clear();
    },
  };
}

const unsignedId = (psbt: Psbt): string => formatTxid(txid(unsignedTransaction(psbt)));

function remember<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id);
  map.set(id, value);
  const [oldest] = map.keys();
  if (map.size > MOST_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

/** Takes the coins from another PSBT for the same transaction. */
function withCoins(psbt: Psbt, known: Psbt | undefined): Psbt {
  if (!known) return psbt;
  const inputs = psbt.inputs.map((input, index) => {
    const { witnessUtxo, nonWitnessUtxo } = known.inputs[index] ?? {};
    return { ...input, ...(witnessUtxo && { witnessUtxo }), ...(nonWitnessUtxo && { nonWitnessUtxo }) };
  });
  return { ...psbt, inputs };
}

/** Prints what `decodepsbt` or `decoderawtransaction` of a node answers. */
function nodeJson({ document, final }: ReviewedDocument, network: Network): string {
  const options = { network, dialect: network.ticker === 'LTC' ? 'litecoin-0.21' : 'core-31' } as const;
  const answer = document.tx
    ? decodeRawTransaction(formatHex(encodeTransaction(final ?? document.tx)), undefined, options)
    : decodePsbt(formatBase64(encodePsbt(document.psbt)), options);
  return stringifyRpc(answer, { indent: 2 });
}
