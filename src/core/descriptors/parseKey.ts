import { isHex, parseHex } from '../bytes/hex.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import { isValidPublicKey, isValidXOnlyPublicKey } from '../crypto/publicKey.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import { BtcError, unlessRefused } from '../errors.ts';
import { type ExtendedKey, MAX_DEPTH, parseExtendedKey, parseUncheckedExtendedKey } from '../keys/bip32.ts';
import { isHardened, type KeyOrigin, type PathStep, parsePathStep } from '../keys/path.ts';
import { parseWif, type WifKey } from '../keys/wif.ts';
import type { Network } from '../network/networks.ts';
import { hasPubkeyShape } from '../script/template.ts';
import type { DescriptorRules } from './descriptorRules.ts';
import { refuse, within } from './refuse.ts';
import { takeExpression, takeText } from './scan.ts';
import type { ExtendedKeyExpression, FixedKey, KeyExpression, Musig2Key, Reading } from './types.ts';

export type Context = 'top' | 'sh' | 'wpkh' | 'wsh' | 'tr' | 'musig';

/** If a key uses both markers, the last one counts. */
interface Mark {
  mark: "'" | 'h';
}

type Steps = Mark & Reading;

/** @throws `descriptor/invalid` @see BIP380 "Key Expressions", BIP390; Bitcoin Core `ParsePubkey` */
export function parseKey(text: string, context: Context, reading: Reading): KeyExpression {
  if (reading.rules.knowsMusig && text.startsWith('musig(')) return parseMusig(text, context, reading);
  const steps: Steps = { ...reading, mark: 'h' };
  const { key, origin } = splitOrigin(text, steps);
  const bare = parseBareKey(key, context, steps);
  return wholeKey(bare, { mark: reading.rules.hardenedMark ?? steps.mark, ...(origin && { origin }) });
}

/** Splits what stands in brackets before a key. @throws `descriptor/invalid` @see BIP380 "Key Expressions" */
export function splitOrigin(text: string, steps: Steps): { readonly key: string; readonly origin?: KeyOrigin } {
  const [before = '', key, ...more] = text.split(']');
  if (more.length > 0) refuse("Multiple ']' characters found for a single pubkey");
  if (key === undefined) return { key: before };
  if (!before.startsWith('[')) {
    refuse(`Key origin start '[ character expected but not found, got '${before[0] ?? ']'}' instead`);
  }
  return { key, origin: parseOrigin(before.slice(1), steps) };
}

type BareKey = Omit<FixedKey, 'mark'> | Omit<ExtendedKeyExpression, 'mark'>;

function wholeKey(key: BareKey, added: Pick<FixedKey, 'mark' | 'origin'>): KeyExpression {
  const whole = { ...key, ...added };
  return key.kind === 'fixed' && key.secretKey ? withSecretKey(whole, key.secretKey) : whole;
}

function parseOrigin(text: string, mark: Steps): KeyOrigin {
  const [fingerprint = '', ...steps] = text.split('/');
  if (fingerprint.length !== 8) {
    refuse(`Fingerprint is not 4 bytes (${fingerprint.length} characters instead of 8 characters)`);
  }
  if (!isHex(fingerprint)) refuse(`Fingerprint '${withoutSecrets(fingerprint)}' is not hex`);
  const path = steps.map((step) => {
    if (mark.rules.knowsMultipath && isMultipath(step)) {
      refuse(
        `Key path value '${withoutSecrets(step)}' specifies multipath in a section where multipath is not allowed`,
      );
    }
    return parseStep(step, mark);
  });
  return { fingerprint: parseHex(fingerprint), path };
}

const isMultipath = (step: string): boolean => step.length > 1 && step.startsWith('<') && step.endsWith('>');

function parseStep(text: string, marked: Steps): number {
  const { child, mark } = parsePathElement(text, marked.rules);
  if (mark) marked.mark = mark;
  return child;
}

