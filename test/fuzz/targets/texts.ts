import { seedWords } from '../../../examples/fixtures.ts';
import { formatMoney } from '../../../src/core/encoding/amount.ts';
import { formatBase58Check, parseBase58, parseBase58Check } from '../../../src/core/encoding/base58check.ts';
import { bech32Fault } from '../../../src/core/encoding/bech32Errors.ts';
import { quoted, withoutSecrets } from '../../../src/core/encoding/redaction.ts';
import { decodeBech32, formatSegwitAddress, parseSegwitAddress } from '../../../src/core/encoding/segwitAddress.ts';
import { parsePathStep } from '../../../src/core/keys/path.ts';
import { findLastWords, parseSeedWords } from '../../../src/core/keys/seedWords.ts';
import { parseAnyExtendedKey, readExtendedKey } from '../../../src/core/keys/slip132.ts';
import {
  completeSeedWords,
  derivePath,
  descriptorChecksum,
  formatAddress,
  formatAmount,
  formatBase64,
  formatHex,
  formatPath,
  formatWif,
  formatXprv,
  formatXpub,
  HARDENED,
  isHex,
  masterKey,
  networks,
  neuter,
  parseAddress,
  parseBase64,
  parseCodex32,
  parseExtendedKey,
  parseHex,
  parsePath,
  parseWif,
  withChecksum,
} from '../../support/library.ts';
import { mutateText } from '../mutate.ts';
import { amount, SECRET_KEYS, script, word } from '../shapes.ts';
import type { Source } from '../source.ts';
import { attempt, holds, same, sameBytes, type Target, textTarget } from '../target.ts';

const NETWORKS = Object.values(networks);

/** Makes a generator of texts: good ones, most of them changed. */
const changed =
  (good: (source: Source) => string, others: readonly string[]) =>
  (source: Source): string =>
    source.once(6) ? good(source) : mutateText(source, good(source), others);

const ADDRESSES = NETWORKS.flatMap((network) =>
  [
    `76a914${'11'.repeat(20)}88ac`,
    `a914${'22'.repeat(20)}87`,
    `0014${'33'.repeat(20)}`,
    `5120${'44'.repeat(32)}`,
  ].flatMap((hex) => formatAddress(parseHex(hex), network) ?? []),
);

function anyAddress(source: Source): string {
  return formatAddress(script(source), source.pick(NETWORKS)) ?? source.pick(ADDRESSES);
}

function runAddress(text: string): void {
  const codes = ['address/', 'base58/invalid', 'bech32/invalid'];
  for (const network of [networks.main, networks.regtest, networks['litecoin-regtest']]) {
    const bytes = attempt(codes, () => parseAddress(text, network));
    if (!bytes) continue;
    const shown = formatAddress(bytes, network);
    holds(shown !== undefined, 'what has an address is shown as one');
    sameBytes(parseAddress(shown, network), bytes, 'an address that is shown is that of the script');
  }
  bech32Fault(text);
}

function runSegwit(text: string): void {
  const program = attempt(['address/invalid', 'bech32/invalid'], () => parseSegwitAddress('bc', text));
  if (program) same(formatSegwitAddress('bc', program), text.toLowerCase(), 'a segwit address is formatted the same');
  decodeBech32(text);
  const { locations } = bech32Fault(text);
  const size = Buffer.byteLength(text);
  holds(
    locations.every((at) => at >= 0 && at < size),
    'what is wrong is a part of the text',
  );
}

function runBase58(text: string): void {
  const codes = ['base58/invalid'];
  const payload = attempt(codes, () => parseBase58Check(text, 200));
  if (payload) same(formatBase58Check(payload), text.trim(), 'base58 with a checksum is formatted the same');
  attempt(codes, () => parseBase58(text, 40));
}

const WIFS = SECRET_KEYS.flatMap((secretKey, i) =>
  [networks.main, networks.regtest].map((network) => formatWif({ secretKey, isCompressed: i % 2 === 0 }, network)),
);

