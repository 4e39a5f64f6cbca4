import { assertBytes } from '../bytes/assertBytes.ts';
import { formatHex } from '../bytes/hex.ts';
import { isValidXOnlyPublicKey } from '../crypto/publicKey.ts';
import type { KeyOrigin } from '../keys/path.ts';
import { OP_CHECKSIG } from '../script/opcodes.ts';
import { parseControlBlock, TAPSCRIPT_LEAF_VERSION } from '../script/tapTree.ts';
import { CURRENT_TEMPLATES, classifyScript, type ScriptTemplate, type TemplateRules } from '../script/template.ts';
import { toScriptId } from '../script/unwrap.ts';
import { inferShown, type KeyPlace, type Place, shownKey, shownKeys, shownXOnlyKey } from './inferFromScript.ts';
import { withKeys } from './keyExpressions.ts';
import { decodeMiniscript, findFault, type Miniscript, mapKeys } from './miniscript/index.ts';
import { compareLeaves, type LeafScript, type TaprootSpend } from './taprootSpend.ts';
import type { Descriptor, FixedKey, TreeLeaf } from './types.ts';

/** A caller's keys and scripts by hash, key origins, and spend data of taproot outputs. */
export interface InferKnowledge {
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
  readonly origin?: (publicKey: Uint8Array) => KeyOrigin | undefined;
  readonly xOnlyOrigin?: (publicKey: Uint8Array) => KeyOrigin | undefined;
  readonly script?: (hash: Uint8Array) => Uint8Array | undefined;
  readonly taproot?: (outputKey: Uint8Array) => TaprootSpend | undefined;
  readonly templates?: TemplateRules;
  /** Shows hybrid keys, and uncompressed ones in segwit scripts, as Core 0.21 does. */
  readonly takesAnyKey?: boolean;
}

/**
 * Infers the most specific descriptor, or `addr` or `raw` if the caller's data is not enough.
 * @see Bitcoin Core `InferDescriptor`
 *
 * @example
 * ```ts
 * import { formatDescriptor, inferDescriptor, networks, parseHex } from 'countersign';
 *
 * formatDescriptor(inferDescriptor(parseHex(`0014${'00'.repeat(20)}`)), networks.main); // addr(bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs)#hnwudvg9
 * ```
 */
export function inferDescriptor(scriptPubKey: Uint8Array, knowledge: InferKnowledge = {}): Descriptor {
  assertBytes('scriptPubKey', scriptPubKey);
  const template = classifyScript(scriptPubKey, knowledge.templates ?? CURRENT_TEMPLATES);
  return inferTemplate(template, 'top', knowledge) ?? inferShown(scriptPubKey, template);
}

function inferScript(script: Uint8Array, place: Place, knowledge: InferKnowledge): Descriptor | undefined {
  const ofLeaf = place === 'tr' ? inferLeaf(script, knowledge) : undefined;
  if (ofLeaf) return ofLeaf;
  const template = classifyScript(script, knowledge.templates ?? CURRENT_TEMPLATES);
  return inferTemplate(template, place, knowledge) ?? inferMiniscript(script, place, knowledge);
}

function inferTemplate(template: ScriptTemplate, place: Place, knowledge: InferKnowledge): Descriptor | undefined {
  if (place === 'tr') return undefined;
  switch (template.type) {
    case 'pubkey':
    case 'multisig':
      return withOrigins(shownKeys(template, placeOfKeys(place, knowledge)), knowledge);
    case 'pubkeyhash':
      return ofKey('pkh', inferKeyOfHash(template.hash, place, knowledge));
    case 'witness_v0_keyhash':
      return place === 'wsh' ? undefined : ofKey('wpkh', inferKeyOfHash(template.program, 'wsh', knowledge));
    case 'scripthash':
      return place === 'top' ? wrapped('sh', knowledge.script?.(template.hash), knowledge) : undefined;
    case 'witness_v0_scripthash':
      return place === 'wsh' ? undefined : wrapped('wsh', knowledge.script?.(toScriptId(template.program)), knowledge);
    case 'witness_v1_taproot':
      return place === 'top' ? inferTaproot(template.program, knowledge) : undefined;
    default:
      return undefined;
  }
}

const ofKey = (kind: 'pkh' | 'wpkh', key: FixedKey | undefined): Descriptor | undefined => key && { kind, key };

function withOrigin(key: FixedKey, { origin, xOnlyOrigin }: InferKnowledge): FixedKey {
  const from = key.isXOnly ? xOnlyOrigin?.(key.publicKey.slice(1)) : origin?.(key.publicKey);
  return from ? { ...key, origin: from } : key;
}

function withOrigins(descriptor: Descriptor | undefined, knowledge: InferKnowledge): Descriptor | undefined {
  return descriptor && withKeys(descriptor, (key) => (key.kind === 'fixed' ? withOrigin(key, knowledge) : key));
}

const xOnlyKey = (publicKey: Uint8Array, knowledge: InferKnowledge): FixedKey =>
  withOrigin(shownXOnlyKey(publicKey), knowledge);

const placeOfKeys = (place: Place, { takesAnyKey = false }: InferKnowledge): KeyPlace => (takesAnyKey ? 'any' : place);

