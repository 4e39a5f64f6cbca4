import {
  decodeMiniscript,
  encodeMiniscript,
  findFault,
  maxSatisfactionSize,
  parseMiniscript,
  printMiniscript,
} from '../../../src/core/descriptors/miniscript/index.ts';
import { SECRETS, withKeys } from '../../support/descriptorKeys.ts';
import {
  createDeriver,
  createDescriptorProvider,
  type Descriptor,
  formatDescriptor,
  formatHex,
  hash160,
  hasPrivateKeys,
  inferDescriptor,
  isRanged,
  networks,
  parseDescriptor,
  singlePaths,
  withChecksum,
} from '../../support/library.ts';
import { mutateBytes, mutateText } from '../mutate.ts';
import { recordedHex } from '../seeds.ts';
import { COMPRESSED_KEYS } from '../shapes.ts';
import type { Source } from '../source.ts';
import { attempt, bytesTarget, holds, outcomeOf, same, sameBytes, type Target, textOf, textTarget } from '../target.ts';

const network = networks.main;
const CODES = ['descriptor/', 'xkey/'];
const NAMES = ['one', 'oneDeep', 'two', 'twoChild', 'three', 'short', 'a', 'b', 'c', 'd', 'e', 'f', 'g'];
const HASHES = ['sha256', 'hash256', 'ripemd160', 'hash160'];
const LOCKS = ['older(1)', 'older(144)', 'older(4194305)', 'after(499999999)', 'after(500000000)'];

/** A place of a key: its name, and a path behind extended keys. */
function keyText(source: Source, isXOnly: boolean): string {
  const name = source.pick(NAMES);
  const isExtended = NAMES.indexOf(name) < 5;
  const origin = source.once(6) ? "[d34db33f/44'/0h]" : '';
  const path = isExtended ? source.pick(['', '/0', '/0/*', '/<0;1>/*', "/1'/2h/*h", '/2147483647h']) : '';
  return `${origin}$${name}${isExtended || !isXOnly ? '' : ':x'}${path}`;
}

type Place = 'wsh' | 'tr';

/** Makes a miniscript that is mostly of correct types. */
function miniscript(source: Source, place: Place, depth: number): string {
  const key = (): string => keyText(source, place === 'tr');
  const sub = (): string => miniscript(source, place, depth - 1);
  const check = (): string => `${source.pick(['pk', 'pk', 'pkh'])}(${key()})`;
  const multi = (): string => {
    const keys = Array.from({ length: 1 + source.next(4) }, key);
    return `${place === 'tr' ? 'multi_a' : 'multi'}(${1 + source.next(keys.length)},${keys.join(',')})`;
  };
  if (depth <= 0) return source.once(3) ? multi() : check();
  switch (source.next(10)) {
    case 0:
      return `and_v(v:${check()},${source.pick(LOCKS)})`;
    case 1:
      return `and_v(v:${sub()},${sub()})`;
    case 2:
      return `or_d(${check()},${sub()})`;
    case 3:
      return `or_i(${sub()},${sub()})`;
    case 4:
      return `andor(${check()},${source.pick(LOCKS)},${sub()})`;
    case 5:
      return `and_b(${check()},a:${sub()})`;
    case 6: {
      const name = source.pick(HASHES);
      return `and_v(v:${check()},${name}(${'5a'.repeat(name.endsWith('160') ? 20 : 32)}))`;
    }
    case 7:
      return `thresh(${1 + source.next(3)},${check()},s:${check()},a:${sub()})`;
    case 8:
      return `${source.pick(['t', 'l', 'u', 'n', 'j', 'tv', 'dv', 'an', 's'])}:${sub()}`;
    default:
      return source.once(2) ? multi() : check();
  }
}

function treeText(source: Source, depth: number): string {
  if (depth === 0 || source.once(2)) return miniscript(source, 'tr', source.next(2));
  return `{${treeText(source, depth - 1)},${treeText(source, depth - 1)}}`;
}