function runWif(text: string): void {
  for (const network of [networks.main, networks.regtest]) {
    const key = attempt(['wif/', 'base58/invalid'], () => parseWif(text, network));
    if (key) same(formatWif(key, network), text.trim(), 'a private key is formatted the same');
  }
}

const MASTER = masterKey(new Uint8Array(32).fill(5));
const XKEYS = [networks.main, networks.regtest].flatMap((network) =>
  [MASTER, derivePath(MASTER, [0, HARDENED + 3])].flatMap((key) => [
    formatXprv(key, network),
    formatXpub(neuter(key), network),
  ]),
);

function runExtendedKey(text: string): void {
  const codes = ['xkey/', 'base58/invalid'];
  for (const network of [networks.main, networks.regtest]) {
    const key = attempt(codes, () => parseExtendedKey(text, network));
    if (key)
      same(
        key.secretKey ? formatXprv(key, network) : formatXpub(key, network),
        text.trim(),
        'an extended key is formatted the same',
      );
    attempt(codes, () => parseAnyExtendedKey(text, network));
  }
  attempt(codes, () => readExtendedKey(text));
}

const anyPath = (source: Source): string =>
  `m${Array.from({ length: source.next(8) }, () => `/${source.next(source.once(3) ? 0x1_0000_0000 : 100)}${source.pick(['', '', "'", 'h'])}`).join('')}`;

function runPath(text: string): void {
  const path = attempt(['path/invalid'], () => parsePath(text));
  attempt(['path/invalid'], () => parsePathStep(text));
  if (!path) return;
  for (const mark of ["'", 'h'])
    same(`${parsePath(formatPath(path, mark).slice(1))}`, `${path}`, 'a path is formatted the same');
}

function runHex(text: string): void {
  const bytes = attempt(['hex/invalid'], () => parseHex(text));
  holds((bytes !== undefined) === (isHex(text) || text === ''), 'what is hex is parsed');
  if (!bytes) return;
  same(formatHex(bytes), text.toLowerCase(), 'hex is formatted the same');
  sameBytes(bytes, Buffer.from(text, 'hex'), 'hex is that of Node');
}

function runBase64(text: string): void {
  const bytes = attempt(['base64/invalid'], () => parseBase64(text));
  if (!bytes) return;
  same(formatBase64(bytes), text, 'base64 is formatted the same');
  sameBytes(bytes, Buffer.from(text, 'base64'), 'base64 is that of Node');
}

function runChecksum(text: string): void {
  const checksum = descriptorChecksum(text);
  holds(checksum === undefined || /^[02-9ac-hj-np-z]{8}$/.test(checksum), 'a checksum has eight letters');
  holds(
    (checksum === undefined) === [...text].some((letter) => letter < ' ' || letter > '~'),
    'only printable letters have one',
  );
  if (checksum !== undefined) same(withChecksum(text), `${text}#${checksum}`, 'a checksum is added to its text');
}

const words = seedWords.split(' ');

function runWords(text: string): void {
  const parsed = attempt(['words/', 'argument/invalid'], () => parseSeedWords(text));
  if (!parsed) return;
  holds([12, 15, 18, 21, 24].includes(parsed.length), 'a phrase has a number of words');
  same(parseSeedWords(parsed.join(' ')).join(' '), parsed.join(' '), 'words are parsed the same');
  if (parsed.length === 12) {
    const { length } = findLastWords(parsed.slice(0, -1), 2);
    holds(length <= 2, 'no more words are offered than wanted');
  }
}

const CODEX32 = [
  'MS12NAMEA320ZYXWVUTSRQPNMLKJHGFEDCAXRPP870HKKQRM',
  'MS12NAMECACDEFGHJKLMNPQRSTUVWXYZ023FTR2GDZMPY6PN',
];

