import { equalBytes } from '../bytes/compare.ts';
import { decodeMiniscript } from '../descriptors/miniscript/index.ts';
import { isFinal } from '../psbt/format/nodeOrder.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { type HeldSignature, inputSignatures } from '../psbt/heldSignatures.ts';
import type { FinalizedPsbt } from '../psbt/roles/finalizer.ts';
import type { SignedInput, SignedPsbt } from '../psbt/roles/signer.ts';
import { openSession, type PsbtSession } from '../psbt/session.ts';
import { usualType } from '../psbt/solveInput.ts';
import { unwrapRecords } from '../review/scripts.ts';
import { tapLeafHash } from '../script/tapTree.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import type { SessionOptions } from '../signing/txContext.ts';
import { formatTxid, txid } from '../tx/txid.ts';
import type { Transaction } from '../tx/types.ts';
import { leafText } from './psbtReviewText.ts';

/** The result of signing as shown to the user: a line for each input, and the next step. */
export interface Outcome {
  readonly lines: readonly string[];
  /** True if a signature was added, or if the transaction is complete. */
  readonly isProgress: boolean;
}

/** Describes the result of signing and finalizing to the user. */
export function outcomeOf(
  signed: SignedPsbt,
  finalized: FinalizedPsbt,
  { tx, ...options }: SessionOptions & { readonly tx: Transaction | undefined },
): Outcome {
  const session = openSession(signed.psbt, options);
  const lines = signed.psbt.inputs.map((input, index) => {
    const isComplete = finalized.inputs[index]?.status === 'complete';
    return `input ${index}: ${isComplete ? completeText(input) : progressText(session, signed, index)}`;
  });
  const hasSigned = signed.inputs.some(({ signed: keys }) => keys.length > 0);
  return { lines: [...lines, nextText(tx, hasSigned)], isProgress: hasSigned || finalized.isComplete };
}

const completeText = (input: PsbtInput): string => (isFinal(input) ? 'already complete' : 'complete');

function nextText(tx: Transaction | undefined, hasSigned: boolean): string {
  if (tx) {
    return `complete: transaction ${formatTxid(txid(tx))}. Next: broadcast its hex, for example with sendrawtransaction`;
  }
  return hasSigned
    ? 'not complete yet. Next: pass the PSBT on to the next signer, or combine it with theirs (combinepsbt, then finalizepsbt)'
    : 'nothing was signed. Next: provide the keys of these inputs, or pass the PSBT on to their owners';
}

/** Why an input got no signature. */
const UNSIGNED: Readonly<Record<Exclude<SignedInput['status'], 'final'>, string>> = {
  asked: 'not signed: none of its keys is available',
  'no-coin': 'not signed: the coin that it spends is unknown',
  'sighash-mismatch': 'not signed: it asks for another sighash type',
  'sighash-undefined': 'not signed: its sighash type is undefined',
  'single-without-output': 'not signed: SINGLE needs an output with the index of the input',
  'unproven-legacy-coin': 'not signed: its previous transaction is missing',
};

function progressText(session: PsbtSession, { psbt, inputs }: SignedPsbt, index: number): string {
  const input = psbt.inputs[index] ?? {};
  const coin = session.coins[index]?.coin;
  const { status = 'no-coin', signed = [] } = inputs[index] ?? {};
  if (status === 'final') return 'final, but not a valid spend of its coin';
  const sighashType = input.sighashType ?? (coin ? usualType(coin, CURRENT_RULES) : 1);
  const held = coin ? inputSignatures(session, input, index, sighashType).held.filter(({ isValid }) => isValid) : [];
  const counts = coin ? countTexts(input, coin.scriptPubKey, held) : [];
  return [...(signed.length > 0 ? [] : [UNSIGNED[status]]), ...counts].join('; ');
}

/** Counts the valid signatures, with the required number if it is known; for taproot, leaf by leaf. */
function countTexts(input: PsbtInput, scriptPubKey: Uint8Array, held: readonly HeldSignature[]): readonly string[] {
  const { template } = unwrapRecords(scriptPubKey, input);
  const required = template.type === 'multisig' ? template.required : undefined;
  const isOfLeaf = ({ request }: HeldSignature): boolean =>
    request?.algorithm === 'schnorr' && request.path === 'script';
  const others = held.filter((signature) => !isOfLeaf(signature)).length;
  const leaves = (input.tapLeafScripts ?? []).map(({ script, leafVersion }) => {
    const leafHash = tapLeafHash(script, leafVersion);
    return { script, leafHash, count: held.filter((signature) => isForLeaf(signature, leafHash)).length };
  });
  return [
    ...(others > 0 ? [`${countText(others, required)} so far`] : []),
    ...leaves
      .filter(({ count }) => count > 0)
      .map(({ script, leafHash, count }) => {
        return `${countText(count, requiredOf(script))} so far for the leaf ${leafText(leafHash, script)}`;
      }),
  ];
}

function isForLeaf({ request }: HeldSignature, leafHash: Uint8Array): boolean {
  if (request?.algorithm !== 'schnorr' || request.path !== 'script') return false;
  return equalBytes(request.leafHash, leafHash);
}

/** Returns the number of signatures that a `multi_a` leaf requires; `undefined` for other leaves. */
function requiredOf(script: Uint8Array): number | undefined {
  const fragment = decodeMiniscript(script, () => undefined, 'tapscript')?.fragment;
  return fragment?.kind === 'multi_a' ? fragment.required : undefined;
}

function countText(count: number, required: number | undefined): string {
  if (required !== undefined) return `${count} of ${required} signatures`;
  return count === 1 ? '1 signature' : `${count} signatures`;
}