/** Makes a descriptor with names of keys. */
function shape(source: Source): string {
  const key = (): string => keyText(source, false);
  const many = (name: string): string => {
    const keys = Array.from({ length: 1 + source.next(5) }, key);
    return `${name}(${1 + source.next(keys.length)},${keys.join(',')})`;
  };
  switch (source.next(14)) {
    case 0:
      return `pkh(${key()})`;
    case 1:
      return `sh(wpkh(${key()}))`;
    case 2:
      return `combo(${key()})`;
    case 3:
      return many('multi');
    case 4:
      return `sh(${many('sortedmulti')})`;
    case 5:
      return `sh(wsh(${many('multi')}))`;
    case 6:
      return `tr(${keyText(source, true)})`;
    case 7:
      return `tr(${keyText(source, true)},${treeText(source, 3)})`;
    case 8:
      return `rawtr(${keyText(source, true)})`;
    case 9:
      return `tr(musig($one/0,$two/0)${source.once(2) ? '' : '/<0;1>/*'})`;
    case 10:
      return source.once(2)
        ? `raw(${formatHex(source.bytes(source.next(40)))})`
        : 'addr(bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs)';
    case 11:
      return `wpkh(${key()})`;
    default:
      return `wsh(${miniscript(source, 'wsh', source.next(4))})`;
  }
}

const good = (source: Source): string => withKeys(shape(source), source.once(3) ? 'private' : 'public');

const OTHERS = [
  'wsh(or_d(pk(03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd),older(1)))',
  'tr(@0/**,{pk(@1/**),multi_a(2,@2/<0;1>/*)})',
  '[d34db33f/44h/0h/0h]',
  '/<0;1;2>/*h',
  'sortedmulti_a(1,',
  'musig(',
];

function anyDescriptor(source: Source): string {
  const text = good(source);
  const changed = source.once(2) ? text : mutateText(source, text, OTHERS);
  return source.once(4) ? withChecksum(changed) : changed;
}

/** Requires the scripts of a descriptor to have a descriptor that gives them. */
function checkExpansion(descriptor: Descriptor): void {
  const derived = attempt(CODES, () => createDeriver(descriptor)(isRanged(descriptor) ? 3 : 0));
  if (!derived) return;
  const provider = createDescriptorProvider([derived]);
  for (const script of derived.scriptPubKeys) {
    const inferred = inferDescriptor(script, provider);
    const [again] = createDeriver(inferred)(0).scriptPubKeys;
    same(again && formatHex(again), formatHex(script), 'the inferred descriptor has the script');
    const text = formatDescriptor(inferred, network);
    const parsed = outcomeOf(CODES, () => parseDescriptor(text, network));
    holds(parsed.refusal === undefined, `the inferred descriptor is parsed: ${text}`);
  }
}

function runDescriptor(text: string): void {
  const outcome = outcomeOf(CODES, () => parseDescriptor(text, network));
  if (outcome.refusal) {
    for (const secret of SECRETS) holds(!outcome.refusal.message.includes(secret.slice(0, 20)), 'an error shows a key');
    return;
  }
  const descriptor = outcome.result;
  const shown = formatDescriptor(descriptor, network);
  same(
    formatDescriptor(parseDescriptor(shown, network, { requireChecksum: true }), network),
    shown,
    'a descriptor is a fixed point',
  );
  holds(!/prv[0-9A-Za-z]{20}/.test(shown), 'the public form shows no private key');
  const isPrivate = hasPrivateKeys(descriptor);
  const secret = formatDescriptor(descriptor, network, { isPrivate: true });
  holds(isPrivate || secret === shown, 'without private keys both forms are the same');
  same(formatDescriptor(parseDescriptor(secret, network), network), shown, 'the private form is the same descriptor');
  for (const single of singlePaths(descriptor).slice(0, 2)) checkExpansion(single);
}

const MINISCRIPT_KEYS = 'ABCDEFGHIJKL';
const keyBytes = (context: 'wsh' | 'tapscript') => (name: string) => {
  const key = COMPRESSED_KEYS[MINISCRIPT_KEYS.indexOf(name)] ?? COMPRESSED_KEYS[0] ?? new Uint8Array(33);
  return context === 'wsh' ? key : key.slice(1);
};

