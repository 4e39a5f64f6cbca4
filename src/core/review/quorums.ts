import { bytesKey } from '../bytes/compare.ts';
import { decodeMiniscript } from '../descriptors/miniscript/index.ts';
import { signatureRange } from '../descriptors/miniscript/signatureRange.ts';
import { collectKeys } from '../descriptors/miniscript/tree.ts';
import { meetsLock } from '../interpreter/transactionChecker.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { type InputSignatures, isValidSignature, type ValidSignature } from '../psbt/heldSignatures.ts';
import { tapLeafHash } from '../script/tapTree.ts';
import type { SignatureRequest } from '../signing/keySigner.ts';
import type { Transaction, TxIn } from '../tx/types.ts';
import type { QuorumProgress, SignerReview } from './inputReview.ts';
import { takesSingleKey, type UnwrappedRecords } from './scripts.ts';

type MeetsLock = (kind: 'older' | 'after', lock: number) => boolean;

export type FindSigner = (
  request: SignatureRequest | { readonly publicKey: Uint8Array; readonly leafHash?: Uint8Array },
) => SignerReview;

/** Counts signatures for each way to spend the coin; omits ways that no known key can sign. */
export function countQuorums(
  { tapLeafScripts = [] }: PsbtInput,
  { template, script }: Pick<UnwrappedRecords, 'template' | 'script'>,
  { recorded, requests }: InputSignatures,
  {
    findSigner,
    tx,
    txIn,
  }: { readonly findSigner: FindSigner; readonly tx: Transaction; readonly txIn: TxIn | undefined },
): readonly QuorumProgress[] {
  const isMet: MeetsLock = (kind, lock) => txIn !== undefined && meetsLock(tx, txIn, { kind, lock });
  const signers = new Map<string, ValidSignature[]>();
  const missing = new Map<string, SignatureRequest[]>();
  for (const signature of recorded.filter(isValidSignature)) {
    append(signers, signature.leafHash ? bytesKey(signature.leafHash) : '', signature);
  }
  for (const request of requests) append(missing, leafKey(request), request);
  const isTaproot = template.type === 'witness_v1_taproot';
  const leaves = tapLeafScripts.map(({ script, leafVersion }): Leaf => {
    return { leafHash: tapLeafHash(script, leafVersion), leafScript: script };
  });
  const names = new Set(leaves.map(({ leafHash }) => bytesKey(leafHash)));
  // A leaf's signature is valid without the script, which trimmed PSBTs lack.
  const hidden = [...signers].flatMap(([name, [signature]]): readonly Leaf[] =>
    signature?.leafHash && !names.has(name) ? [{ leafHash: signature.leafHash }] : [],
  );
  return [undefined, ...leaves, ...hidden].flatMap((leaf) => {
    const place = leaf ? bytesKey(leaf.leafHash) : '';
    const [signed, wantedHere] = [signers.get(place) ?? [], missing.get(place) ?? []];
    if (signed.length === 0 && wantedHere.length === 0) return [];
    const ofLeaf = leaf?.leafScript ? miniscriptQuorum(leaf.leafScript, 'tapscript', isMet) : {};
    return [
      {
        have: signed.length,
        ...(leaf ? ofLeaf : templateQuorum(template, script, isMet)),
        signed: signed.map((signature) => findSigner(signature.request ?? signature)),
        wanted: wantedHere.map(findSigner),
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

export const isFull = ({ have, required }: Pick<QuorumProgress, 'have' | 'required'>): boolean =>
  required !== undefined && have >= required;

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function leafKey(request: SignatureRequest): string {
  return request.algorithm === 'schnorr' && request.path === 'script' ? bytesKey(request.leafHash) : '';
}

type Quorum = Pick<QuorumProgress, 'required' | 'of' | 'isClosed'>;

function templateQuorum(template: UnwrappedRecords['template'], script: Uint8Array, isMet: MeetsLock): Quorum {
  if (template.type === 'multisig') return { required: template.required, of: template.pubkeys.length };
  const isSingle = takesSingleKey(template) || template.type === 'witness_v1_taproot';
  return isSingle ? { required: 1, of: 1 } : miniscriptQuorum(script, 'wsh', isMet);
}

/**
 * Counts the signatures of a miniscript's open ways, of all if none is open. A hash stands for its key: only the number
 * counts.
 */
function miniscriptQuorum(script: Uint8Array, context: 'wsh' | 'tapscript', isMet: MeetsLock): Quorum {
  const root = decodeMiniscript(script, (hash) => hash, context);
  if (!root) return {};
  const open = signatureRange(root, isMet);
  const range = open ?? signatureRange(root, () => true);
  const isSame = range !== undefined && range.least === range.most;
  return {
    ...(isSame && { required: range.least }),
    of: new Set(collectKeys(root).map((key) => bytesKey(key))).size,
    ...(!open && range && { isClosed: true }),
  };
}
