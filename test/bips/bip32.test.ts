import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { tinySecp256k1Ecc } from '../../src/core/crypto/tinySecp256k1.ts';
import {
  deriveChild,
  derivePath,
  type Ecc,
  type ExtendedKey,
  formatHex,
  formatXprv,
  formatXpub,
  isHardened,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  parseExtendedKey,
  parseHex,
  parsePath,
} from '../support/library.ts';
import { expectRefusal, refusalOf } from '../support/refusal.ts';

const { main, regtest, litecoin } = networks;

/** BIP32's test vectors 1 to 4: a seed, then rows of a path, the extended public and the extended private key. */
type VectorKey = readonly [path: string, xpub: string, xprv: string];
const VECTORS: readonly (readonly [seed: string, keys: readonly VectorKey[]])[] = [
  [
    '000102030405060708090a0b0c0d0e0f',
    [
      [
        'm',
        'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
        'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
      ],
      [
        'm/0h',
        'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
        'xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7',
      ],
      [
        'm/0h/1',
        'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
        'xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs',
      ],
      [
        'm/0h/1/2h',
        'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
        'xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM',
      ],
      [
        'm/0h/1/2h/2',
        'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
        'xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334',
      ],
      [
        'm/0h/1/2h/2/1000000000',
        'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
        'xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76',
      ],
    ],
  ],
  [
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    [
      [
        'm',
        'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
        'xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U',
      ],
      [
        'm/0',
        'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
        'xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt',
      ],
      [
        'm/0/2147483647h',
        'xpub6ASAVgeehLbnwdqV6UKMHVzgqAG8Gr6riv3Fxxpj8ksbH9ebxaEyBLZ85ySDhKiLDBrQSARLq1uNRts8RuJiHjaDMBU4Zn9h8LZNnBC5y4a',
        'xprv9wSp6B7kry3Vj9m1zSnLvN3xH8RdsPP1Mh7fAaR7aRLcQMKTR2vidYEeEg2mUCTAwCd6vnxVrcjfy2kRgVsFawNzmjuHc2YmYRmagcEPdU9',
      ],
      [
        'm/0/2147483647h/1',
        'xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon',
        'xprv9zFnWC6h2cLgpmSA46vutJzBcfJ8yaJGg8cX1e5StJh45BBciYTRXSd25UEPVuesF9yog62tGAQtHjXajPPdbRCHuWS6T8XA2ECKADdw4Ef',
      ],
      [
        'm/0/2147483647h/1/2147483646h',
        'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL',
        'xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc',
      ],
      [
        'm/0/2147483647h/1/2147483646h/2',
        'xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt',
        'xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j',
      ],
    ],
  ],
  [
    '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
    [
      [
        'm',
        'xpub661MyMwAqRbcEZVB4dScxMAdx6d4nFc9nvyvH3v4gJL378CSRZiYmhRoP7mBy6gSPSCYk6SzXPTf3ND1cZAceL7SfJ1Z3GC8vBgp2epUt13',
        'xprv9s21ZrQH143K25QhxbucbDDuQ4naNntJRi4KUfWT7xo4EKsHt2QJDu7KXp1A3u7Bi1j8ph3EGsZ9Xvz9dGuVrtHHs7pXeTzjuxBrCmmhgC6',
      ],
      [
        'm/0h',
        'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y',
        'xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6vcBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L',
      ],
    ],
  ],
  [
    '3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678',
    [
      [
        'm',
        'xpub661MyMwAqRbcGczjuMoRm6dXaLDEhW1u34gKenbeYqAix21mdUKJyuyu5F1rzYGVxyL6tmgBUAEPrEz92mBXjByMRiJdba9wpnN37RLLAXa',
        'xprv9s21ZrQH143K48vGoLGRPxgo2JNkJ3J3fqkirQC2zVdk5Dgd5w14S7fRDyHH4dWNHUgkvsvNDCkvAwcSHNAQwhwgNMgZhLtQC63zxwhQmRv',
      ],
      [
        'm/0h',
        'xpub69AUMk3qDBi3uW1sXgjCmVjJ2G6WQoYSnNHyzkmdCHEhSZ4tBok37xfFEqHd2AddP56Tqp4o56AePAgCjYdvpW2PU2jbUPFKsav5ut6Ch1m',
        'xprv9vB7xEWwNp9kh1wQRfCCQMnZUEG21LpbR9NPCNN1dwhiZkjjeGRnaALmPXCX7SgjFTiCTT6bXes17boXtjq3xLpcDjzEuGLQBM5ohqkao9G',
      ],
      [
        'm/0h/1h',
        'xpub6BJA1jSqiukeaesWfxe6sNK9CCGaujFFSJLomWHprUL9DePQ4JDkM5d88n49sMGJxrhpjazuXYWdMf17C9T5XnxkopaeS7jGk1GyyVziaMt',
        'xprv9xJocDuwtYCMNAo3Zw76WENQeAS6WGXQ55RCy7tDJ8oALr4FWkuVoHJeHVAcAqiZLE7Je3vZJHxspZdFHfnBEjHqU5hG1Jaj32dVoS6XLT1',
      ],
    ],
  ],
];

