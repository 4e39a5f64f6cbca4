import { bytesKey } from '../bytes/compare.ts';
import { append } from '../bytes/groups.ts';
import { decodeMiniscript } from '../descriptors/miniscript/index.ts';
import { meetsLock } from '../interpreter/transactionChecker.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { type InputSignatures, isValidSignature, type ValidSignature } from '../psbt/heldSignatures.ts';
import { inputSignatureData } from '../psbt/inputSignatureData.ts';
import type { SessionInput } from '../psbt/session.ts';
import { tapLeafHash } from '../script/tapTree.ts';
import type { SignatureRequest } from '../signing/keySigner.ts';
import { preimageName } from '../signing/signatureData.ts';
import type { QuorumProgress, SignerReview } from './inputReview.ts';
import { type CountedFacts, countMultisig, countScript, type MeetsLock, type SignatureCount } from './scriptCounts.ts';
import { takesSingleKey, type UnwrappedRecords } from './scripts.ts';

export type FindSigner = (
  request: SignatureRequest | { readonly publicKey: Uint8Array; readonly leafHash?: Uint8Array },
) => SignerReview;

interface Countable {
  readonly unwrapped: Pick<UnwrappedRecords, 'template' | 'script'>;
  readonly signatures: InputSignatures;
  readonly findSigner: FindSigner;
}

/** Counts signatures for each way to spend the coin; omits ways that no known key can sign. */
export function countQuorums(
  { session: { tx }, input, index }: SessionInput,
  { unwrapped: { template, script }, signatures: { recorded, requests }, findSigner }: Countable,
): readonly QuorumProgress[] {
  const txIn = tx.inputs[index];
  const isMet: MeetsLock = (kind, lock) => txIn !== undefined && meetsLock(tx, txIn, { kind, lock });
  const hasPreimage = preimageTest(input);
  const { tapLeafScripts = [] } = input;
  const valid = new Map<string, ValidSignature[]>();
  const missing = new Map<string, SignatureRequest[]>();
  for (const signature of recorded.filter(isValidSignature)) {
    append(valid, signature.leafHash ? bytesKey(signature.leafHash) : '', signature);
  }
  for (const request of requests) append(missing, leafKey(request), request);
  const isTaproot = template.type === 'witness_v1_taproot';
  const leaves = tapLeafScripts.map(({ script, leafVersion }): Leaf => {
    return { leafHash: tapLeafHash(script, leafVersion), leafScript: script };
  });
  const names = new Set(leaves.map(({ leafHash }) => bytesKey(leafHash)));
  // A leaf's signature is valid without the script, which trimmed PSBTs lack.
  const hidden = [...valid].flatMap(([name, [signature]]): readonly Leaf[] =>
    signature?.leafHash && !names.has(name) ? [{ leafHash: signature.leafHash }] : [],
  );
  return [undefined, ...leaves, ...hidden].flatMap((leaf) => {
    const place = leaf ? bytesKey(leaf.leafHash) : '';
    const signed = (valid.get(place) ?? []).map((one) => findSigner(one.request ?? one));
    const wanted = (missing.get(place) ?? []).map(findSigner).filter(({ isUnspendable }) => !isUnspendable);
    if (signed.length === 0 && wanted.length === 0) return [];
    const signers = { signed, wanted };
    const facts = { ...signers, isMet, hasPreimage };
    return [
      {
        ...(leaf ? leafCount(leaf, facts) : templateCount(template, script, facts)),
        ...signers,
        isKeyPath: !leaf && isTaproot,
        ...leaf,
      },
    ];
  });
}

type Leaf = Required<Pick<QuorumProgress, 'leafHash'>> & Pick<QuorumProgress, 'leafScript'>;

export const isHiddenLeaf = ({
  have,
  leafHash,
  leafScript,
}: Pick<QuorumProgress, 'have' | 'leafHash' | 'leafScript'>): boolean =>
  have > 0 && leafHash !== undefined && leafScript === undefined;

/** Tells whether no signature completes the input, since the transaction does not meet the locks of any way. */
export const isLockedOut = ({ quorums }: { readonly quorums: readonly Pick<QuorumProgress, 'isClosed'>[] }): boolean =>
  quorums.length > 0 && quorums.every(({ isClosed }) => isClosed);

export const isFull = ({ have, required }: Pick<QuorumProgress, 'have' | 'required'>): boolean =>
  required !== undefined && have >= required;

function preimageTest(input: PsbtInput): CountedFacts['hasPreimage'] {
  let names: ReadonlySet<string> | undefined;
  return (name, hash) => {
    names ??= new Set(inputSignatureData(input).preimages.keys());
    return names.has(preimageName(name, hash));
  };
}

function leafKey(request: SignatureRequest): string {
  return request.algorithm === 'schnorr' && request.path === 'script' ? bytesKey(request.leafHash) : '';
}

function templateCount(
  template: UnwrappedRecords['template'],
  script: Uint8Array,
  facts: CountedFacts,
): SignatureCount {
  if (template.type === 'multisig') {
    return countMultisig({ required: template.required, keys: template.pubkeys }, facts);
  }
  if (takesSingleKey(template) || template.type === 'witness_v1_taproot') {
    return { have: facts.signed.length, required: 1, of: 1 };
  }
  return countScript(
    decodeMiniscript(script, (hash) => hash, 'wsh'),
    facts,
  );
}

const leafCount = ({ leafScript }: Leaf, facts: CountedFacts): SignatureCount =>
  countScript(leafScript && decodeMiniscript(leafScript, (hash) => hash, 'tapscript'), facts);
