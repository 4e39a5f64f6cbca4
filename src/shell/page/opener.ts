import { decodeUtf8WithoutMark, withoutUtf16 } from '../../core/bytes/utf8.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { type Network, type NetworkName, resolveNetwork } from '../../core/network/networks.ts';
import type { CodeContent as ScannedCode } from '../../kit/open/codeContent.ts';
import { open } from '../../kit/open/open.ts';
import { openedText } from '../../kit/open/openedText.ts';
import { findPayment } from '../../kit/payment/findPayment.ts';
import { paymentToJson } from '../../kit/payment/paymentJson.ts';
import { type PaymentUri, payableAddress } from '../../kit/payment/paymentUri.ts';
import type { Documents } from './documents.ts';
import type { Wallets } from './pageWallets.ts';
import type { OpenedView, PaymentView } from './protocol.ts';
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

const decodeText = (content: Uint8Array | string): string =>
  typeof content === 'string' ? content : (decodeUtf8WithoutMark(withoutUtf16(content)) ?? '');

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
  readonly onWallet: (network: NetworkName) => void;
}): Opener {
  let pending: string | undefined;
  const viewPayment = (payment: PaymentUri): PaymentView => {
    const address = payableAddress(payment);
    const isOpen = to.documents.view() !== undefined;
    return {
      ...paymentToJson(payment),
      address,
      owner: address === undefined ? undefined : to.wallets.find(address),
      found: isOpen ? findPayment(to.documents.reviewed().review, payment) : undefined,
    };
  };
  const openContent = ({ content, name: fileName, networks = [] }: FileContent): OpenedView => {
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
        pending = decodeText(content);
        return { kind: 'secret', secret: opened.secret };
      case 'address':
        return { kind: 'address', address: opened.address, owner: to.wallets.find(opened.address) };
      case 'payment':
        return { kind: 'payment', payment: viewPayment(opened.payment) };
      case 'code':
        return refuse('This is one of the QR codes of a content: scan them all with the camera');
      case 'refused':
        throw opened.error;
      default:
        return refuse(
          `This is ${openedText(opened) ?? 'neither a PSBT, nor a transaction, a wallet file, a key or an address'}`,
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
