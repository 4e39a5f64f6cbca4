// Imports go up this list only: a folder knows those before it, and itself.
const layers = [
  'errors',
  'bytes',
  'crypto',
  'encoding',
  'network',
  'script',
  'generations',
  'tx',
  'address',
  'keys',
  'sighash',
  'interpreter',
  'descriptors',
  'signing',
  'psbt',
  'review',
  'account',
  'chain',
  'wallet',
  'node',
  'rpc',
  'terminal',
  'store',
  'server',
  'workers',
  'sync',
  'cli',
];

const upward = layers.slice(0, -1).map((layer, i) => ({
  name: `${layer}-imports-only-lower`,
  severity: 'error',
  from: { path: `^src/${layer}[/.]` },
  to: { path: `^src/(${layers.slice(i + 1).join('|')})[/.]` },
}));

module.exports = {
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', '^dist/'] },
  },
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'faces-are-for-outsiders',
      comment: 'An index.ts is what others see of a folder; inside src, files import files.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/index[.]ts$' },
      to: { path: '^src/[a-z]+/index[.]ts$' },
    },
    {
      name: 'noble-only-in-crypto',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/crypto/' },
      to: { path: 'node_modules/@noble/' },
    },
    {
      name: 'scure-base-only-in-encoding',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/encoding/' },
      to: { path: 'node_modules/@scure/base' },
    },
    {
      name: 'bip39-only-for-seed-words',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/keys/seedWords[.]ts$' },
      to: { path: 'node_modules/@scure/bip39' },
    },
    {
      name: 'optional-arithmetic-is-asked-for',
      comment: 'Nothing but its own subpath imports an optional library; the command line loads one when it needs it.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/crypto/(native|tiny)Secp256k1[.]ts$' },
    },
    {
      name: 'optional-peers-only-in-their-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/crypto/(native|tiny|adaptNative|adaptTiny)Secp256k1[.]ts$' },
      to: { path: 'node_modules/(tiny-)?secp256k1/' },
    },
    {
      name: 'core-is-pure',
      comment: 'No file, socket, clock or environment below the shell.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(terminal|store|server|workers|sync|cli)/' },
      to: { dependencyTypes: ['core'] },
    },
    ...upward,
  ],
};
