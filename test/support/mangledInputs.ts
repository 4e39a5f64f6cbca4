import { cosigners, masterXprv, seedWords } from '../../examples/fixtures.ts';
import { accountFromWords, signWith } from '../../src/kit/account/index.ts';
import { createPageSession } from '../../src/shell/page/pageSession.ts';
import type { OpenedView, PageSession, ScanView } from '../../src/shell/page/protocol.ts';
import {
  BtcError,
  encodeAccountUr,
  encodeBbqr,
  encodeDescriptorUr,
  encodePsbt,
  encodeUr,
  formatPsbt,
  parseHex,
  toPsbtV0,
} from './library.ts';
import { ODD_TEXTS } from './oddTexts.ts';
import { MULTISIG, multisigOf, paymentOf } from './pageSessions.ts';
import { WALLET_FILES, walletFile } from './walletFiles.ts';

// Files, texts and codes that are damaged in many ways, for sessions of the page.

const network = 'regtest';
const me = accountFromWords(seedWords, { network });
const psbt = paymentOf(me, 2, 2);
const hex = signWith(me, psbt).hex ?? '';
const WIF = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const framesOf = ({ count, frame }: ReturnType<typeof encodeUr>): readonly string[] =>
  Array.from({ length: count + 2 }, (_, i) => frame(i + 1));

/** The texts of the codes of several contents. */
const STREAMS: readonly (readonly string[])[] = [
  encodeBbqr(encodePsbt(psbt), { frameSize: 120 }),
  encodeBbqr(parseHex(hex), { type: 'transaction', frameSize: 200 }),
  framesOf(encodeUr(encodePsbt(psbt), { fragmentSize: 80 })),
  framesOf(encodeUr(parseHex(hex), { type: 'bytes', fragmentSize: 500 })),
  framesOf(encodeDescriptorUr(MULTISIG, { fragmentSize: 300 })),
  framesOf(encodeAccountUr([`wpkh(${cosigners[0].xpub})`])),
  ['p1of2 cHNidP8BAAoCAAAAAAAAAAA', 'p2of2 AAA=='],
];
const CODES = STREAMS.flat();

/** Files and pasted texts. */
const TEXTS: readonly string[] = [
  formatPsbt(psbt),
  formatPsbt(toPsbtV0(psbt)),
  formatPsbt(psbt, 'hex'),
  JSON.stringify({ psbt: formatPsbt(psbt), complete: false }),
  hex,
  JSON.stringify({ hex, complete: true }),
  seedWords,
  masterXprv,
  WIF,
  MULTISIG,
  multisigOf(1),
  me.receive(0).address,
  `bitcoin:${me.receive(0).address}?amount=0.1`,
  ...WALLET_FILES.map(walletFile),
];

const FILES: readonly Uint8Array[] = [encodePsbt(psbt), encodePsbt(toPsbtV0(psbt)), parseHex(hex)];

