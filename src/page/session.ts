import { formatHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { sha256 } from '../crypto/hash.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createSignatureCache, withSignatureCache } from '../crypto/signatureCache.ts';
import { shownPath } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import { type Network, type NetworkName, resolveNetwork } from '../network/networks.ts';
import { drawCodes, type Frames, framesOf } from './codes.ts';
import { createDocuments } from './documents.ts';
import { exportOf } from './exports.ts';
import type { ExportForm, OpenedView, PageSession } from './protocol.ts';
import { networksOfAddress, recognize } from './recognize.ts';
import { refuse, sentence } from './refuse.ts';
import { createScanner } from './scanner.ts';
import { type CodeContent, contentOf } from './uniformResources.ts';
import { verifyDocument } from './verify.ts';
import { createWallets } from './wallets.ts';
import { checkWords } from './words.ts';

/** Options of a session. */
export interface PageSessionOptions {
  /** The network until the user chooses another. Default `main`. */
  readonly network?: NetworkName;
  /** Default noble. */
  readonly ecc?: Ecc;
  /** Called after each signature. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Counts the signatures that are made; each is checked once. */
function countingEcc(ecc: Ecc, onSignature: () => void): Ecc {
  const counting =
    (isOwn: Ecc['isOwnEcdsa']): Ecc['isOwnEcdsa'] =>
    (...args) => {
      onSignature();
      return isOwn(...args);
    };
  return { ...ecc, isOwnEcdsa: counting(ecc.isOwnEcdsa), isOwnSchnorr: counting(ecc.isOwnSchnorr) };
}

/** Creates the engine of the page: keys, one document, and codes. It holds secrets until `wipe`. */
export function createPageSession({
  network: first = 'main',
  ecc: given = nobleEcc,
  onProgress,
}: PageSessionOptions = {}): PageSession {
  let progress = { done: 0, total: 0 };
  const counted = countingEcc(given, () => {
    progress = { ...progress, done: progress.done + 1 };
    onProgress?.(progress);
  });
  // What one review has verified, the next one need not verify again.
  const ecc = withSignatureCache(counted, createSignatureCache());
  let network: Network = resolveNetwork(first);
  let isNetworkChosen = false;
  let pending: string | undefined;
  let frames: { readonly name: string; readonly frames: Frames } | undefined;
  const wallets = createWallets(ecc);
  const documents = createDocuments({ wallets, ecc, network: () => network });
  const changed = (): void => {
    frames = undefined;
    documents.forgetReview();
  };
  const follow = (name: NetworkName): void => {
    if (!isNetworkChosen) network = resolveNetwork(name);
    changed();
  };

  const openContent = ({ content, name: given, networks = [] }: CodeContent): OpenedView => {
    const name = given === undefined ? undefined : shownPath(given);
    const [other] = networks.some((known) => known === network.name) ? [] : networks;
    const found = recognize(content, other ? resolveNetwork(other) : network);
    frames = undefined;
    switch (found.kind) {
      case 'psbt':
        return documents.openPsbt(found.psbt, name);
      case 'transaction':
        return documents.openTransaction(found.tx, name);
      case 'wallet': {
        const wallet = wallets.addFile(found.file, name);
        follow(wallet.network);
        return { kind: 'wallet', wallet };
      }
      case 'secret':
        pending = found.text;
        return { kind: 'secret', secret: found.secret };
      default:
        return { kind: 'address', address: found.address, owner: wallets.find(found.address) };
    }
  };
  const attempt = (work: () => OpenedView): OpenedView => {
    try {
      return work();
    } catch (error) {
      if (error instanceof BtcError) return { kind: 'refused', reason: sentence(error.message) };
      throw error;
    }
  };
  const scanner = createScanner((scanned) => attempt(() => openContent(contentOf(scanned))));
  const source = { reviewed: documents.reviewed, wallet: wallets.view };
  const framesFor = ({ kind, walletId, address, code, density }: ExportForm): Frames => {
    const name = JSON.stringify([kind, walletId, address, code, density]);
    if (frames?.name !== name)
      frames = {
        name,
        frames: framesOf(
          { kind, code, density },
          exportOf(
            { kind, ...(walletId !== undefined && { walletId }), ...(address !== undefined && { address }) },
            source,
          ),
        ),
      };
    return frames.frames;
  };

  return {
    scan: scanner.scan,
    scanText: scanner.scanText,
    resetScan: scanner.reset,
    open: (given) => attempt(() => openContent(given)),
    checkWords,
    addKeys: (form) => {
      const text =
        form.text ?? pending ?? refuse('There are no keys: type or paste seed words, a private key or descriptors');
      const wallet = wallets.addKeys({ ...form, text });
      pending = undefined;
      follow(wallet.network);
      return wallet;
    },
    wallets: wallets.views,
    removeWallet: (id) => {
      wallets.remove(id);
      changed();
    },
    document: documents.view,
    setNetwork: (name) => {
      network = resolveNetwork(name);
      isNetworkChosen = true;
      changed();
      return documents.view();
    },
    closeDocument: () => {
      documents.close();
      frames = undefined;
    },
    sign: (overrides) => {
      progress = { done: 0, total: documents.signatureCount() };
      onProgress?.(progress);
      frames = undefined;
      return documents.sign(overrides);
    },
    verify: () => verifyDocument(documents.reviewed(), { network, ecc }),
    nodeJson: documents.nodeJson,
    addresses: wallets.addresses,
    findAddress: (address) => {
      if (networksOfAddress(address.trim()).length === 0) refuse('This is not a valid address: it may be mistyped');
      return wallets.find(address.trim());
    },
    exported: (form) => {
      const { payload: _, ...view } = exportOf(form, source);
      return view;
    },
    codes: (form) => drawCodes(framesFor(form), form.from, form.count),
    sha256: (content) => formatHex(sha256(content)),
    wipe: () => {
      wallets.wipe();
      documents.wipe();
      scanner.reset();
      pending = undefined;
      frames = undefined;
    },
  };
}
