import { bytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { consensusVerifier, hasHighS } from '../crypto/ecdsa.ts';
import { type Context, decodeMiniscript } from '../descriptors/miniscript/index.ts';
import { hasOpcode } from '../script/instructions.ts';
import { keysNamedIn } from '../script/keysIn.ts';
import { OP_CODESEPARATOR } from '../script/opcodes.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';
import { type TapLeafHash, tapLeafHash } from '../script/tapTree.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { isTaprootSighashType, SIGHASH } from '../sighash/sighashType.ts';
import type { SignatureRequest } from '../signing/keySigner.ts';
import type { InputDigests } from '../signing/signatureCreator.ts';
import { commitsToLeaf } from '../signing/taprootCommitment.ts';
import type { PsbtInput } from './format/types.ts';
import { inputSignatureData } from './inputSignatureData.ts';
import { taprootOutputKey } from './requests.ts';
import { type EcdsaScript, ecdsaScript } from './scriptCodes.ts';
import { computeDigests, type PsbtSession, type SessionInput } from './session.ts';

/**
 * The verdict on a signature: `valid` for its key and the script that its coin commits to, `invalid`, with the cause if it
 * is known, or `unverifiable` for the given reason.
 */
export type SignatureVerdict =
  | { readonly state: 'valid' }
  | { readonly state: 'invalid'; readonly cause?: SignatureCause }
  | { readonly state: 'unverifiable'; readonly reason: UnverifiableReason };

/**
 * Reason why a signature cannot be verified: a record is missing; `leaf-uncommitted`: the coin does not commit to the
 * leaf; `code-separator`: the script has several digests; `key-unnamed`: the script, which is not a miniscript, does not name the key; `key-foreign`: the coin takes other keys.
 */
export type UnverifiableReason =
  | 'coin'
  | 'other-coins'
  | 'redeem-script'
  | 'witness-script'
  | 'leaf-script'
  | 'leaf-uncommitted'
  | 'code-separator'
  | 'key-unnamed'
  | 'key-foreign';

/**
 * What is wrong with a signature that does not count, where the signature itself shows it:
 *
 * - `high-s`: its s is in the upper half of the order, so that no node relays it
 * - `encoding`: not strict DER
 * - `type-missing`: it lacks the byte of the hash type for which it is valid
 * - `type-other`: it is valid for this hash type, but names another
 * - `legacy-digest`, `segwit-digest`: it signs this digest, and the coin takes the other
 * - `untweaked`: it is by the internal key, without the tweak of taproot
 *
 * @see BIP146 "LOW_S"; BIP66; BIP371 PSBT_IN_TAP_KEY_SIG; BIP143; BIP341 "Constructing and spending Taproot outputs"
 */
export type SignatureCause =
  | { readonly kind: 'high-s' | 'encoding' | 'legacy-digest' | 'segwit-digest' | 'untweaked' }
  | { readonly kind: 'type-missing' | 'type-other'; readonly sighashType: number };

export interface RecordedSignature {
  readonly algorithm: SignatureRequest['algorithm'];
  /** 33 or 65 bytes, or x-only; on the key path the coin's output key, if that is known. */
  readonly publicKey?: Uint8Array;
  readonly leafHash?: TapLeafHash;
  readonly signature: Uint8Array;
  readonly sighashType: number;
}

const VALID: SignatureVerdict = { state: 'valid' };
const INVALID: SignatureVerdict = { state: 'invalid' };
const lacks = (reason: UnverifiableReason): SignatureVerdict => ({ state: 'unverifiable', reason });

/**
 * Returns a verifier of an input's signatures, each for its own key and hash type, even if the script does not need
 * that key.
 * @see BIP143, BIP341 "Common signature message"
 */
export function signatureVerifier({
  session,
  input,
  index,
}: SessionInput): (recorded: RecordedSignature) => SignatureVerdict {
  const scriptPubKey = session.coins[index]?.coin.scriptPubKey;
  if (!scriptPubKey) return () => lacks('coin');
  const digests = cached((sighashType: number) => computeDigests(session, index, sighashType));
  const outputKey = taprootOutputKey(scriptPubKey);
  const script = ecdsaScript(scriptPubKey, input);
  const verifyEcdsa = script && ecdsaVerifier(script, session, digests);
  const verifySchnorr = outputKey && schnorrVerifier(leafFinder(input, outputKey, session.ecc), session, digests);
  return (recorded) => {
    const verify = recorded.algorithm === 'ecdsa' ? verifyEcdsa : verifySchnorr;
    const { publicKey } = recorded;
    // Skips undefined hash types: there may be many, and each costs work.
    return verify && publicKey && isWritten(recorded) ? verify({ ...recorded, publicKey }) : INVALID;
  };
}

/** DEFAULT must take no byte. */
const isWritten = ({ signature, sighashType }: Pick<RecordedSignature, 'signature' | 'sighashType'>): boolean =>
  sighashType === SIGHASH.DEFAULT ? signature.length === 64 : isTaprootSighashType(sighashType);

type FindDigests = (sighashType: number) => InputDigests | undefined;
type Verify = (signature: RecordedSignature & { readonly publicKey: Uint8Array }) => SignatureVerdict;

function ecdsaVerifier(script: EcdsaScript, { ecc }: PsbtSession, digests: FindDigests): Verify {
  if ('missing' in script) return () => lacks(script.missing);
  const { scriptCode, version } = script;
  const verify = consensusVerifier(ecc);
  const obstacleFor = obstaclesIn(scriptCode, 'wsh');
  const digest = cached((sighashType: number) => digests(sighashType)?.ecdsaDigest(scriptCode, sighashType, version));
  return ({ publicKey, signature, sighashType }) => {
    const obstacle = obstacleFor(publicKey);
    if (obstacle) return obstacle;
    const [committed, der] = [digest(sighashType), signature.subarray(0, -1)];
    if (!committed || !isStrictSignature(signature) || hasHighS(der)) return INVALID;
    return verify(der, committed, publicKey) ? VALID : INVALID;
  };
}

function schnorrVerifier(findLeaf: FindLeaf, { ecc }: PsbtSession, digests: FindDigests): Verify {
  return ({ publicKey, leafHash, signature, sighashType }) => {
    const leaf = leafHash && findLeaf(leafHash);
    const obstacle = leaf?.(publicKey);
    if (obstacle) return obstacle;
    const typeDigests = digests(sighashType);
    const digest = typeDigests?.schnorrDigest(leafHash);
    if (!digest) return typeDigests?.isLoneSingle ? INVALID : lacks('other-coins');
    if (ecc.verifySchnorr(signature.slice(0, 64), digest, publicKey)) return VALID;
    return leafHash && !leaf ? lacks('leaf-script') : INVALID;
  };
}

type FindObstacle = (publicKey: Uint8Array) => SignatureVerdict | undefined;
type FindLeaf = (leafHash: TapLeafHash) => FindObstacle | undefined;

/** With an OP_CODESEPARATOR, digests depend on which one has run. */
function obstaclesIn(script: Uint8Array, context: Context): FindObstacle {
  const isNamed = keysNamedIn(script);
  const hasSeparator = hasOpcode(script, OP_CODESEPARATOR);
  let unnamed: SignatureVerdict | undefined;
  return (publicKey) => {
    if (isNamed(publicKey)) return hasSeparator ? lacks('code-separator') : undefined;
    unnamed ??= lacks(namesAllKeys(script, context) ? 'key-foreign' : 'key-unnamed');
    return unnamed;
  };
}

/** Other scripts may compute a key, or take it from the witness. */
const namesAllKeys = (script: Uint8Array, context: Context): boolean =>
  NAMING.has(classifyScript(script).type) || decodeMiniscript(script, (hash) => hash, context) !== undefined;

const NAMING: ReadonlySet<ScriptTemplate['type']> = /* @__PURE__ */ new Set<ScriptTemplate['type']>([
  'pubkey',
  'pubkeyhash',
  'multisig',
]);

function leafFinder(input: PsbtInput, outputKey: Uint8Array, ecc: Ecc): FindLeaf {
  const obstacles = cached((script: Uint8Array) => obstaclesIn(script, 'tapscript'));
  const readLeaves = () => ({
    isCommitted: commitsToLeaf(inputSignatureData(input).taproot, outputKey, ecc),
    scripts: new Map(
      (input.tapLeafScripts ?? []).map((leaf) => [bytesKey(tapLeafHash(leaf.script, leaf.leafVersion)), leaf.script]),
    ),
  });
  let leaves: ReturnType<typeof readLeaves> | undefined;
  return (leafHash) => {
    leaves ??= readLeaves();
    const script = leaves.scripts.get(bytesKey(leafHash));
    return script && (leaves.isCommitted(leafHash) ? obstacles(script) : () => lacks('leaf-uncommitted'));
  };
}

function cached<K, T>(compute: (argument: K) => T): (argument: K) => T {
  const results = new Map<K, T>();
  return (argument) => {
    const result = results.get(argument) ?? compute(argument);
    results.set(argument, result);
    return result;
  };
}
