import { parseAddress } from '../address/address.ts';
import { assertText } from '../bytes/assertText.ts';
import { isHex, parseHex } from '../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import { unlessRefused } from '../errors.ts';
import { NEWEST } from '../generations.ts';
import { type NetworkOption, resolveNetwork } from '../network/networks.ts';
import { MAX_SCRIPT_ELEMENT_SIZE } from '../script/instructions.ts';
import { MAX_TREE_DEPTH } from '../script/tapTree.ts';
import { splitChecksum } from './checksum.ts';
import { type DescriptorRules, descriptorRules } from './descriptorRules.ts';
import { collectKeys } from './miniscript/index.ts';
import { type Context, countPaths, parseKey } from './parseKey.ts';
import { parseInner, refuseFunction } from './parseMiniscript.ts';
import { refuse, within } from './refuse.ts';
import { callArgument, type Rest, takeExpression, takeText } from './scan.ts';
import type { Descriptor, KeyExpression, Reading, TreeLeaf } from './types.ts';

type ScriptContext = Exclude<Context, 'wpkh' | 'musig'>;

/** Options for reading a descriptor. */
export interface ParseDescriptorOptions {
  readonly requireChecksum?: boolean;
  readonly rules?: DescriptorRules;
  readonly wasAccepted?: boolean;
  readonly ecc?: Ecc | undefined;
}

const PARSE_OPTIONS: OptionNames<ParseDescriptorOptions> = {
  requireChecksum: true,
  rules: true,
  wasAccepted: true,
  ecc: true,
};

/**
 * Parses a descriptor, including its private keys.
 *
 * - `wasAccepted`: allows miniscript with several keys that need a private key to be derived, which Core takes for
 * duplicates: a wallet that holds such a descriptor must open
 * - `ecc`: default `nobleEcc`
 *
 * @throws `descriptor/invalid`, `descriptor/checksum`; the error omits anything that might be a private key
 * @see BIP380 to BIP390; Bitcoin Core `Parse`
 *
 * @example
 * ```ts
 * import { networks, parseDescriptor } from 'countersign';
 *
 * parseDescriptor('multi(1,030000000000000000000000000000000000000000000000000000000000000001)', networks.main).kind; // multi
 * ```
 */
export function parseDescriptor(text: string, on: NetworkOption, options: ParseDescriptorOptions = {}): Descriptor {
  const network = resolveNetwork(on);
  assertText('descriptor', text);
  assertKnownOptions(options, PARSE_OPTIONS);
  const { requireChecksum = false, rules = descriptorRules[NEWEST], wasAccepted = false, ecc = nobleEcc } = options;
  const reading = { network, rules, wasAccepted, ecc };
  const { body } = splitChecksum(text, requireChecksum);
  const rest = { text: body };
  const descriptor = parseScript(takeExpression(rest, rules), 'top', reading);
  if (rest.text !== '') refuse(TRAILING);
  assertExpansion(body, assertPathsMatch(descriptor));
  return descriptor;
}

/** As long as a request may be. */
const MAX_EXPANSION = 2 ** 25;

/** Each single-path descriptor repeats everything outside `<>`; Core has no limit. */
function assertExpansion(body: string, count: number): void {
  if (count === 1) return;
  const size = body.replace(/<[^<>]*>/g, '').length;
  if (count * size > MAX_EXPANSION) {
    refuse(`The multipath descriptor expands to more than ${MAX_EXPANSION} characters`);
  }
}

/** Core refuses such a text without a message. */
export const TRAILING = 'Text after the descriptor';

/** Checks multipath lengths before what follows is parsed, as Core does. */
function parseScript(text: string, context: ScriptContext, reading: Reading): Descriptor {
  const descriptor = parseFunction(text, context, reading);
  assertPathsMatch(descriptor);
  return descriptor;
}

function parseFunction(text: string, context: ScriptContext, reading: Reading): Descriptor {
  const { lacks, misplaced, knowsMiniscript } = reading.rules;
  for (const [name, parser] of FUNCTIONS) {
    const argument = lacks.includes(name) ? undefined : callArgument(name, text);
    if (argument === undefined) continue;
    if (parser.contexts.includes(context)) return parser.parse(argument, context, reading);
    const fault = misplaced[name];
    if (fault !== undefined) refuse(fault);
  }
  return knowsMiniscript ? parseInner(text, context, reading) : refuseFunction(text, context, reading);
}

interface FunctionParser {
  readonly contexts: readonly ScriptContext[];
  readonly parse: (argument: string, context: ScriptContext, reading: Reading) => Descriptor;
}

type KeyFunction = Extract<Descriptor, { key: KeyExpression; leaves?: never }>['kind'];

