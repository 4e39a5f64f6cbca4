import { bytesKey, compareBytes } from '../bytes/compare.ts';
import { compactSizeLength } from '../bytes/writer.ts';
import { decodeMiniscript, satisfy } from '../descriptors/miniscript/index.ts';
import { compareLeaves, type LeafScript } from '../descriptors/taprootSpend.ts';
import { TAPSCRIPT_LEAF_VERSION, tapLeafHash } from '../script/tapTree.ts';
import type { SchnorrKey } from './musig2Signing.ts';
import {
  addTapKey,
  addTaprootSpend,
  type Missing,
  preimageName,
  type SignatureData,
  type TaprootSignatureData,
} from './signatureData.ts';
import {
  addParticipants,
  obtainLeafSignature,
  publicKeyOrMissing,
  recordResult,
  type SolvingContext,
} from './solvingContext.ts';

/**
 * Solves by the key path if its key can sign, else by the script with the smallest witness.
 * @see Core `SignTaproot`
 */
export function solveTaproot(context: SolvingContext, outputKey: Uint8Array): readonly Uint8Array[] | undefined {
  const { provider, data, rules } = context;
  const spend = provider.taproot(outputKey);
  if (spend) addTaprootSpend(data.taproot, spend);
  const { aggregates } = data.taproot;
  if (!rules.signsMusig2) aggregates.clear();
  else for (const aggregate of provider.aggregates) aggregates.set(bytesKey(aggregate.aggregatePubkey), aggregate);
  for (const key of [data.taproot.internalKey, rules.namesOutputKeys ? outputKey : undefined]) {
    const origin = key && provider.xOnlyOrigin(key);
    if (origin) addTapKey(data.taproot, { publicKey: key, origin });
  }
  data.taproot.keySignature ??= keyPathSignature(context, outputKey);
  const { keySignature } = data.taproot;
  return keySignature ? [keySignature] : smallest(distinctLeaves(data).flatMap((leaf) => solveLeaf(context, leaf)));
}

/** Tries the internal key, then the output key itself; each as a single key, then as an aggregate. */
function keyPathSignature(context: SolvingContext, outputKey: Uint8Array): Uint8Array | undefined {
  const { data, creator } = context;
  let result: Uint8Array | Missing = { kind: 'output-key', outputKey };
  for (const key of keyPathKeys(data.taproot, outputKey)) {
    result = creator.schnorr(key);
    if (!('kind' in result)) break;
    addParticipants(context);
    const aggregate = creator.aggregate(data, key);
    if (aggregate) return aggregate;
  }
  return recordResult(data, result, outputKey);
}

/** Lists keys in the order in which a node tries them. */
export function keyPathKeys(taproot: TaprootSignatureData, outputKey: Uint8Array): readonly SchnorrKey[] {
  const { internalKey: publicKey } = taproot;
  const output: SchnorrKey = { kind: 'output', publicKey: outputKey };
  return publicKey ? [{ kind: 'internal', publicKey, outputKey, taproot }, output] : [output];
}

/** Lists each script once, with its first and shortest control block. */
function distinctLeaves({ taproot }: SignatureData): readonly LeafScript[] {
  const ordered = [...taproot.leafScripts.values()].sort(compareLeaves);
  return ordered.filter((leaf, i) => {
    const before = ordered[i - 1];
    return before?.leafVersion !== leaf.leafVersion || compareBytes(before.script, leaf.script) !== 0;
  });
}

/** @see Core `SignTaprootScript` */
function solveLeaf(
  context: SolvingContext,
  { script, leafVersion, controlBlock }: LeafScript,
): readonly (readonly Uint8Array[])[] {
  if (leafVersion !== TAPSCRIPT_LEAF_VERSION) return [];
  const leafHash = tapLeafHash(script);
  const root = decodeMiniscript(script, (hash) => publicKeyOrMissing(context, hash)?.slice(1), 'tapscript');
  const items =
    root &&
    satisfy(root, {
      sign: (key) => obtainLeafSignature(context, key, leafHash),
      preimage: (name, hash) => preimageOrMissing(context.data, name, hash),
      isMet: (of, lock) => isMetOrMissing(context, of, lock),
    });
  return items ? [[...items, script, controlBlock]] : [];
}

export function preimageOrMissing(
  { preimages, missing }: SignatureData,
  ...[name, hash]: Parameters<typeof preimageName>
): Uint8Array | undefined {
  const preimage = preimages.get(preimageName(name, hash));
  if (!preimage) missing.push({ kind: 'preimage', name, hash });
  return preimage;
}

export function isMetOrMissing({ creator, data }: SolvingContext, of: 'older' | 'after', lock: number): boolean {
  const isMet = creator.isMet(of, lock);
  if (!isMet) data.missing.push({ kind: 'lock', of, lock });
  return isMet;
}

function smallest(witnesses: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] | undefined {
  const witnessSize = (items: readonly Uint8Array[]): number =>
    items.reduce((size, { length }) => size + compactSizeLength(length) + length, 0);
  return witnesses.reduce<readonly Uint8Array[] | undefined>(
    (best, witness) => (best && witnessSize(best) <= witnessSize(witness) ? best : witness),
    undefined,
  );
}
