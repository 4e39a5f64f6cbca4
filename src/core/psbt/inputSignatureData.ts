import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { isZero } from '../crypto/scalar.ts';
import {
  addLeafScript,
  addTapKey,
  addTaprootSpend,
  createSignatureData,
  type Musig2Signer,
  preimageName,
  type SignatureData,
  signerName,
} from '../signing/signatureData.ts';
import type { PsbtInput, PsbtOutput, TapKeyOrigin } from './format/types.ts';

/** Zeros mean absent. */
const set = (bytes: Uint8Array | undefined): Uint8Array | undefined => (bytes && !isZero(bytes) ? bytes : undefined);

type Shared = Pick<
  PsbtInput & PsbtOutput,
  'redeemScript' | 'witnessScript' | 'bip32Derivations' | 'tapBip32Derivations' | 'musig2Participants'
>;

function sharedSignatureData(map: Shared & Pick<PsbtInput, 'musig2PubNonces' | 'musig2PartialSigs'>): SignatureData {
  const { musig2PubNonces, musig2PartialSigs } = map;
  const data = createSignatureData(
    {},
    { pubNonces: bySigner(musig2PubNonces), partialSigs: bySigner(musig2PartialSigs) },
  );
  data.redeemScript = map.redeemScript ?? data.redeemScript;
  data.witnessScript = map.witnessScript ?? data.witnessScript;
  for (const { pubkey, fingerprint, path } of map.bip32Derivations ?? []) {
    data.keys.set(bytesKey(pubkey), { publicKey: pubkey, origin: { fingerprint, path } });
  }
  for (const { pubkey, fingerprint, path, leafHashes } of map.tapBip32Derivations ?? []) {
    const key = { publicKey: pubkey, origin: { fingerprint, path } };
    addTapKey(data.taproot, key);
    for (const leafHash of leafHashes) addTapKey(data.taproot, key, leafHash);
  }
  for (const aggregate of map.musig2Participants ?? []) {
    data.taproot.aggregates.set(bytesKey(aggregate.aggregatePubkey), aggregate);
  }
  return data;
}

/** A leaf hash of zeros means the key path. Of duplicates, the first counts. */
function bySigner<T extends Musig2Signer>(contributions: readonly T[] = []): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  for (const contribution of contributions) {
    const name = signerName(contribution);
    if (!byName.has(name)) byName.set(name, contribution);
  }
  return byName;
}

/** @see Bitcoin Core `PSBTInput::FillSignatureData` */
export function inputSignatureData(input: PsbtInput): SignatureData {
  const data = sharedSignatureData(input);
  for (const { pubkey, signature } of input.partialSigs ?? []) {
    data.signatures.set(bytesKey(pubkey), { publicKey: pubkey, signature });
  }
  for (const [name, preimages] of preimageRecords(input)) {
    for (const { hash, preimage } of preimages ?? []) data.preimages.set(preimageName(name, hash), preimage);
  }
  const { taproot } = data;
  if (input.tapKeySig) taproot.keySignature = input.tapKeySig;
  for (const { pubkey, leafHash, signature } of input.tapScriptSigs ?? []) {
    taproot.signatures.set(bytesKey(pubkey) + bytesKey(leafHash), { publicKey: pubkey, leafHash, signature });
  }
  for (const leaf of input.tapLeafScripts ?? []) addLeafScript(taproot, leaf);
  const [internalKey, merkleRoot] = [set(input.tapInternalKey), set(input.tapMerkleRoot)];
  if (internalKey) taproot.internalKey = internalKey;
  if (merkleRoot) taproot.merkleRoot = merkleRoot;
  return data;
}

const preimageRecords = (input: PsbtInput) =>
  [
    ['ripemd160', input.ripemd160Preimages],
    ['sha256', input.sha256Preimages],
    ['hash160', input.hash160Preimages],
    ['hash256', input.hash256Preimages],
  ] as const;

const NONE = new Uint8Array(0);