const ofKey =
  (kind: Exclude<KeyFunction, 'tr'>, keyContext?: Context) =>
  (argument: string, context: ScriptContext, reading: Reading): Descriptor => ({
    kind,
    key: within(`${kind}()`, reading, () => parseKey(argument, keyContext ?? context, reading)),
  });

const NOT_IN_TREES: readonly ScriptContext[] = ['top', 'sh', 'wsh'];
/** In the order in which Core tries them. */
const FUNCTIONS: ReadonlyMap<string, FunctionParser> = /* @__PURE__ */ new Map<string, FunctionParser>([
  ['pk', { contexts: ['top', 'sh', 'wsh', 'tr'], parse: ofKey('pk') }],
  ['pkh', { contexts: NOT_IN_TREES, parse: ofKey('pkh') }],
  ['combo', { contexts: ['top'], parse: ofKey('combo') }],
  ['multi', { contexts: NOT_IN_TREES, parse: ofMulti('multi') }],
  ['sortedmulti', { contexts: NOT_IN_TREES, parse: ofMulti('sortedmulti') }],
  ['multi_a', { contexts: ['tr'], parse: ofMulti('multi_a') }],
  ['sortedmulti_a', { contexts: ['tr'], parse: ofMulti('sortedmulti_a') }],
  ['wpkh', { contexts: ['top', 'sh'], parse: ofKey('wpkh', 'wpkh') }],
  ['sh', { contexts: ['top'], parse: ofWrapper('sh') }],
  ['wsh', { contexts: ['top', 'sh'], parse: ofWrapper('wsh') }],
  ['addr', { contexts: ['top'], parse: parseAddr }],
  ['tr', { contexts: ['top'], parse: parseTr }],
  ['rawtr', { contexts: ['top'], parse: ofOneKey('rawtr', 'tr', 'rawtr(): only one key expected.') }],
  ['unused', { contexts: ['top'], parse: ofOneKey('unused', 'top', 'unused(): only one key expected') }],
  ['raw', { contexts: ['top'], parse: parseRaw }],
]);

function ofWrapper(kind: 'sh' | 'wsh'): FunctionParser['parse'] {
  return (argument, _context, reading) => {
    const rest = { text: argument };
    const inner = parseScript(takeExpression(rest, reading.rules), kind, reading);
    if (rest.text !== '') refuse(TRAILING);
    return { kind, inner };
  };
}

function parseAddr(argument: string, _context: ScriptContext, reading: Reading): Descriptor {
  const script = unlessRefused(() => parseAddress(argument, reading.network));
  return script ? { kind: 'addr', script } : refuse('Address is not valid');
}

function parseRaw(argument: string): Descriptor {
  if (!isHex(argument)) refuse('Raw script is not hex');
  return { kind: 'raw', script: parseHex(argument) };
}

function ofOneKey(kind: 'rawtr' | 'unused', context: Context, fault: string): FunctionParser['parse'] {
  return (argument, _context, reading) => {
    const rest = { text: argument };
    const key = takeExpression(rest, reading.rules);
    if (rest.text !== '') refuse(fault);
    if (kind === 'rawtr') return { kind, key: within(`${kind}()`, reading, () => parseKey(key, context, reading)) };
    const parsed = parseKey(key, context, reading);
    if (parsed.kind !== 'fixed' && parsed.wildcard !== 'none') refuse('unused(): key cannot be ranged');
    return { kind, key: parsed };
  };
}

const MAX_MULTI_A_KEYS = 999;
/** For standard bare multisig. */
const MAX_BARE_KEYS = 3;

type Multi = Extract<Descriptor, { keys: readonly KeyExpression[] }>;

function ofMulti(kind: Multi['kind']): FunctionParser['parse'] {
  const family = kind.endsWith('_a') ? 'multi_a' : 'multi';
  return (argument, context, reading) => {
    const rest = { text: argument };
    const required = parseThreshold(takeExpression(rest, reading.rules), reading.rules);
    const keys: KeyExpression[] = [];
    while (rest.text !== '') {
      if (!takeText(rest, ',')) refuse(`Multi: expected ',', got '${rest.text[0]}'`);
      const key = takeExpression(rest, reading.rules);
      keys.push(within('Multi', reading, () => parseKey(key, context, reading)));
    }
    assertKeyCount(keys.length, required, family === 'multi_a' ? MAX_MULTI_A_KEYS : reading.rules.maxMultisigKeys);
    if (context === 'top' && keys.length > MAX_BARE_KEYS) {
      refuse(`Cannot have ${keys.length} pubkeys in bare multisig; only at most ${MAX_BARE_KEYS} pubkeys`);
    }
    const size = keys.reduce((sum, key) => sum + keySize(key) + 1, 3);
    if (context === 'sh' && size > MAX_SCRIPT_ELEMENT_SIZE) {
      refuse(`P2SH script is too large, ${size} bytes is larger than ${MAX_SCRIPT_ELEMENT_SIZE} bytes`);
    }
    return { kind, required, keys };
  };
}

