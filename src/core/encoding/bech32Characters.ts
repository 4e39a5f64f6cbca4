/** The characters of Bech32, and of the checksums of descriptors, in the order of their values. @see BIP173 "Bech32", BIP380 "Checksum" */
export const BECH32_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
