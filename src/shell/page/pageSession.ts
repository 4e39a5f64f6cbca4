import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { createSignatureCache, withSignatureCache } from '../../core/crypto/signatureCache.ts';
import type { Musig2Source } from '../../core/job/musig2Round.ts';
import { type NetworkName, resolveNetwork } from '../../core/network/networks.ts';
import { contentOfCode } from '../../kit/open/codeContent.ts';
import { createAddressSearch } from './addressSearch.ts';
import { createCodes } from './codes/codes.ts';
import { createScanner } from './codes/scanner.ts';
import { createDocuments } from './documents.ts';
import { createExport } from './exports.ts';
import { identify } from './identify.ts';
import { createMessages } from './messages.ts';
import { createNetworkChoice, createOpener, type FileContent } from './opener.ts';
import { createWallets } from './pageWallets.ts';
import type { OpenedView, PageSession, Progress } from './protocol.ts';
import { createQuorums } from './quorums.ts';
import { traceDocument, verifyDocument } from './verify.ts';
import { checkWords } from './words.ts';

export interface PageSessionOptions {
  /** Default `main`. */
  readonly network?: NetworkName;
  /** Default noble. */
  readonly ecc?: Ecc;
  readonly onProgress?: (progress: Progress) => void;
  /** Returns fresh random bytes for nonces of MuSig2. Default: no round of MuSig2 is done. */
  readonly random?: Musig2Source['random'];
}

/** Counts each signature when it is checked. */
function countingEcc(ecc: Ecc, onSignature: () => void): Ecc {
  const counting =
    (isOwn: Ecc['isOwnEcdsa']): Ecc['isOwnEcdsa'] =>
    (...args) => {
      onSignature();
      return isOwn(...args);
    };
  return { ...ecc, isOwnEcdsa: counting(ecc.isOwnEcdsa), isOwnSchnorr: counting(ecc.isOwnSchnorr) };
}

interface Counter {
  readonly start: (total: number) => void;
  readonly step: () => void;
}

function createCounter(onProgress: PageSessionOptions['onProgress']): Counter {
  let progress: Progress = { done: 0, total: 0 };
  const tell = (next: Progress): void => {
    progress = next;
    onProgress?.(progress);
  };
  return {
    start: (total) => tell({ done: 0, total }),
    step: () => tell({ ...progress, done: progress.done + 1 }),
  };
}

function createParts({ network = 'main', ecc: baseEcc = nobleEcc, onProgress, random }: PageSessionOptions) {
  const progress = createCounter(onProgress);
  const ecc = withSignatureCache(countingEcc(baseEcc, progress.step), createSignatureCache());
  const choice = createNetworkChoice(network);
  const wallets = createWallets(ecc);
  const documents = createDocuments({ wallets, ecc, network: choice.current, ...(random && { random }) });
  const search = createAddressSearch(wallets, ecc);
  const messages = createMessages({ wallets, ecc, network: choice.current });
  const quorums = createQuorums(wallets, ecc, choice.current);
  const source = {
    reviewed: documents.reviewed,
    wallet: wallets.view,
    registration: wallets.registration,
    message: messages.signed,
  };
  const codes = createCodes(source);
  const changed = (): void => {
    codes.forget();
    messages.forget();
    documents.forgetReview();
  };
  const onWallet = (name: NetworkName): void => {
    choice.follow(name);
    changed();
  };
  const opener = createOpener({ wallets, documents, choice, search, readSigner: quorums.read, onWallet });
  const open = (content: () => FileContent): OpenedView => {
    codes.forget();
    return opener.open(content);
  };
  const scanner = createScanner((scanned) => open(() => contentOfCode(scanned)));
  return {
    progress,
    ecc,
    choice,
    wallets,
    documents,
    search,
    messages,
    quorums,
    source,
    codes,
    changed,
    onWallet,
    opener,
    open,
    scanner,
  };
}

/** Creates the engine of the page, which holds secrets until `wipe`. */
export function createPageSession(options: PageSessionOptions = {}): PageSession {
  const { progress, ecc, choice, wallets, documents, source, codes, changed, ...parts } = createParts(options);
  return {
    scan: parts.scanner.scan,
    scanText: parts.scanner.scanText,
    resetScan: parts.scanner.reset,
    open: (file) => parts.open(() => file),
    checkWords,
    addKeys: (form) => {
      const wallet = wallets.addKeys({ ...form, text: form.text ?? parts.opener.pending() ?? '' });
      parts.opener.forget();
      parts.onWallet(wallet.network);
      return wallet;
    },
    wallets: wallets.views,
    propose: wallets.propose,
    register: (form) => {
      const wallet = wallets.register(form);
      changed();
      return wallet;
    },
    removeWallet: (id) => {
      wallets.remove(id);
      changed();
    },
    document: documents.view,
    setNetwork: (name) => {
      choice.choose(name);
      changed();
      return documents.view();
    },
    closeDocument: () => {
      documents.close();
      codes.forget();
    },
    sign: (overrides) => {
      progress.start(documents.signatureCount());
      codes.forget();
      return documents.sign(overrides);
    },
    identify: (content) => identify(content, choice.current()),
    verify: () => verifyDocument(documents.reviewed(), { network: choice.current(), ecc }),
    trace: (inputIndex) => traceDocument(documents.reviewed(), inputIndex, ecc),
    nodeJson: documents.nodeJson,
    addresses: wallets.addresses,
    findAddress: parts.search.find,
    prepareMessage: parts.messages.prepare,
    signMessage: (form) => {
      codes.forget();
      return parts.messages.sign(form);
    },
    verifyMessage: parts.messages.verify,
    readSigner: parts.quorums.read,
    ownSigners: (name) => parts.quorums.own(resolveNetwork(name)),
    makeQuorum: (form) => {
      const wallet = parts.quorums.make(form);
      parts.onWallet(wallet.network);
      return wallet;
    },
    exported: (form) => {
      const { payload: _payload, wallet: _wallet, ...view } = createExport(form, source);
      return view;
    },
    codes: codes.draw,
    sha256: (content) => formatHex(sha256(content)),
    wipe: () => {
      for (const part of [wallets, documents]) part.wipe();
      for (const part of [codes, parts.messages, parts.opener]) part.forget();
      parts.scanner.reset();
    },
  };
}
