import { formatBase64 } from '../../core/bytes/base64.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { safeFileName } from '../../core/encoding/safeFileName.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import { networksOfAddress } from '../../kit/open/open.ts';
import type { ExportSubject, ExportView, WalletView } from './protocol.ts';
import { refuse } from './refusals.ts';
import type { ReviewedDocument } from './reviewDocument.ts';

export interface ExportSource {
  readonly reviewed: () => ReviewedDocument;
  readonly wallet: (id: number) => WalletView;
  /** The file of a wallet that was registered in this session. */
  readonly registration: (id: number) => string;
  /** The message that was signed last, as a file. */
  readonly message: () => string;
}

export interface Exported extends ExportView {
  readonly payload: Uint8Array;
  readonly wallet?: WalletView;
}

/** Never exports a private key. @throws `page/refused` */
export function createExport({ kind, walletId, address }: ExportSubject, source: ExportSource): Exported {
  switch (kind) {
    case 'psbt':
      return psbtFile(source.reviewed());
    case 'transaction':
      return transactionFile(source.reviewed());
    case 'json':
      return textFile(
        `${baseName(source.reviewed())}-review.json`,
        `${JSON.stringify(source.reviewed().view.review, null, 2)}\n`,
        'application/json',
      );
    case 'descriptors':
      return walletFile(source.wallet(walletId ?? -1));
    case 'registration':
      return registrationFile(walletId ?? -1, source);
    case 'address':
      if (address === undefined || networksOfAddress(address).length === 0)
        return refuse('There is no valid address to show');
      return textFile('address.txt', address);
    case 'message':
      return textFile('signed-message.txt', source.message());
    default:
      return refuse('The page has no export of this kind');
  }
}

function psbtFile(reviewed: ReviewedDocument): Exported {
  if (reviewed.view.kind === 'transaction')
    refuse('The open document is a transaction, not a PSBT: export it as a transaction');
  const content = encodePsbt(reviewed.document.psbt);
  return {
    fileName: `${baseName(reviewed)}.psbt`,
    mediaType: 'application/octet-stream',
    content,
    text: formatBase64(content),
    payload: content,
  };
}

function transactionFile(reviewed: ReviewedDocument): Exported {
  const { final } = reviewed.view;
  if (!final)
    return refuse('The transaction is not complete yet: export the PSBT, and pass it on to the other signers');
  return { ...textFile(`${baseName(reviewed)}-final.txn`, final.hex), payload: parseHex(final.hex) };
}

function walletFile(wallet: WalletView): Exported {
  const { name, descriptors, publicKeys } = wallet;
  const text = [...descriptors, ...publicKeys].join('\n');
  if (text === '') refuse('This wallet has no descriptors and no public keys to export');
  return { ...textFile(`${safeFileName(name)}.txt`, text), wallet };
}

/** Holds no secret, and serves all signers of the wallet. */
const registrationFile = (id: number, { wallet, registration }: ExportSource): Exported =>
  textFile(`${safeFileName(wallet(id).name)}.wallet.json`, registration(id), 'application/json');

function textFile(fileName: string, text: string, mediaType = 'text/plain'): Exported {
  const content = encodeUtf8(text);
  return { fileName, mediaType, content, text, payload: content };
}

function baseName({ document: { name }, view: { txid } }: ReviewedDocument): string {
  const stem = name?.replace(/^.*[\\/]/, '').replace(/\.[a-z0-9]{1,5}$/i, '') ?? '';
  return stem === '' ? `transaction-${txid.slice(0, 8)}` : safeFileName(stem);
}