/** @see Bitcoin Core `ParseKeyPathElement` */
function parsePathElement(text: string, { allowsPlus, emptyStep, quotesHardenedMark }: DescriptorRules): PathStep {
  if (text === '') refuse(emptyStep);
  try {
    return parsePathStep(allowsPlus ? text.replace(/^\+/, '') : text);
  } catch (error) {
    if (!(error instanceof BtcError) || error.code !== 'path/invalid') throw error;
    const { reason } = error.data as { reason: string };
    const digits = text.replace(/['h]$/, '');
    return refuse(
      reason === 'out of range'
        ? `Key path value ${Number(digits)} is out of range`
        : `Key path value '${withoutSecrets(quotesHardenedMark ? text : digits)}' is not a valid uint32`,
    );
  }
}

function parseSteps(texts: readonly string[], mark: Steps): readonly (number | readonly number[])[] {
  let hasChoice = false;
  return texts.map((text) => {
    if (!mark.rules.knowsMultipath || !isMultipath(text)) return parseStep(text, mark);
    if (hasChoice) refuse('Multiple multipath key path specifiers found');
    hasChoice = true;
    return parseChoice(text, mark);
  });
}

function parseChoice(text: string, mark: Steps): readonly number[] {
  const items = text.slice(1, -1).split(';');
  if (items.length < 2) refuse('Multipath key path specifiers must have at least two items');
  const children = new Set<number>();
  for (const item of items) {
    const child = parseStep(item, mark);
    if (children.has(child)) refuse(`Duplicated key path value ${child} in multipath specifier`);
    children.add(child);
  }
  return [...children];
}

const WHITESPACE = /^[ \t\n\v\f\r]|[ \t\n\v\f\r]$/;

function parseBareKey(text: string, context: Context, reading: Steps): BareKey {
  const [key = '', ...steps] = text.split('/');
  if (key === '') refuse('No key provided');
  if (reading.rules.findsWhitespace && WHITESPACE.test(key))
    refuse(`Key '${withoutSecrets(key)}' is invalid due to whitespace`);
  if (steps.length === 0) {
    if (isHex(key)) return parseHexKey(key, context, reading);
    const wif = tryParseWif(key, reading.network);
    if (wif) return fixedPrivateKey(wif, context, reading);
  }
  const extended = tryParseExtendedKey(key, reading) ?? refuse(`key '${withoutSecrets(key)}' is not valid`);
  const wraps = !reading.rules.checksExtendedKeys && extended.depth + steps.length > MAX_DEPTH;
  const wildcard = takeWildcard(steps, reading);
  const path = parseSteps(steps, reading);
  return { kind: 'extended', key: extended, path, wildcard, ...(wraps && { wrapsDepth: true }) };
}

function takeWildcard(steps: string[], mark: Mark): ExtendedKeyExpression['wildcard'] {
  const last = steps.at(-1);
  if (last !== '*' && last !== "*'" && last !== '*h') return 'none';
  steps.pop();
  if (last === '*') return 'unhardened';
  mark.mark = last === "*'" ? "'" : 'h';
  return 'hardened';
}

const allowsUncompressed = (context: Context): boolean => context === 'top' || context === 'sh';

function parseHexKey(text: string, context: Context, { rules }: Reading): Omit<FixedKey, 'mark'> {
  const data = parseHex(text);
  const isHybrid = hasPubkeyShape(data) && (data[0] === 6 || data[0] === 7);
  if (isHybrid && !rules.allowsHybridKeys) refuse('Hybrid public keys are not allowed');
  if (isValidPublicKey(data)) {
    if (data.length !== 33 && !allowsUncompressed(context)) refuse('Uncompressed keys are not allowed');
    return { kind: 'fixed', publicKey: data, isXOnly: false };
  }
  if (context === 'tr' && isValidXOnlyPublicKey(data)) {
    return { kind: 'fixed', publicKey: Uint8Array.of(0x02, ...data), isXOnly: true };
  }
  return refuse(`Pubkey '${withoutSecrets(text)}' is invalid`);
}

function fixedPrivateKey(
  { secretKey, isCompressed }: WifKey,
  context: Context,
  { ecc }: Reading,
): Omit<FixedKey, 'mark'> {
  if (!isCompressed && !allowsUncompressed(context)) refuse('Uncompressed keys are not allowed');
  const publicKey = ecc.publicKey(secretKey, isCompressed);
  return withSecretKey({ kind: 'fixed', publicKey, isXOnly: context === 'tr' }, secretKey);
}

function tryParseWif(text: string, network: Network): WifKey | undefined {
  return unlessRefused(() => parseWif(text, network));
}

function tryParseExtendedKey(text: string, { network, rules, ecc }: Reading): ExtendedKey | undefined {
  const parse = rules.checksExtendedKeys ? parseExtendedKey : parseUncheckedExtendedKey;
  return unlessRefused(() => parse(text, network, { ecc }));
}

/** @see BIP390 */
function parseMusig(text: string, context: Context, reading: Reading): Musig2Key {
  if (context !== 'tr') refuse('musig() is only allowed in tr() and rawtr()');
  const end = text.indexOf(')');
  if (text.indexOf(')', end + 1) >= 0) refuse("Too many ')' in musig() expression");
  if (end < 0) refuse('Invalid musig() expression');
  const participants = parseParticipants(text.slice('musig('.length, end), reading);
  const suffix = text.slice(end + 1);
  if (!suffix.startsWith('/')) {
    assertSamePaths(participants, 1);
    return { kind: 'musig', participants, path: [], wildcard: 'none' };
  }
  if (!participants.every(({ kind }) => kind === 'extended')) {
    refuse('musig(): derivation requires all participants to be xpubs or xprvs');
  }
  if (participants.some((key) => key.kind === 'extended' && key.wildcard !== 'none')) {
    refuse('musig(): Cannot have ranged participant keys if musig() also has derivation');
  }
  const steps = suffix.slice(1).split('/');
  const marks: Steps = { ...reading, mark: 'h' };
  const wildcard = takeWildcard(steps, marks);
  if (wildcard === 'hardened') refuse('musig(): Cannot have hardened child derivation');
  const path = within('musig()', reading, () => parseSteps(steps, marks));
  if (path.flat().some((child) => isHardened(child))) refuse('musig(): cannot have hardened derivation steps');
  assertSamePaths(participants, choicesIn(path));
  return { kind: 'musig', participants, path, wildcard };
}

function parseParticipants(text: string, reading: Reading): readonly KeyExpression[] {
  const participants: KeyExpression[] = [];
  const rest = { text };
  while (rest.text !== '') {
    if (participants.length > 0 && !takeText(rest, ',')) refuse(`musig(): expected ',', got '${rest.text[0]}'`);
    const key = takeExpression(rest, reading.rules);
    participants.push(within('musig()', reading, () => parseKey(key, 'musig', reading)));
  }
  if (participants.length === 0) refuse('musig(): Must contain key expressions');
  return participants;
}

function assertSamePaths(participants: readonly KeyExpression[], ofAggregate: number): void {
  const counts = participants.map(countPaths).filter((count) => count > 1);
  if (counts.length === 0) return;
  if (ofAggregate > 1) refuse('musig(): Cannot have multipath participant keys if musig() is also multipath');
  if (new Set(counts).size > 1) refuse('musig(): Multipath derivation paths have mismatched lengths');
}

export function countPaths(key: KeyExpression): number {
  if (key.kind === 'fixed') return 1;
  const ofParts = key.kind === 'musig' ? key.participants.map(countPaths) : [];
  return ofParts.reduce((most, count) => Math.max(most, count), choicesIn(key.path));
}

const choicesIn = (path: readonly (number | readonly number[])[]): number =>
  path.reduce<number>((most, step) => (typeof step === 'number' ? most : Math.max(most, step.length)), 1);

export function singleKey(key: KeyExpression, position: number): KeyExpression {
  if (key.kind === 'fixed' || countPaths(key) === 1) return key;
  const path = key.path.map((step) => (typeof step === 'number' ? step : (step[position] ?? 0)));
  if (key.kind === 'extended') return { ...key, path };
  return { ...key, path, participants: key.participants.map((part) => singleKey(part, position)) };
}
