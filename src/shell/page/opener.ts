import { decodeUtf8WithoutMark, withoutUtf16 } from '../../core/bytes/utf8.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { type Network, type NetworkName, resolveNetwork } from '../../core/network/networks.ts';
import { parseMessageRequest } from '../../kit/message/messageRequest.ts';
import { formatSignedMessage } from '../../kit/message/signedMessageFile.ts';
import { contentOfCode, type CodeContent as ScannedCode } from '../../kit/open/codeContent.ts';
import { open } from '../../kit/open/open.ts';
import { openedText } from '../../kit/open/openedText.ts';
import { textOfKeys } from '../../kit/open/openKeys.ts';
import { withoutSecretTexts } from '../../kit/open/secretTexts.ts';
import { findPayment } from '../../kit/payment/findPayment.ts';
import { paymentToJson } from '../../kit/payment/paymentJson.ts';
import { type PaymentUri, payableAddress } from '../../kit/payment/paymentUri.ts';
import { createFrameReader } from '../../kit/qr/frameReader.ts';
import type { AddressSearch } from './addressSearch.ts';
import type { Documents } from './documents.ts';
import type { Wallets } from './pageWallets.ts';
import type { OpenedView, PaymentView } from './protocol.ts';
import type { Quorums } from './quorums.ts';
import { refuse, sentence } from './refusals.ts';

/** The user's choice, or else the network of the wallet that was added last. */
export interface NetworkChoice {
  readonly current: () => Network;
  readonly choose: (name: NetworkName) => void;
  readonly follow: (name: NetworkName) => void;
}

export function createNetworkChoice(first: NetworkName): NetworkChoice {
  let network = resolveNetwork(first);
  let isChosen = false;
  return {
    current: () => network,
    choose: (name) => {
      network = resolveNetwork(name);
      isChosen = true;
    },
    follow: (name) => {
      if (!isChosen) network = resolveNetwork(name);
    },
  };
}

const ONE_OF_SEVERAL = 'This is one of the QR codes of a content: scan them all with the camera';

/** Reads the texts of all QR codes of a content, one a line. @throws `page/refused`; as `contentOfCode` */
function contentOfCodes(content: Uint8Array | string): ScannedCode {
  const reader = createFrameReader();
  const [first, ...more] = textOf(content)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const state = reader.add(line);
      if (state.status === 'ignored') return refuse(CODE_FAULTS[state.reason]);
      return state.status === 'complete' ? state.scanned : [];
    });
  if (!first) return refuse(ONE_OF_SEVERAL);
  if (more.length > 0) return refuse('These are the QR codes of several contents: open them one after the other');
  return contentOfCode(first);
}

const textOf = (content: Uint8Array | string): string =>
  typeof content === 'string' ? content : (decodeUtf8WithoutMark(withoutUtf16(content)) ?? '');

/** Any line could be a message: without a path, it is not taken for a request to sign it. */
const REQUEST = /^(?:signmessage \S{1,200} ascii:|[^\r\n]{1,10000}\r?\n[ \t]{0,8}m\/)/;

/** Tells whether a text may ask for a signature: by its beginning, a path in its second line, or as JSON with a member `msg`. */
const mayBeRequest = (text: string): boolean => REQUEST.test(text) || (text.startsWith('{') && text.includes('"msg"'));

function openRequest(text: string): OpenedView | undefined {
  const request = mayBeRequest(text.trimStart()) ? unlessRefused(() => parseMessageRequest(text)) : undefined;
  return request && open(request.message).kind !== 'secret' ? { kind: 'message-request', text } : undefined;
}

const CODE_FAULTS = {
  damaged: 'These QR codes do not fit together: scan them again',
  other: 'These are QR codes of different contents: open them one after the other',
  unreadable: 'One of these QR codes cannot be read: it may be cut off',
} as const;

/** A file or a pasted text, or what QR codes hold. */
export type FileContent = Omit<ScannedCode, 'content'> & { readonly content: Uint8Array | string };

export interface Opener {
  readonly open: (readContent: () => FileContent) => OpenedView;
  /** Returns the secret that was opened last, until it is used. */
  readonly pending: () => string | undefined;
  readonly forget: () => void;
}

export function createOpener(to: {
  readonly wallets: Wallets;
  readonly documents: Documents;
  readonly choice: NetworkChoice;
  readonly search: AddressSearch;
  readonly readSigner: Quorums['read'];
  readonly onWallet: (network: NetworkName) => void;
}): Opener {
  let pending: string | undefined;
  const viewPayment = (payment: PaymentUri): PaymentView => {
    const address = payableAddress(payment);
    const isOpen = to.documents.view() !== undefined;
    return {
      ...withoutSecretTexts(paymentToJson(payment)),
      address,
      owner: address === undefined ? undefined : to.search.ownerOf(address),
      found: isOpen ? findPayment(to.documents.reviewed().review, payment) : undefined,
    };
  };
  const openContent = (
    { content, name: fileName, networks = [] }: FileContent,
    { isScanned = false }: { readonly isScanned?: boolean } = {},
  ): OpenedView => {
    const name = fileName === undefined ? undefined : shownPath(fileName);
    const network = to.choice.current();
    const [other] = networks.some((candidate) => candidate === network.name) ? [] : networks;
    const opened = open(content, { network: other ?? network });
    switch (opened.kind) {
      case 'psbt':
        return to.documents.openPsbt(opened.psbt, name);
      case 'transaction':
        return to.documents.openTransaction(opened.tx, name);
      case 'wallet': {
        const wallet = to.wallets.addFile(opened.file, name);
        to.onWallet(wallet.network);
        return { kind: 'wallet', wallet };
      }
      case 'secret':
        pending = textOfKeys(content);
        return { kind: 'secret', secret: opened.secret };
      case 'address':
        return { kind: 'address', search: to.search.find(opened.address) };
      case 'signers':
        return { kind: 'signer', signer: to.readSigner(content, name ?? 'The key') };
      case 'message':
        return { kind: 'signed-message', text: formatSignedMessage(opened.signed) };
      case 'payment':
        return { kind: 'payment', payment: viewPayment(opened.payment) };
      case 'code':
        if (opened.form !== 'frame' || isScanned) return refuse(ONE_OF_SEVERAL);
        return openContent({ ...contentOfCodes(content), ...(name !== undefined && { name }) }, { isScanned: true });
      case 'refused':
        throw opened.error;
      default:
        return (
          openRequest(textOf(content)) ??
          refuse(
            `This is ${openedText(opened) ?? 'neither a PSBT, nor a transaction, a wallet file, a key or an address'}`,
          )
        );
    }
  };
  return {
    open: (readContent) => {
      try {
        return openContent(readContent());
      } catch (error) {
        if (error instanceof BtcError) return { kind: 'refused', reason: sentence(error.message) };
        throw error;
      }
    },
    pending: () => pending,
    forget: () => {
      pending = undefined;
    },
  };
}