function inferKey(publicKey: Uint8Array, place: Place, knowledge: InferKnowledge): FixedKey | undefined {
  const key = shownKey(publicKey, placeOfKeys(place, knowledge));
  return key && withOrigin(key, knowledge);
}

function inferKeyOfHash(hash: Uint8Array, place: Place, knowledge: InferKnowledge): FixedKey | undefined {
  const publicKey = knowledge.publicKey?.(hash);
  return publicKey && inferKey(publicKey, place, knowledge);
}

function wrapped(
  kind: 'sh' | 'wsh',
  script: Uint8Array | undefined,
  knowledge: InferKnowledge,
): Descriptor | undefined {
  const inner = script && inferScript(script, kind, knowledge);
  return inner && { kind, inner };
}

function inferTaproot(outputKey: Uint8Array, knowledge: InferKnowledge): Descriptor | undefined {
  const spend = knowledge.taproot?.(outputKey);
  const leaves = spend && inferTree(spend, knowledge);
  if (leaves) return { kind: 'tr', key: xOnlyKey(spend.internalKey, knowledge), leaves };
  return isValidXOnlyPublicKey(outputKey) ? { kind: 'rawtr', key: xOnlyKey(outputKey, knowledge) } : undefined;
}

function inferTree({ leafScripts }: TaprootSpend, knowledge: InferKnowledge): readonly TreeLeaf[] | undefined {
  const leaves = inNodeOrder(leafScripts).flatMap((leaf) => {
    const inferred =
      leaf.leafVersion === TAPSCRIPT_LEAF_VERSION ? inferScript(leaf.script, 'tr', knowledge) : undefined;
    return inferred ? [{ depth: leafDepth(leaf), script: inferred }] : [];
  });
  return leaves.length === leafScripts.length ? leaves : undefined;
}

const leafDepth = ({ controlBlock }: LeafScript): number => parseControlBlock(controlBlock)?.path.length ?? 0;

/**
 * Orders leaves as Core prints them: of two branches, the one with the smaller leaf comes first.
 * @see Bitcoin Core `InferTaprootTree`
 */
function inNodeOrder(leaves: readonly LeafScript[]): readonly LeafScript[] {
  interface Branch {
    readonly depth: number;
    readonly leaves: readonly LeafScript[];
    readonly least: LeafScript;
  }
  const open: Branch[] = [];
  for (const leaf of leaves) {
    let branch: Branch = { depth: leafDepth(leaf), leaves: [leaf], least: leaf };
    for (let leftBranch = open.at(-1); leftBranch?.depth === branch.depth; leftBranch = open.at(-1)) {
      open.pop();
      const [first, second] =
        compareLeaves(leftBranch.least, branch.least) <= 0 ? [leftBranch, branch] : [branch, leftBranch];
      branch = { depth: branch.depth - 1, leaves: [...first.leaves, ...second.leaves], least: first.least };
    }
    open.push(branch);
  }
  return open.flatMap((branch) => branch.leaves);
}

/** Core recognises `pk` and `multi_a` before it tries miniscript. */
function inferLeaf(script: Uint8Array, knowledge: InferKnowledge): Descriptor | undefined {
  if (script.length === 34 && script[0] === 32 && script[33] === OP_CHECKSIG) {
    return { kind: 'pk', key: xOnlyKey(script.slice(1, 33), knowledge) };
  }
  const root = decodeMiniscript(script, () => undefined, 'tapscript');
  if (root?.fragment.kind !== 'multi_a') return undefined;
  const { required, keys } = root.fragment;
  return { kind: 'multi_a', required, keys: keys.map((key) => xOnlyKey(key, knowledge)) };
}

function inferMiniscript(script: Uint8Array, place: Place, knowledge: InferKnowledge): Descriptor | undefined {
  if (place !== 'wsh' && place !== 'tr') return undefined;
  // Core prints a key found by its hash in full, even in a tapscript.
  const fullKeys = new Map<Uint8Array, Uint8Array>();
  const keyOfHash = (hash: Uint8Array): Uint8Array | undefined => {
    const key = knowledge.publicKey?.(hash);
    // Core has no descriptor for an uncompressed key in a segwit script.
    if (!key || !inferKey(key, 'wsh', knowledge)) return undefined;
    if (place === 'wsh') return key;
    const xOnly = key.slice(1);
    fullKeys.set(xOnly, key);
    return xOnly;
  };
  const root = decodeMiniscript(script, keyOfHash, place === 'wsh' ? 'wsh' : 'tapscript');
  if (!root) return undefined;
  // To Core, keys that differ in the parity of y are two, although a tapscript shows the same x-only key.
  const fault = findFault(root, (key) =>
    formatHex(fullKeys.get(key) ?? Uint8Array.of(...(place === 'wsh' ? [] : [2]), ...key)),
  );
  if (fault && fault.reason !== 'not-satisfiable') return undefined;
  const keys: Miniscript<FixedKey> = mapKeys(root, (key) => {
    const full = fullKeys.get(key) ?? (place === 'wsh' ? key : undefined);
    return (full && inferKey(full, 'wsh', knowledge)) ?? xOnlyKey(full?.slice(1) ?? key, knowledge);
  });
  return { kind: 'miniscript', root: keys };
}