function runCodex32(text: string): void {
  const read = attempt(['codex32/', 'argument/invalid'], () => parseCodex32(text));
  if (read) same(formatHex(read.seed), 'd1808e096b35b209ca12132b264662a5', 'only one seed has a right checksum');
}

function runCompletion(text: string): void {
  const found = attempt(['words/', 'argument/invalid'], () => completeSeedWords(text, { most: 3 }));
  for (const completed of found ?? []) {
    same(parseSeedWords(completed.words.join(' ')).join(' '), completed.words.join(' '), 'a completed phrase is right');
  }
}

/** Requires what may be a secret to be left out of texts, and the redaction to be stable. */
function runRedaction(text: string): void {
  const shown = withoutSecrets(text);
  for (const secret of [...WIFS, ...XKEYS.filter((key) => /^.prv/.test(key))]) {
    if (text.includes(secret)) holds(!shown.includes(secret), 'a private key is shown');
  }
  holds(!/[\u0000-\u001f]/.test(quoted(text)), 'a quoted text is on one line');
}

function runAmount(text: string): void {
  if (!/^-?\d{1,25}$/.test(text)) return;
  const sats = BigInt(text);
  const shown = formatAmount(sats);
  holds(/^-?\d+\.\d{8}$/.test(shown), 'an amount has eight decimals');
  same(`${BigInt(shown.replace('.', ''))}`, `${sats}`, 'an amount loses nothing');
  holds(shown.startsWith(formatMoney(sats)), 'the short form is a part of the long one');
}

const TEXTS = [...ADDRESSES, ...WIFS, ...XKEYS, seedWords];

export const TEXT_TARGETS: readonly Target[] = [
  textTarget('address', { generate: changed(anyAddress, ADDRESSES), run: runAddress }),
  textTarget('segwit-address', {
    generate: changed(
      (source) => formatSegwitAddress('bc', { version: source.next(17), program: source.bytes(2 + source.next(39)) }),
      ADDRESSES,
    ),
    run: runSegwit,
  }),
  textTarget('base58', {
    generate: changed((source) => formatBase58Check(source.bytes(source.next(90))), ADDRESSES),
    run: runBase58,
  }),
  textTarget('wif', { generate: changed((source) => source.pick(WIFS), WIFS), run: runWif }),
  textTarget('extended-key', { generate: changed((source) => source.pick(XKEYS), XKEYS), run: runExtendedKey }),
  textTarget('key-path', { generate: changed(anyPath, ['/0h', "/1'", '/*']), run: runPath }),
  textTarget('hex', {
    generate: changed((source) => formatHex(source.bytes(source.next(60))), ['0x', 'ff']),
    run: runHex,
  }),
  textTarget('base64', {
    generate: changed((source) => formatBase64(source.bytes(source.next(60))), ['==', '=']),
    run: runBase64,
  }),
  textTarget('descriptor-checksum', { generate: changed((source) => source.pick(TEXTS), TEXTS), run: runChecksum }),
  textTarget('seed-words', {
    generate: changed(
      (source) => (source.once(2) ? seedWords : Array.from({ length: 12 }, () => source.pick(words)).join(' ')),
      ['zoo', ' ', '1. '],
    ),
    run: runWords,
  }),
  textTarget('codex32', {
    generate: changed((source) => `${source.pick(CODEX32)} ${source.pick(CODEX32)}`, ['ms1', 'MS1', 'Q', ' ']),
    run: runCodex32,
  }),
  textTarget('seed-completion', {
    generate: changed((source) => seedWords.replace(source.pick(words), source.pick(['', '?', 'abuot'])), ['?', ' ']),
    run: runCompletion,
  }),
  textTarget('redaction', {
    generate: changed((source) => `${source.pick(TEXTS)} ${source.pick(TEXTS)}`, TEXTS),
    run: runRedaction,
  }),
  textTarget('amount', { generate: (source) => `${source.once(2) ? amount(source) : word(source)}`, run: runAmount }),
];