/** Returns whole numbers from 0 to below `most`, the same ones for the same seed. */
function numbersFrom(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

type Numbers = ReturnType<typeof numbersFrom>;

const pick = <T>(items: readonly T[], next: Numbers): T => items[next(items.length)] as T;
/** Damages a text in one of several ways. */
function mangle(text: string, next: Numbers): string {
  const [at, size] = [next(text.length + 1), 1 + next(1 + next(40))];
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  switch (next(10)) {
    case 0:
      return head + tail.slice(size);
    case 1:
      return head + pick(ODD_TEXTS, next) + tail;
    case 2:
      return head + pick(ODD_TEXTS, next) + tail.slice(1);
    case 3:
      return head + tail.slice(0, size) + tail;
    case 4:
      return head;
    case 5:
      return text.slice(0, at).toUpperCase() + tail;
    case 6:
      return head + pick([...TEXTS, ...CODES], next).slice(-size);
    case 7:
      return head + String.fromCharCode((tail.charCodeAt(0) || 48) ^ (1 << next(7))) + tail.slice(1);
    case 8:
      return [...text].reverse().join('');
    default:
      return head + tail.toLowerCase();
  }
}

function mangleBytes(bytes: Uint8Array, next: Numbers): Uint8Array {
  const at = next(bytes.length);
  const kind = next(4);
  if (kind === 0) return bytes.slice(0, at);
  if (kind === 1) return bytes.slice(at);
  const changed = bytes.slice();
  for (let i = 0; i <= next(4); i += 1) changed[kind === 2 ? next(bytes.length) : at] = next(256);
  return changed;
}

const mangleSome = (text: string, next: Numbers): string => {
  let mangled = text;
  for (let i = next(3); i >= 0; i -= 1) mangled = mangle(mangled, next);
  return mangled;
};

/** Pieces of the secrets in these inputs, any of which is a leak. */
const PIECES: readonly string[] = [
  'abandon abandon abandon',
  ...[
    masterXprv,
    WIF,
    multisigOf(1).slice(multisigOf(1).indexOf('tprv')),
    ...WALLET_FILES.flatMap((name) => walletFile(name).match(/[xt]prv[0-9A-Za-z]+/g) ?? []),
  ].flatMap((key) => [10, 20, 30].map((at) => key.slice(at, at + 16))),
];

const isLeak = (view: unknown): boolean => {
  const text = JSON.stringify(view ?? null);
  return PIECES.some((piece) => text.includes(piece));
};

/** Takes some codes in a row, each of them damaged now and then. */
function someOf(stream: readonly string[], next: Numbers): readonly string[] {
  const start = next(3) === 0 ? next(stream.length) : 0;
  return stream.slice(start).map((code) => (next(60) === 0 ? mangle(code, next) : code));
}

/** The numbers of what happened. */
export type Tally = Map<string, number>;

/** Gives one damaged input to a session. @throws Error for anything but a `BtcError`, or if a secret is shown */
function giveMangled(session: PageSession, next: Numbers, tally: Tally): void {
  const count = (name: string): unknown => tally.set(name, (tally.get(name) ?? 0) + 1);
  const shown = (view: unknown): void => {
    if (isLeak(view)) throw new Error('A secret is shown');
  };
  const opened = (view: OpenedView): void => {
    shown(view);
    count(`open: ${view.kind}`);
  };
  const scanned = (view: ScanView): void => {
    shown(view);
    count(`scan: ${view.status === 'complete' ? view.opened.kind : view.status}`);
    if (view.status === 'complete') session.resetScan();
  };
  const attempt = (name: string, work: () => unknown): void => {
    try {
      shown(work());
      count(`${name}: answered`);
    } catch (error) {
      if (!(error instanceof BtcError)) throw error;
      shown(error.message);
      count(`${name}: refused`);
    }
  };
  const given = next(10);
  if (given === 0) opened(session.open({ content: mangleBytes(pick(FILES, next), next) }));
  else if (given === 1)
    opened(session.open({ content: new TextEncoder().encode(mangleSome(pick(TEXTS, next), next)) }));
  else if (given <= 3) {
    opened(session.open({ content: mangleSome(pick(TEXTS, next), next), name: mangle(pick(TEXTS, next), next) }));
  } else if (given === 4) attempt('words', () => session.checkWords(mangle(seedWords, next)));
  else if (given === 5 && next(40) === 0)
    count(`address: ${session.findAddress(mangle(me.receive(0).address, next)).kind}`);
  else if (given !== 6) scanned(session.scanText(mangleSome(pick(CODES, next), next)));
  else if (next(6) === 0) for (const code of someOf(pick(STREAMS, next), next)) scanned(session.scanText(code));
  else if (next(40) > 0) scanned(session.scanText(pick(CODES, next)));
  else attempt('keys', () => session.addKeys({ text: mangle(pick(TEXTS, next), next), network }));
}

/** The inputs that one session gets. */
const INPUTS_OF_SESSION = 40;

/** Gives damaged inputs to sessions. @throws as `giveMangled` */
export function giveManyMangled(times: number, seed: number): Tally {
  const [next, tally]: [Numbers, Tally] = [numbersFrom(seed), new Map()];
  let session = createPageSession({ network });
  for (let i = 0; i < times; i += 1) {
    if (i % INPUTS_OF_SESSION === 0) session = createPageSession({ network });
    giveMangled(session, next, tally);
  }
  return tally;
}