const ARITHMETIC: readonly (readonly [string, Ecc])[] = [
  ['@noble/secp256k1', nobleEcc],
  ['tiny-secp256k1', tinySecp256k1Ecc],
  ['secp256k1', nativeSecp256k1Ecc],
];

const xprvOf = (key: ExtendedKey): string => formatXprv(key, main);
const xpubOf = (key: ExtendedKey): string => formatXpub(key, main);

describe.each(ARITHMETIC)('BIP32 test vectors with %s', (_, ecc) => {
  test.each(VECTORS)('pass for the seed %s', (seed, keys) => {
    const master = masterKey(parseHex(seed), { ecc });
    for (const [i, [path, xpub, xprv]] of keys.entries()) {
      const key = derivePath(master, parsePath(path), { ecc });
      expect([xpubOf(key), xprvOf(key)]).toEqual([xpub, xprv]);
      expect(parseExtendedKey(xprv, main, { ecc })).toEqual(key);
      expect(parseExtendedKey(xpub, main, { ecc })).toEqual(neuter(key));
      expect(xpubOf(neuter(key))).toBe(xpub);
      // Each key can also be derived from the previous one, its parent.
      const last = parsePath(path).at(-1);
      const parent = parseExtendedKey(keys[i - 1]?.[isHardened(last ?? 0) ? 2 : 1] ?? xprv, main, { ecc });
      if (last !== undefined) expect(xpubOf(deriveChild(parent, last, { ecc }))).toBe(xpub);
      if (last !== undefined) expect(key.parentFingerprint).toEqual(keyFingerprint(parent));
    }
  });
});

