// Keys that everyone knows and a coin that does not exist: for the examples only.

export const seedWords =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

/** The master key of the same seed phrase. */
export const masterXprv =
  'tprv8ZgxMBicQKsPe5YMU9gHen4Ez3ApihUfykaqUorj9t6FDqy3nP6eoXiAo2ssvpAjoLroQxHqr3R5nE3a5dU3DHTjTgJDd7zrbniJr6nrCzd';

/** Three cosigners: the origin and path of each key, and the key, private and public. */
export const cosigners = [
  cosigner(
    '4ba43603',
    'tprv8hFctGb1osu2xgPgzZjcWA7mP1YGWJNCqrjPSLttbyUFVhjjP4Q84LDPUHb6iQQHE1tnCKT1bDhnni2m77be58zhqTdcXjj5w3QXMHC1ffo',
    'tpubDDwf2gdFxFahr9RUtDQCuZmsx34CfdZ7RALAirwC2FGeLBzW1TDiEpqFeRdxLdZD7rfsbZHYwSaT6CLM3TAcYRw6xfRv4U6KCQt4Zuhvjkz',
  ),
  cosigner(
    '8dfc9b34',
    'tprv8hqggcQFZL9VTHsAmqb6KdY2n1w66nmRRi7si2div2NGBZpn7zAFdXhHHhkpDJf7h9jHng3dSUAgmdKfSE4JZW5sP9APcdiTWfyWSpnkAK6',
    'tpubDEXiq2SVhhqALktxfVFgj3C9M3T2G7xL11iezYg2LJAf245YkNyqp2K9TrvHABDCp2232k34UegU4aKEtUZNigit8EEqoLNe2JKMzMiLwYq',
  ),
  cosigner(
    '56c4fac3',
    'tprv8hz1cRonbRPyyDiWhcAptWYi9n5Bn5vP8kTWqT6pgzCujBMDYyPWw2hboGXVM4nTZXtdyFpoV3tvv7d3E3hExXBbzmGsEgz4FUdHPxJc2bR',
    'tpubDEg3kqr2jo5ergkJbFqRHvCpiob7wR7Hi44J7y987G1JZfbzBND77XKTyPZzGvh3uyDf8kexMJnFD9W8FuraJ4wLMsx6YuZVXRSRRcx6QdD',
  ),
] as const;

function cosigner(fingerprint: string, xprv: string, xpub: string): { readonly xprv: string; readonly xpub: string } {
  const origin = `[${fingerprint}/48h/1h/0h/2h]`;
  return { xprv: `${origin}${xprv}/<0;1>/*`, xpub: `${origin}${xpub}/<0;1>/*` };
}

export const coinTxid = '7c3b1a0c6a4d5b0e1c9c8e7f6a5b4c3d2e1f00112233445566778899aabbccdd';

export const destination = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
