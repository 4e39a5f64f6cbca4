/// <reference path="./secp256k1Bindings.d.ts" />
import secp256k1 from 'secp256k1/bindings.js';
import { adaptNativeSecp256k1 } from './adaptNativeSecp256k1.ts';
import type { Ecc } from './ecc.ts';

/**
 * The optional peer dependency `secp256k1`: libsecp256k1 as a native addon for Node.
 * @see docs/library.md, "Faster arithmetic"
 */
export const nativeSecp256k1Ecc: Ecc = /* @__PURE__ */ adaptNativeSecp256k1(secp256k1);
