import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { consensusVerifier, hasHighS, standardDer } from '../crypto/ecdsa.ts';
import { isStrictDer, isStrictSignature } from '../script/signatureEncoding.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import { ecdsaScript } from './scriptCodes.ts';
import { computeDigests, type SessionInput } from './session.ts';
import { type RecordedSignature, type SignatureCause, signatureVerifier } from './signatureVerifier.ts';

/** Takes a signature that is invalid. */
export type FindCause = (recorded: RecordedSignature) => SignatureCause | undefined;

/** Finds causes in one input of a PSBT. */
export type CauseFinder = (sessionInput: SessionInput) => FindCause;

/** The invalid signatures that are examined in a PSBT. Each costs up to eight verifications, and a digest for each. */
const EXAMINED = 20;

/** For one PSBT: of many invalid signatures, only the first are examined. */
export function createCauseFinder(): CauseFinder {
  let left = EXAMINED;
  return (sessionInput) => {
    let find: FindCause | undefined;
    return (recorded) => {
      if (left === 0) return undefined;
      left -= 1;
      find ??= inputCauses(sessionInput);
      return find(recorded);
    };
  };
}

/** Finds the first change that makes a signature valid. */
function inputCauses(sessionInput: SessionInput): FindCause {
  const { sighashType, tapInternalKey } = sessionInput.input;
  const verify = signatureVerifier(sessionInput);
  const isOtherDigest = otherDigestTest(sessionInput);
  return (recorded) => {
    const isValid = ({ changed }: Repair): boolean => verify({ ...recorded, ...changed }).state === 'valid';
    if (recorded.algorithm === 'schnorr') {
      return schnorrRepairs(recorded, sighashType, tapInternalKey).find(isValid)?.cause;
    }
    return ecdsaRepairs(recorded, sighashType).find(isValid)?.cause ?? isOtherDigest(recorded);
  };
}

interface Repair {
  readonly cause: SignatureCause;
  readonly changed: Partial<RecordedSignature>;
}

/** DEFAULT is not among them: no byte names it. */
const TYPES: readonly number[] = /* @__PURE__ */ [SIGHASH.ALL, SIGHASH.NONE, SIGHASH.SINGLE].flatMap((type) => [
  type,
  type | SIGHASH.ANYONECANPAY,
]);

const typesFrom = (asked: number = SIGHASH.ALL): readonly number[] => [
  ...TYPES.filter((type) => type === asked),
  ...TYPES.filter((type) => type !== asked),
];

const withType = (bare: Uint8Array, sighashType: number): Partial<RecordedSignature> => ({
  signature: concatBytes(bare, Uint8Array.of(sighashType)),
  sighashType,
});

function ecdsaRepairs({ signature, sighashType: own }: RecordedSignature, asked?: number): readonly Repair[] {
  if (isStrictDer(concatBytes(signature, Uint8Array.of(SIGHASH.ALL)))) {
    return typesFrom(asked).map((sighashType) => ({
      cause: { kind: 'type-missing', sighashType },
      changed: withType(signature, sighashType),
    }));
  }
  const der = signature.subarray(0, -1);
  const standard = standardDer(der);
  if (!standard) return [];
  if (!equalBytes(standard, der)) {
    const cause = { kind: hasHighS(der) ? 'high-s' : 'encoding' } as const;
    return [{ cause, changed: withType(standard, own) }];
  }
  return typesFrom(asked)
    .filter((sighashType) => sighashType !== own)
    .map((sighashType) => ({ cause: { kind: 'type-other', sighashType }, changed: withType(der, sighashType) }));
}

function schnorrRepairs(
  { signature, sighashType: own, leafHash }: RecordedSignature,
  asked: number | undefined,
  internalKey: Uint8Array | undefined,
): readonly Repair[] {
  const bare = signature.subarray(0, 64);
  const kind = signature.length === 64 ? 'type-missing' : 'type-other';
  const types = typesFrom(asked).filter((sighashType) => kind === 'type-missing' || sighashType !== own);
  return [
    ...(internalKey && !leafHash
      ? [{ cause: { kind: 'untweaked' } as const, changed: { publicKey: internalKey } }]
      : []),
    ...types.map((sighashType): Repair => ({ cause: { kind, sighashType }, changed: withType(bare, sighashType) })),
    ...(signature.length > 64
      ? [
          {
            cause: { kind, sighashType: SIGHASH.DEFAULT } as const,
            changed: { signature: bare, sighashType: SIGHASH.DEFAULT },
          },
        ]
      : []),
  ];
}

/** Signers that take a coin for legacy sign the script that it leads to, or the one that its address has. */
function otherDigestTest({ session, input, index }: SessionInput): FindCause {
  const scriptPubKey = session.coins[index]?.coin.scriptPubKey;
  const script = scriptPubKey && ecdsaScript(scriptPubKey, input);
  if (!script || 'missing' in script) return () => undefined;
  const isLegacy = script.version === 'base';
  const version = isLegacy ? 'witness-v0' : 'base';
  const scriptCodes = isLegacy ? [script.scriptCode] : [script.scriptCode, input.redeemScript ?? scriptPubKey];
  const cause: SignatureCause = { kind: isLegacy ? 'segwit-digest' : 'legacy-digest' };
  const verify = consensusVerifier(session.ecc);
  const byType = new Map<number, readonly Uint8Array[]>();
  const compute = (sighashType: number): readonly Uint8Array[] => {
    const digests = computeDigests(session, index, sighashType);
    return digests ? scriptCodes.map((scriptCode) => digests.ecdsaDigest(scriptCode, sighashType, version)) : [];
  };
  return ({ publicKey, signature, sighashType }) => {
    const der = signature.subarray(0, -1);
    if (!publicKey || !isStrictSignature(signature) || hasHighS(der)) return undefined;
    const digests = byType.get(sighashType) ?? compute(sighashType);
    byType.set(sighashType, digests);
    return digests.some((digest) => verify(der, digest, publicKey)) ? cause : undefined;
  };
}
