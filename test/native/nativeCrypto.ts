const library = new URL('../../src/', import.meta.url).pathname;
const here = (name: string): string => new URL(name, import.meta.url).pathname;

/**
 * A Vite plugin that gives the library libsecp256k1 and OpenSSL for its JavaScript: curve points and scrypt took most of
 * the time. Tests that import the JavaScript themselves get it.
 */
export const nativeCrypto = {
  name: 'native-crypto',
  enforce: 'pre',
  resolveId(source: string, importer?: string): string | undefined {
    if (!importer?.startsWith(library)) return undefined;
    if (source.endsWith('/nobleEcc.ts')) return here('ecc.ts');
    return source === '@noble/hashes/scrypt.js' ? here('scrypt.ts') : undefined;
  },
} as const;