/** Maps the hashes of keys, which scripts may hold instead, to the keys. */
const byHash = (context: 'wsh' | 'tapscript'): ReadonlyMap<string, Uint8Array> =>
  new Map([...MINISCRIPT_KEYS].map(keyBytes(context)).map((key) => [formatHex(hash160(key)), key]));
const KEYS_BY_HASH = { wsh: byHash('wsh'), tapscript: byHash('tapscript') };

/** Makes a miniscript whose keys are letters. */
const letters = (source: Source): string =>
  miniscript(source, source.once(2) ? 'wsh' : 'tr', source.next(5)).replace(
    /(?:\[[^\]]*\])?\$[a-zA-Z]+(?::x)?[^,)]*/g,
    () => source.pick([...MINISCRIPT_KEYS]),
  );

function runMiniscript(text: string): void {
  for (const context of ['wsh', 'tapscript'] as const) {
    const parsed = parseMiniscript(text, { context, parseKey: (key) => key });
    if (parsed.kind === 'fault') continue;
    const { root } = parsed;
    const printed = printMiniscript(root, (key) => key);
    const again = parseMiniscript(printed, { context, parseKey: (key) => key });
    if (again.kind === 'fault') throw new Error(`what is printed is parsed: ${printed}`);
    same(textOf(again.root), textOf(root), 'what is printed is the same miniscript');
    const fault = findFault(root, (key) => key);
    maxSatisfactionSize(root);
    if (root.type.base !== 'B' || fault?.reason === 'invalid') continue;
    const script = encodeMiniscript(root, keyBytes(context));
    holds(script.length === root.scriptSize, 'the script has the size that was computed');
    const decoded = decodeMiniscript(script, (hash) => KEYS_BY_HASH[context].get(formatHex(hash)), context);
    if (!decoded) throw new Error(`a script of miniscript is decoded: ${text}`);
    sameBytes(
      encodeMiniscript(decoded, (key) => key),
      script,
      'what is decoded is the same script',
    );
  }
}

function runMiniscriptScript(bytes: Uint8Array): void {
  for (const context of ['wsh', 'tapscript'] as const) {
    const root = decodeMiniscript(bytes, (hash) => KEYS_BY_HASH[context].get(formatHex(hash)), context);
    if (!root) continue;
    sameBytes(
      encodeMiniscript(root, (key) => key),
      bytes,
      'a decoded miniscript has the same script',
    );
    findFault(root, formatHex);
    const text = printMiniscript(root, formatHex);
    const parsed = parseMiniscript(text, { context, parseKey: (hex) => Uint8Array.from(Buffer.from(hex, 'hex')) });
    if (parsed.kind === 'fault') throw new Error(`a decoded miniscript is parsed: ${text}`);
    sameBytes(
      encodeMiniscript(parsed.root, (key) => key),
      bytes,
      'and parsed, it has the same script',
    );
  }
}

const SCRIPTS = recordedHex('decodescript', 120);

/** Makes the script of a miniscript, and changes it. */
function anyMiniscriptScript(source: Source): Uint8Array {
  const context = source.once(2) ? 'wsh' : 'tapscript';
  const parsed = parseMiniscript(letters(source), { context, parseKey: (key) => key });
  const script = parsed.kind === 'miniscript' ? encodeMiniscript(parsed.root, keyBytes(context)) : source.pick(SCRIPTS);
  return source.once(2) ? script : mutateBytes(source, script, SCRIPTS);
}

export const DESCRIPTOR_TARGETS: readonly Target[] = [
  textTarget('descriptor', { generate: anyDescriptor, run: runDescriptor }),
  textTarget('miniscript', {
    generate: (source) => (source.once(2) ? letters(source) : mutateText(source, letters(source), OTHERS)),
    run: runMiniscript,
  }),
  bytesTarget('miniscript-script', { generate: anyMiniscriptScript, run: runMiniscriptScript }),
];
