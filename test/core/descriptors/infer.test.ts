import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LeafScript } from '../../../src/core/descriptors/taprootSpend.ts';
import { withKeys } from '../../support/descriptorKeys.ts';
import { bodyOf, parse } from '../../support/descriptorRows.ts';
import {
  createDeriver,
  createDescriptorProvider,
  formatHex,
  hash160,
  inferDescriptor,
  type KeyOrigin,
  parseHex,
  parsePath,
} from '../../support/library.ts';

const SHORT = withKeys('$short', 'public');
const LONG = withKeys('$long', 'public');
const NOTHING_UP = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';

interface Known {
  readonly scripts?: readonly string[];
  /** Keys with their origins. */
  readonly keys?: Readonly<Record<string, KeyOrigin | undefined>>;
}

function infer(script: string, { scripts = [], keys = {} }: Known = {}): string {
  const byHash = new Map(
    [...scripts, ...Object.keys(keys)].map((hex) => [formatHex(hash160(parseHex(hex))), parseHex(hex)]),
  );
  const ofHash = (hash: Uint8Array): Uint8Array | undefined => byHash.get(formatHex(hash));
  const origin = (key: Uint8Array): KeyOrigin | undefined => keys[formatHex(key)];
  return bodyOf(inferDescriptor(parseHex(script), { publicKey: ofHash, script: ofHash, origin }));
}

const ORIGIN: KeyOrigin = { fingerprint: parseHex('deadbeef'), path: parsePath('m/0h/0h/0') };
const HYBRID =
  '069228de6902abb4f541791f6d7f925b10e2078ccb1298856e5ea5cc5fd667f930eac37a00cc07f9a91ef3c2d17bf7a17db04552ff90ac312a5b8b4caca6c97aa4';
const UNCOMPRESSED = HYBRID.replace(/^06/, '04');
const OTHER =
  '04c56fe4a92d401bcbf1b3dfbe4ac3dac5602ca155a3681497f02c1b9a733b92d704e2da6ec4162e4846af9236ef4171069ac8b7f8234a8405b6cadd96f34f5a31';

// Bitcoin Core's descriptor_tests, `CheckInferDescriptor` and `CheckInferRaw`.
describe("descriptors inferred in Core's tests", () => {
  const four = withKeys('$first4', 'public')
    .split(',')
    .map((key) => `21${key}`)
    .join('');
  test.each<[string, string, Known, string]>([
    [
      'sh(pkh()) with an origin',
      'a9141a31ad23bf49c247dd531a623c2ef57da3c400c587',
      { scripts: ['76a9149a1c78a507689f6f54b847ad1cef1e614ee23f1e88ac'], keys: { [SHORT]: ORIGIN } },
      `sh(pkh([deadbeef/0h/0h/0]${SHORT}))`,
    ],
    ['a hybrid key', `41${HYBRID}ac`, { keys: { [HYBRID]: undefined } }, `raw(41${HYBRID}ac)`],
    [
      'the hash of a hybrid key',
      '76a91445ff7c2327866472639d507334a9a00119dfd32688ac',
      { keys: { [HYBRID]: undefined } },
      'addr(17P7ge56F2QcdHxxRBa2NyzmejFggPwBJ9)',
    ],
    [
      'an uncompressed key in segwit',
      '001422e363a523947a110d9a9eb114820de183aca313',
      { keys: { [UNCOMPRESSED]: undefined } },
      'addr(bc1qyt3k8ffrj3apzrv6n6c3fqsduxp6egcnk2r66j)',
    ],
    [
      'the hash of an uncompressed key',
      '76a914a31725c74421fadc50d35520ab8751ed120af80588ac',
      { keys: { [OTHER]: undefined } },
      `pkh(${OTHER})`,
    ],
    ['an uncompressed key', `41${OTHER}ac`, { keys: { [OTHER]: ORIGIN } }, `pk([deadbeef/0h/0h/0]${OTHER})`],
    ['a threshold that is not pushed minimally', `0102${four}54ae`, {}, `raw(0102${four}54ae)`],
    ['a number of keys that is not pushed minimally', `52${four}0104ae`, {}, `raw(52${four}0104ae)`],
    ['a multisig of four', `52${four}54ae`, {}, `multi(2,${withKeys('$first4', 'public')})`],
  ])('inferDescriptor handles %s', (_, script, known, descriptor) => {
    expect(infer(script, known)).toBe(descriptor);
  });
});

/**
 * Derives a descriptor at index 3 and infers descriptors from its scriptPubKeys, with all its keys and scripts known.
 */
function inferAgain(text: string): readonly string[] {
  const derived = createDeriver(parse(withKeys(text, 'public')))(3);
  const provider = createDescriptorProvider([derived]);
  return derived.scriptPubKeys.map((script) => bodyOf(inferDescriptor(script, provider)));
}

