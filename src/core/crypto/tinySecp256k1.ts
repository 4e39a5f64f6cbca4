import * as tiny from 'tiny-secp256k1';
import { adaptTinySecp256k1 } from './adaptTinySecp256k1.ts';
import type { Ecc } from './ecc.ts';

/** The optional dependency `tiny-secp256k1`: libsecp256k1 as WebAssembly. @see docs/library.md, "Faster arithmetic" */
export const tinySecp256k1Ecc: Ecc = /* @__PURE__ */ adaptTinySecp256k1(tiny);
