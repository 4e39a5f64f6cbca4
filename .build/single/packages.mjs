// Takes the place of src/shell/cli/packages.ts in countersign.mjs, which contains tiny-secp256k1. Other packages must be asked for:
// a checksum of the program does not cover them.
import { createRequire } from 'node:module';
import { version } from '../../node_modules/tiny-secp256k1/package.json';

const CONTAINED = 'tiny-secp256k1';
const requireInstalled = createRequire(import.meta.url);

export const installedPackages = {
  has: (path) => path === CONTAINED,
  load: (path) => (path === CONTAINED ? require('tiny-secp256k1') : requireInstalled(path)),
  version: (path) => (path === CONTAINED ? version : requireInstalled(`${path.split('/')[0]}/package.json`).version),
};