describe('descriptors inferred from derived scripts', () => {
  const own = `[9a1c78a5]${SHORT}`;
  test.each<[string, ...(readonly string[])]>([
    ['pk($short)', `pk(${own})`],
    ['pk($long)', `pk([b5bd079c]${LONG})`],
    ["pkh([deadbeef/1/2'/3/4']$short)", `pkh([deadbeef/1/2h/3/4h]${SHORT})`],
    ['wpkh($short)', `wpkh(${own})`],
    ['sh(wpkh($short))', `sh(wpkh(${own}))`],
    ['combo($short)', `pk(${own})`, `pkh(${own})`, `wpkh(${own})`, `sh(wpkh(${own}))`],
    ['combo($long)', `pk([b5bd079c]${LONG})`, `pkh([b5bd079c]${LONG})`],
    ['sh(wsh(pkh([deadbeef]$short)))', `sh(wsh(pkh([deadbeef]${SHORT})))`],
    // Nothing in the script shows that its keys were sorted.
    ['sortedmulti(1,[aaaaaaaa]$long,[bbbbbbbb/1]$short)', `multi(1,[bbbbbbbb/1]${SHORT},[aaaaaaaa]${LONG})`],
    ['sh(sortedmulti(1,[aaaaaaaa]$long,[bbbbbbbb]$short))', `sh(multi(1,[bbbbbbbb]${SHORT},[aaaaaaaa]${LONG}))`],
    ['wsh(multi(1,[bbbbbbbb/2h]$short))', `wsh(multi(1,[bbbbbbbb/2h]${SHORT}))`],
    ['wsh(and_v(v:pk([bbbbbbbb]$short),older(5)))', `wsh(and_v(v:pk([bbbbbbbb]${SHORT}),older(5)))`],
    [
      'wsh(or_d(pk([bbbbbbbb]$short),pkh([cccccccc/7]$a)))',
      `wsh(or_d(pk([bbbbbbbb]${SHORT}),pkh([cccccccc/7]${withKeys('$a', 'public')})))`,
    ],
    ['rawtr([bbbbbbbb]$d:x)', `rawtr([bbbbbbbb]${withKeys('$d:x', 'public')})`],
    ['tr([bbbbbbbb/1h]$d:x)', `tr([bbbbbbbb/1h]${withKeys('$d:x', 'public')})`],
    ['addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)', 'addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)'],
    ['raw(6a)', 'raw(6a)'],
    [`raw(21${SHORT}ac)`, `pk(${SHORT})`],
  ])('%s is inferred as %s', (text, ...descriptors) => {
    expect(inferAgain(text)).toEqual(descriptors);
  });

  test('leaves are inferred with their keys', () => {
    const [d = '', e = ''] = ['$d:x', '$e:x'].map((key) => withKeys(key, 'public'));
    const nothing = `[${formatHex(hash160(parseHex(`02${NOTHING_UP}`))).slice(0, 8)}]${NOTHING_UP}`;
    for (const leaf of [
      `pk([bbbbbbbb]${d})`,
      `multi_a(2,[bbbbbbbb]${d},[cccccccc/1h]${e})`,
      `and_v(v:pk([bbbbbbbb]${d}),older(9))`,
    ]) {
      expect(inferAgain(`tr(${NOTHING_UP},${leaf})`)).toEqual([`tr(${nothing},${leaf})`]);
    }
    expect(inferAgain(`tr(${NOTHING_UP},sortedmulti_a(1,[bbbbbbbb]${e},[cccccccc]${d}))`)).toEqual([
      `tr(${nothing},multi_a(1,[cccccccc]${d},[bbbbbbbb]${e}))`,
    ]);
  });

  test('a multi_a is inferred even where miniscript permits no such keys', () => {
    const key = `[bbbbbbbb]${withKeys('$d:x', 'public')}`;
    const [inferred = ''] = inferAgain(`tr(${NOTHING_UP},multi_a(1,${key},${key}))`);
    expect(inferred.replace(/^tr\([^,]*,/, 'tr(KEY,')).toBe(`tr(KEY,multi_a(1,${key},${key}))`);
  });

  test('of a tree with a leaf that is no descriptor, the output key alone is inferred', () => {
    const key = withKeys('$d:x', 'public');
    const derived = createDeriver(parse(`tr(${NOTHING_UP},{pk(${key}),multi_a(1,${key})})`))(0);
    const [script = parseHex('')] = derived.scriptPubKeys;
    const spend = derived.taproot;
    const [first, second] = spend?.leafScripts ?? [];
    if (!spend || !first || !second) return expect.fail('two leaves');
    const inferFrom = (...leafScripts: readonly LeafScript[]): string =>
      bodyOf(inferDescriptor(script, { taproot: () => ({ ...spend, leafScripts }) }));
    expect(inferFrom(first, second)).toBe(`tr(${NOTHING_UP},{pk(${key}),multi_a(1,${key})})`);
    const output = `rawtr(${formatHex(spend.outputKey)})`;
    expect(inferFrom(first, { ...second, script: parseHex('51ff') })).toBe(output);
    expect(inferFrom(first, { ...second, leafVersion: 0xc2 })).toBe(output);
  });

  test('the key of pkh() in a leaf is printed in full, as in Core', () => {
    const [d = '', full = ''] = ['$d:x', '$d'].map((key) => withKeys(key, 'public'));
    for (const leaf of [(key: string) => `pkh(${key})`, (key: string) => `and_v(v:pkh(${key}),older(9))`]) {
      const [inferred = ''] = inferAgain(`tr(${NOTHING_UP},${leaf(`[bbbbbbbb]${d}`)})`);
      expect(inferred.replace(/^tr\([^,]*,/, 'tr(KEY,')).toBe(`tr(KEY,${leaf(`[bbbbbbbb]${full}`)})`);
    }
  });

  test('keys of a leaf that differ only in the parity of y are not duplicates', () => {
    const odd = '03dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659';
    const leaf = `and_v(v:pk([bbbbbbbb]${odd.slice(2)}),pkh([cccccccc]${odd}))`;
    const [inferred = ''] = inferAgain(`tr(${NOTHING_UP},${leaf})`);
    expect(inferred.replace(/\[[^\]]*\]/g, '')).toBe(`tr(${NOTHING_UP},${leaf.replace(/\[[^\]]*\]/g, '')})`);
  });

  test('the origin of a key from a wildcard includes the derived path', () => {
    const [inferred = ''] = inferAgain("wpkh([deadbeef/84'/0'/0']$twoDeep/0/*)");
    expect(inferred.replace(/\](02|03)[0-9a-f]{64}\)/, ']KEY)')).toBe('wpkh([deadbeef/84h/0h/0h/0/3]KEY)');
  });
});

