export { nativeSecp256k1Ecc as nobleEcc } from '../../src/crypto/nativeSecp256k1.ts';