/** @see Bitcoin Core `PSBTOutput::FillSignatureData` */
export function outputSignatureData(output: PsbtOutput, ecc: Ecc): SignatureData {
  const data = sharedSignatureData(output);
  const internalKey = set(output.tapInternalKey);
  if (internalKey && output.tapTree && ecc.isXOnlyPoint(internalKey)) {
    // Control blocks take up to 4 kB each, and nothing is spent here.
    const leafScripts = output.tapTree.map(({ script, leafVersion }) => ({ script, leafVersion, controlBlock: NONE }));
    addTaprootSpend(data.taproot, { internalKey, leafScripts, tree: [...output.tapTree].reverse() });
  }
  return data;
}

function withMore<T>(
  entries: readonly T[] | undefined,
  additions: Iterable<T>,
  toName: (entry: T) => string,
): readonly T[] | undefined {
  const names = new Set(entries?.map(toName));
  const more = [...additions].filter((entry) => !names.has(toName(entry)));
  return more.length > 0 ? [...(entries ?? []), ...more] : entries;
}

const pubkeyName = ({ pubkey }: { readonly pubkey: Uint8Array }): string => bytesKey(pubkey);

function filled<T extends object>(members: T): { [N in keyof T]?: Exclude<T[N], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [N in keyof T]?: Exclude<T[N], undefined> };
}

const nonEmpty = (script: Uint8Array | undefined): Uint8Array | undefined => (script?.length ? script : undefined);

function tapKeyRecords({ taproot }: SignatureData): readonly TapKeyOrigin[] {
  return [...taproot.keys.values()].map(({ publicKey, origin, leafHashes }) => ({
    pubkey: publicKey,
    ...origin,
    leafHashes: [...leafHashes.values()],
  }));
}

function sharedRecords(map: Shared, data: SignatureData): Shared {
  const keys = [...data.keys.values()].map(({ publicKey, origin }) => ({ pubkey: publicKey, ...origin }));
  return filled({
    redeemScript: nonEmpty(map.redeemScript) ?? nonEmpty(data.redeemScript),
    witnessScript: nonEmpty(map.witnessScript) ?? nonEmpty(data.witnessScript),
    bip32Derivations: withMore(map.bip32Derivations, keys, pubkeyName),
    tapBip32Derivations: withMore(map.tapBip32Derivations, tapKeyRecords(data), pubkeyName),
    musig2Participants: withMore(map.musig2Participants, data.taproot.aggregates.values(), ({ aggregatePubkey }) =>
      bytesKey(aggregatePubkey),
    ),
  });
}

/** @see Bitcoin Core `PSBTInput::FromSignatureData` */
export function withInputSignatureData(input: PsbtInput, data: SignatureData): PsbtInput {
  const { taproot } = data;
  const partialSigs = [...data.signatures.values()].map(({ publicKey, signature }) => ({
    pubkey: publicKey,
    signature,
  }));
  const tapScriptSigs = [...taproot.signatures.values()].map(({ publicKey, ...rest }) => ({
    pubkey: publicKey,
    ...rest,
  }));
  return {
    ...input,
    ...sharedRecords(input, data),
    ...filled({
      partialSigs: withMore(input.partialSigs, partialSigs, pubkeyName),
      tapKeySig: taproot.keySignature,
      tapScriptSigs: withMore(
        input.tapScriptSigs,
        tapScriptSigs,
        ({ pubkey, leafHash }) => bytesKey(pubkey) + bytesKey(leafHash),
      ),
      tapInternalKey: taproot.internalKey,
      tapMerkleRoot: taproot.merkleRoot,
      tapLeafScripts: withMore(input.tapLeafScripts, taproot.leafScripts.values(), ({ controlBlock }) =>
        bytesKey(controlBlock),
      ),
    }),
  };
}

/** @see Bitcoin Core `PSBTOutput::FromSignatureData` */
export function withOutputSignatureData(output: PsbtOutput, data: SignatureData): PsbtOutput {
  const { internalKey, tree } = data.taproot;
  return { ...output, ...sharedRecords(output, data), ...filled({ tapInternalKey: internalKey, tapTree: tree }) };
}