// BIP32's test vector 5, the invalid keys.
const INVALID: readonly (readonly [what: string, text: string, reason: string])[] = [
  [
    'public version, private key',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm',
    'public key',
  ],
  [
    'private version, public key',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWvSQaaBv5cxi9gafk7NF3pnBju6dwKvH',
    'private key',
  ],
  [
    'public key prefix 04',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn',
    'public key',
  ],
  [
    'private key prefix 04',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGpWnsj83BHtEy5Zt8CcDr1UiRXuWCmTQLxEK9vbz5gPstX92JQ',
    'private key',
  ],
  [
    'public key prefix 01',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4',
    'public key',
  ],
  [
    'private key prefix 01',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD9y5gkZ6Eq3Rjuahrv17fEQ3Qen6J',
    'private key',
  ],
  [
    'depth 0 with a parent, private',
    'xprv9s2SPatNQ9Vc6GTbVMFPFo7jsaZySyzk7L8n2uqKXJen3KUmvQNTuLh3fhZMBoG3G4ZW1N2kZuHEPY53qmbZzCHshoQnNf4GvELZfqTUrcv',
    'parent of a master key',
  ],
  [
    'depth 0 with a parent, public',
    'xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ',
    'parent of a master key',
  ],
  [
    'depth 0 with a number, private',
    'xprv9s21ZrQH4r4TsiLvyLXqM9P7k1K3EYhA1kkD6xuquB5i39AU8KF42acDyL3qsDbU9NmZn6MsGSUYZEsuoePmjzsB3eFKSUEh3Gu1N3cqVUN',
    'parent of a master key',
  ],
  [
    'depth 0 with a number, public',
    'xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8',
    'parent of a master key',
  ],
  [
    'unknown version, public',
    'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHGMQzT7ayAmfo4z3gY5KfbrZWZ6St24UVf2Qgo6oujFktLHdHY4',
    'version',
  ],
  [
    'unknown version, private',
    'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHPmHJiEDXkTiJTVV9rHEBUem2mwVbbNfvT2MTcAqj3nesx8uBf9',
    'version',
  ],
  [
    'private key 0',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzF93Y5wvzdUayhgkkFoicQZcP3y52uPPxFnfoLZB21Teqt1VvEHx',
    'private key',
  ],
  [
    'private key n',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD5SDKr24z3aiUvKr9bJpdrcLg1y3G',
    'private key',
  ],
  [
    'public key that is no point',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY',
    'public key',
  ],
  [
    'wrong checksum',
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHL',
    'checksum',
  ],
];

const MASTER = masterKey(parseHex('000102030405060708090a0b0c0d0e0f'));
const [XPUB, XPRV] = [xpubOf(MASTER), xprvOf(MASTER)];
const TPRV = formatXprv(MASTER, regtest);

function expectSilentRefusal(text: string, run: () => unknown, code: string, reason: string): void {
  const refusal = refusalOf(run);
  expect({ code: refusal.code, data: refusal.data }).toEqual({ code, data: { reason } });
  const told = [refusal.message, refusal.stack, JSON.stringify(refusal), String(refusal.cause)].join('\n');
  if (text.length > 8) expect(told).not.toContain(text);
  expect(told).not.toContain(formatHex(MASTER.secretKey ?? new Uint8Array(0)));
}

describe('extended keys are refused', () => {
  test('in all 16 rows of test vector 5', () => expect(INVALID).toHaveLength(16));
  test.each(INVALID)('for %s', (_, text, reason) => {
    const code = reason === 'checksum' ? 'base58/invalid' : 'xkey/invalid';
    for (const network of [main, litecoin])
      expectSilentRefusal(text, () => parseExtendedKey(text, network), code, reason);
  });

  test.each([
    ['an empty text', '', 'base58/invalid', 'checksum'],
    ["another network's public key", formatXpub(MASTER, regtest), 'xkey/invalid', 'version'],
    ["another network's private key", TPRV, 'xkey/invalid', 'version'],
    ['a missing character', XPRV.slice(0, -1), 'base58/invalid', 'checksum'],
    ['a bad character', XPRV.replace('L', '0'), 'base58/invalid', 'character'],
    ['WIF', 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617', 'xkey/invalid', 'length'],
    ['a very long text', 'z'.repeat(1_000_000), 'base58/invalid', 'character'],
  ])('for %s', (_, text, code, reason) => {
    expectSilentRefusal(text, () => parseExtendedKey(text, main), code, reason);
  });

  test("if they have another network's version bytes", () => {
    expect([TPRV.slice(0, 4), formatXpub(MASTER, regtest).slice(0, 4)]).toEqual(['tprv', 'tpub']);
    expect(parseExtendedKey(TPRV, regtest)).toEqual(MASTER);
    expectRefusal(() => parseExtendedKey(XPUB, regtest), 'xkey/invalid', { reason: 'version' });
  });

  test.each([0, 15, 65, 1000])('for a seed of %i bytes', (size) => {
    expectRefusal(() => masterKey(new Uint8Array(size)), 'xkey/invalid', { reason: 'seed' });
  });

  test.each([16, 32, 64])('but not for a seed of %i bytes', (size) => {
    expect(masterKey(new Uint8Array(size)).depth).toBe(0);
  });
});
