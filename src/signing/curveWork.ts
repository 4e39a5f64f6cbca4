import { copyBytes, equalBytes } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { signLowR } from './keySigner.ts';

/**
 * A signature to make or to verify. It can be done before the call that needs it, on another thread, since no later
 * operation depends on its result.
 */
export type CurveOperation =
  | {
      readonly kind: 'sign-ecdsa' | 'sign-schnorr';
      /** 32 bytes. */
      readonly digest: Uint8Array;
      readonly secretKey: Uint8Array;
      /** The key to check the signature with; x-only for Schnorr. */
      readonly publicKey: Uint8Array;
      /** 32 bytes, for Schnorr. */
      readonly auxRand: Uint8Array;
    }
  | {
      readonly kind: 'verify-ecdsa' | 'verify-schnorr';
      readonly signature: Uint8Array;
      readonly digest: Uint8Array;
      readonly publicKey: Uint8Array;
    };

type OperationName = 'signEcdsa' | 'signSchnorr' | 'isOwnEcdsa' | 'isOwnSchnorr' | 'verifyEcdsa' | 'verifySchnorr';
type Given = readonly (Uint8Array | undefined)[];

/** The result of a function of {@link Ecc}, with its arguments, secret keys included. */
export interface CurveResult {
  readonly name: OperationName;
  readonly given: Given;
  readonly result: Uint8Array | boolean;
}

/** Takes the place of a function of {@link Ecc}; `compute` calls the function. */
type Wrap = <R extends Uint8Array | boolean>(name: OperationName, given: Given, compute: () => R) => R;

/** Wraps the functions that make and verify signatures. */
function wrapEcc(ecc: Ecc, wrap: Wrap): Ecc {
  return {
    ...ecc,
    signEcdsa: (...given) => wrap('signEcdsa', given, () => ecc.signEcdsa(...given)),
    signSchnorr: (...given) => wrap('signSchnorr', given, () => ecc.signSchnorr(...given)),
    verifyEcdsa: (...given) => wrap('verifyEcdsa', given, () => ecc.verifyEcdsa(...given)),
    verifySchnorr: (...given) => wrap('verifySchnorr', given, () => ecc.verifySchnorr(...given)),
    isOwnEcdsa: (signature, digest, key) =>
      wrap('isOwnEcdsa', [signature, digest, key.secretKey, key.publicKey], () =>
        ecc.isOwnEcdsa(signature, digest, key),
      ),
    isOwnSchnorr: (signature, digest, key) =>
      wrap('isOwnSchnorr', [signature, digest, key.secretKey, key.publicKey], () =>
        ecc.isOwnSchnorr(signature, digest, key),
      ),
  };
}

/** Stands in for a signature during a rehearsal: r and s are 1. */
const PLACEHOLDER = /* @__PURE__ */ new Uint8Array(64).map((_, i) => (i % 32 === 31 ? 1 : 0));
const NOTHING = /* @__PURE__ */ new Uint8Array(0);

/**
 * Makes a backend for rehearsals: it signs with a placeholder, takes every signature for valid, and lists the operations
 * that the real call will need. Transactions that it signs are worthless.
 */
export function rehearsalEcc(ecc: Ecc): { readonly ecc: Ecc; readonly operations: readonly CurveOperation[] } {
  const operations: CurveOperation[] = [];
  // Copies: to send a part of an array to another thread is to send the whole array.
  const add = (operation: CurveOperation): void => {
    const copies = Object.entries(operation).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? copyBytes(value) : value,
    ]);
    operations.push(Object.fromEntries(copies));
  };
  let auxRand: Uint8Array = NOTHING;
  const wrap = (name: OperationName, [first = NOTHING, digest = NOTHING, third, publicKey = NOTHING]: Given) => {
    switch (name) {
      case 'signSchnorr':
        auxRand = third ?? NOTHING;
        return PLACEHOLDER;
      case 'signEcdsa':
        return PLACEHOLDER;
      case 'isOwnEcdsa':
        add({ kind: 'sign-ecdsa', digest, secretKey: third ?? NOTHING, publicKey, auxRand: NOTHING });
        return true;
      case 'isOwnSchnorr':
        add({ kind: 'sign-schnorr', digest, secretKey: third ?? NOTHING, publicKey, auxRand });
        return true;
      default: {
        const kind = name === 'verifyEcdsa' ? 'verify-ecdsa' : 'verify-schnorr';
        const isReal = !equalBytes(first, PLACEHOLDER);
        if (isReal) add({ kind, signature: first, digest, publicKey: third ?? NOTHING });
        return true;
      }
    }
  };
  const { ecdsaKeys: _, ...rest } = wrapEcc(ecc, wrap as Wrap);
  return { ecc: rest, operations };
}

/** Does operations, and returns the results that a call will look for. @throws as the functions of `Ecc` */
export function computeOperations(operations: readonly CurveOperation[], ecc: Ecc): readonly CurveResult[] {
  const results: CurveResult[] = [];
  const recording = wrapEcc(ecc, (name, given, compute) => {
    const result = compute();
    results.push({ name, given, result });
    return result;
  });
  for (const operation of operations) compute(operation, recording);
  return results;
}

function compute(operation: CurveOperation, ecc: Ecc): void {
  const { kind, digest, publicKey } = operation;
  switch (kind) {
    case 'sign-ecdsa': {
      const signature = signLowR(ecc, digest, operation.secretKey);
      ecc.isOwnEcdsa(signature, digest, withSecretKey({ publicKey }, operation.secretKey));
      break;
    }
    case 'sign-schnorr': {
      const signature = ecc.signSchnorr(digest, operation.secretKey, operation.auxRand);
      ecc.isOwnSchnorr(signature, digest, withSecretKey({ publicKey }, operation.secretKey));
      break;
    }
    case 'verify-ecdsa':
      ecc.verifyEcdsa(operation.signature, digest, publicKey);
      break;
    case 'verify-schnorr':
      ecc.verifySchnorr(operation.signature, digest, publicKey);
  }
}

/** A backend that need not compute what is known already. */
export interface PreparedEcc {
  readonly ecc: Ecc;
  /** Runs work, for which the results are known. They are forgotten afterwards. */
  readonly withResults: <T>(results: readonly CurveResult[], work: () => T) => T;
}

/** Adds known results to a backend, which computes everything else. */
export function preparedEcc(ecc: Ecc): PreparedEcc {
  let known: readonly CurveResult[] = [];
  let next = 0;
  const isWanted = (candidate: CurveResult | undefined, name: OperationName, given: Given): boolean =>
    candidate?.name === name &&
    candidate.given.length === given.length &&
    given.every((part, i) => {
      const other = candidate.given[i];
      return part && other ? equalBytes(part, other) : part === other;
    });
  const wrap = (name: OperationName, given: Given, compute: () => Uint8Array | boolean): Uint8Array | boolean => {
    // Operations come in the order of the rehearsal, but for the tries that ended in a low R.
    const index = isWanted(known[next], name, given) ? next : known.findIndex((other) => isWanted(other, name, given));
    const found = known[index];
    if (!found) return compute();
    next = index + 1;
    return found.result;
  };
  return {
    ecc: wrapEcc(ecc, wrap as Wrap),
    withResults: (results, work) => {
      [known, next] = [results, 0];
      try {
        return work();
      } finally {
        [known, next] = [[], 0];
      }
    },
  };
}
