const main = { pubKeyHash: 0, scriptHash: 5, scriptHashAccepted: [] as readonly number[], hrp: 'bc' };
const test = { ...main, pubKeyHash: 111, scriptHash: 196, hrp: 'tb' };
const litecoin = { pubKeyHash: 48, scriptHash: 50, scriptHashAccepted: [5], hrp: 'ltc', mwebHrp: 'ltcmweb' };
const litecoinTest = { pubKeyHash: 111, scriptHash: 58, scriptHashAccepted: [196], hrp: 'tltc', mwebHrp: 'tmweb' };

/** The prefixes of the built-in networks, as members of `Network`. Error texts show addresses that begin with one. */
export const addressPrefixes = {
  main,
  test,
  regtest: { ...test, hrp: 'bcrt' },
  litecoin,
  litecoinTest,
  litecoinRegtest: { ...litecoinTest, hrp: 'rltc' },
};

/** The prefixes of silent payments, by the prefix that segwit addresses have. Regtest's is that of Bitcoin Core. */
export const silentPaymentPrefixes: Readonly<Record<string, string>> = { bc: 'sp', tb: 'tsp', bcrt: 'sprt' };
