export { sha3_256 as sha3 } from '@noble/hashes/sha3.js';