const keySize = (key: KeyExpression): number => (key.kind === 'fixed' ? key.publicKey.length : 33);

function parseThreshold(text: string, { allowsPlus }: DescriptorRules): number {
  const digits = allowsPlus ? text.replace(/^\+/, '') : text;
  const isNumber = /^[0-9]+$/.test(digits) && Number(digits) <= 0xffff_ffff;
  return isNumber ? Number(digits) : refuse(`Multi threshold '${withoutSecrets(text)}' is not valid`);
}

function assertKeyCount(count: number, required: number, most: number): void {
  if (count === 0 || count > most) {
    const where = most === MAX_MULTI_A_KEYS ? 'multi_a' : 'multisig';
    refuse(`Cannot have ${count} keys in ${where}; must have between 1 and ${most} keys, inclusive`);
  }
  if (required < 1) refuse(`Multisig threshold cannot be ${required}, must be at least 1`);
  if (required > count) {
    refuse(
      `Multisig threshold cannot be larger than the number of keys; threshold is ${required} but only ${count} keys specified`,
    );
  }
}

function parseTr(argument: string, _context: ScriptContext, reading: Reading): Descriptor {
  const rest = { text: argument };
  const internal = takeExpression(rest, reading.rules);
  const key = within('tr()', reading, () => parseKey(internal, 'tr', reading));
  if (rest.text === '') return { kind: 'tr', key, leaves: [] };
  if (!takeText(rest, ',')) refuse(`tr: expected ',', got '${rest.text[0]}'`);
  return { kind: 'tr', key, leaves: parseTree(rest, reading) };
}

/** The sides of the next leaf's branches, from the root. */
type Branches = ('left' | 'right')[];

function parseTree(rest: Rest, reading: Reading): readonly TreeLeaf[] {
  const leaves: TreeLeaf[] = [];
  const branches: Branches = [];
  do {
    while (takeText(rest, '{')) branches.push('left');
    if (branches.length > MAX_TREE_DEPTH) refuse(`tr() supports at most ${MAX_TREE_DEPTH} nesting levels`);
    leaves.push({ depth: branches.length, script: parseScript(takeExpression(rest, reading.rules), 'tr', reading) });
    leaveBranches(rest, branches);
  } while (branches.length > 0);
  if (rest.text !== '') refuse("tr(): expected ')' after script expression");
  return leaves;
}

function leaveBranches(rest: Rest, branches: Branches): void {
  while (branches.at(-1) === 'right') {
    if (!takeText(rest, '}')) refuse("tr(): expected '}' after script expression");
    branches.pop();
  }
  if (branches.length === 0) return;
  if (!takeText(rest, ',')) refuse("tr(): expected ',' after script expression");
  branches[branches.length - 1] = 'right';
}

const LEAVES_MISMATCH = 'tr(): Multipath subscripts have mismatched lengths';

/** Returns the number of paths. @see BIP389 */
function assertPathsMatch(descriptor: Descriptor): number {
  switch (descriptor.kind) {
    case 'addr':
    case 'raw':
      return 1;
    case 'sh':
    case 'wsh':
      return assertPathsMatch(descriptor.inner);
    case 'tr': {
      const leaves = descriptor.leaves.map(({ script }) => assertPathsMatch(script));
      const ofLeaves = sameCount(leaves, LEAVES_MISMATCH);
      const own = countPaths(descriptor.key);
      if (own > 1 && ofLeaves > 1 && own !== ofLeaves) {
        refuse(
          own > ofLeaves ? LEAVES_MISMATCH : 'tr(): Multipath internal key mismatches multipath subscripts lengths',
        );
      }
      return Math.max(own, ofLeaves);
    }
    case 'miniscript':
      return sameCount(
        collectKeys(descriptor.root).map(countPaths),
        'Miniscript: Multipath derivation paths have mismatched lengths',
      );
    default:
      return 'keys' in descriptor
        ? sameCount(descriptor.keys.map(countPaths), 'multi(): Multipath derivation paths have mismatched lengths')
        : countPaths(descriptor.key);
  }
}

function sameCount(counts: readonly number[], fault: string): number {
  const multiple = counts.filter((count) => count > 1);
  if (new Set(multiple).size > 1) refuse(fault);
  return multiple[0] ?? 1;
}
