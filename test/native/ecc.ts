export { nativeSecp256k1Ecc as nobleEcc } from '../../src/core/crypto/nativeSecp256k1.ts';