/** A node of the tree that Core builds from control blocks, leaf by leaf. */
interface CoreNode {
  hash?: string;
  subs?: readonly [CoreNode, CoreNode];
  script?: string;
}

/** Adds a leaf to the tree: each hash of the path, from the root down, belongs to the sibling. */
function placeLeaf(root: CoreNode, script: string, path: readonly string[]): void {
  let node = root;
  for (const sibling of [...path].reverse()) {
    node.subs ??= [{}, { hash: sibling }];
    const [left, right] = node.subs;
    const isLeft = right.hash === sibling || (right.hash === undefined && left.hash !== sibling);
    (isLeft ? right : left).hash = sibling;
    node = isLeft ? left : right;
  }
  node.script = script;
}

function textOf({ script, subs }: CoreNode, twin?: CoreNode): string {
  if (script !== undefined) return script;
  if (!subs) return twin ? textOf(twin) : '?';
  return `{${textOf(subs[0])},${textOf(subs[1], subs[0])}}`;
}

describe('the order of inferred leaves', () => {
  type Shape = string | readonly [Shape, Shape];
  const KEYS = ['$d:x', '$e:x', '$short:x'].map((key) => withKeys(key, 'public'));
  const leaf = fc.constantFrom(...KEYS);
  const { tree } = fc.letrec<{ tree: Shape }>((tie) => ({
    tree: fc.oneof({ depthSize: 'medium' }, leaf, fc.tuple(tie('tree'), tie('tree'))),
  }));
  const printed = (shape: Shape): string =>
    typeof shape === 'string' ? `pk(${shape})` : `{${printed(shape[0])},${printed(shape[1])}}`;

  test('is the order in which Core sorts them by script and control block', () => {
    fc.assert(
      fc.property(tree, (shape) => {
        const derived = createDeriver(parse(`tr(${NOTHING_UP},${printed(shape)})`))(0);
        const records = (derived.taproot?.leafScripts ?? []).map(({ script, controlBlock }) => ({
          script: formatHex(script),
          block: formatHex(controlBlock),
        }));
        // Hex sorts like its bytes; all scripts here have the same length.
        const key = ({ script, block }: (typeof records)[number]): string =>
          `${script}${String(block.length).padStart(5, '0')}${block}`;
        const root: CoreNode = {};
        for (const { script, block } of [...records].sort((a, b) => (key(a) < key(b) ? -1 : 1))) {
          placeLeaf(root, script, block.slice(66).match(/.{64}/g) ?? []);
        }
        const expected = textOf(root).replace(/20([0-9a-f]{64})ac/g, 'pk($1)');
        const [scriptPubKey = new Uint8Array()] = derived.scriptPubKeys;
        const inferred = bodyOf(inferDescriptor(scriptPubKey, createDescriptorProvider([derived])));
        expect(inferred.replace(/\[[^\]]*\]/g, '')).toBe(`tr(${NOTHING_UP},${expected})`);
      }),
    );
  });
});
