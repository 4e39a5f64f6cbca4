// Takes the place of tiny-secp256k1's own loader in countersign.mjs, which contains its WebAssembly.

import * as rand from '../../node_modules/tiny-secp256k1/lib/rand.js';
import readWasm from '../../node_modules/tiny-secp256k1/lib/secp256k1.wasm?bytes';
import * as fault from '../../node_modules/tiny-secp256k1/lib/validate_error.js';

const imports = { './rand.js': rand, './validate_error.js': fault };
export default new WebAssembly.Instance(new WebAssembly.Module(readWasm()), imports).exports;
