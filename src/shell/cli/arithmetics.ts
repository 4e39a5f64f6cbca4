/** The libraries that compute with keys and signatures, fastest first. */
export const ARITHMETICS: readonly string[] = ['native', 'wasm', 'noble'];
