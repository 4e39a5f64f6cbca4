import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../../src/core/bytes/compare.ts';
import type { Ecc } from '../../../src/core/crypto/ecc.ts';
import { hash160 } from '../../../src/core/crypto/hash.ts';
import { inputSignatures } from '../../../src/core/psbt/heldSignatures.ts';
import { beginSession, computeDigests } from '../../../src/core/psbt/session.ts';
import { createCauseFinder } from '../../../src/core/psbt/signatureCause.ts';
import type { SignatureCause } from '../../../src/core/psbt/signatureVerifier.ts';
import { payToPubkeyHash } from '../../../src/core/script/build.ts';
import { campaign } from '../../support/campaign.ts';
import {
  finalizePsbt,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  parsePsbt,
  reviewToJson,
  SIGHASH,
  signingRequests,
} from '../../support/library.ts';
import {
  ALICE,
  findingsOf,
  payment,
  review,
  sign,
  WALLETS,
  type WalletName,
  withInput,
  withOutput,
  without,
} from '../../support/psbts.ts';

/** Of other programs. */
const REAL = {
  // btcd, psbt_test.go, TestFinalizerAddSigHashFlags: 64 bytes of an lnd node, for the type in the record.
  typeMissing:
    'cHNidP8BAF4CAAAAAZPpiOnuv+UcDzYnQaqrHgaZF1yDz9gIfEoG4k47gLwiAAAAAAD/////AZsNAAAAAAAAIlEgnB9LeXDXkMmbcmW1Ot7ANVFwj9fWfbeDWfnEcv5kKtEAAAAAAAEBK2MOAAAAAAAAIlEgnB9LeXDXkMmbcmW1Ot7ANVFwj9fWfbeDWfnEcv5kKtEBAwQBAAAAARNA7goDsBDlFeOFU9TZbGWp1gktBnVsR8FsVnTDveatDBUfbUB0YB88KWfxLDtiS0ATWR5lRYqLX4C5amExMs7juwEXIGsaSHZGTWv8anwQbdTFoPCK+UtFqCAOR+AqfcYUj9ewAAA=',
  // Coldcard, testing/test_multisig.py: a P2SH-P2WSH coin that the device took for P2SH (electrum#6743).
  legacyDigest:
    'cHNidP8BAFICAAAAAb3gW+NgaeLg/kR5PGitgkS7GlLMN/FS4PpbdeQBadf3AAAAAAD9////AYseAAAAAAAAFgAU7VGA8Fx7HcmAcyYCxQzaQFMOAK1N4RwATwECQonvAAAAAAAAAAAAfdVl2n7hzwXFFuiaYIlo/tSiRQYzoAx7ki32ayev0uEDOgpPpLCpl3OKwvFCo5XB8Cr8sx1//UapCgySekxBH9cECU73hE8BAkKJ7wQx/L3MgAAAARLUqupykueHDH7rNWX6HB+o+Vf6fEwktBHVtPVxDTWaAj5j0eVAY1Jb6ihsyyoK17FFYKox7EvoJq+ogxQd/h1TFFyeIo0wAACAAQAAgAAAAIABAACATwECQonvBORLOPGAAAABShlg86PIa6NVoWpmpUjPti7rJWYzEffNZioZKJbzd34DjMWVFZo5Xk7DXkd8lSOhUS+HPnTTA/sD/JoVA7G6RScUNGUvrjAAAIABAACAAAAAgAEAAIAAAQDfAgAAAAABAdGjIXB2YHacf4YE0Eya4ttYzx7HoB9PKFzcuyXOFL39AwAAAAD9////AkAfAAAAAAAAF6kUv9C4Rxo3BsHheHCk05sDVLzqV7aHyGQAAAAAAAAWABTmCLFx1j7CTZ+iUtXB5FYksU5EcAJHMEQCIFEz65bfFnuJX2V8zjHGiChApAMBNoLZ1GUa7Scwp9rVAiAqqswEXYXZxxGvDITn81XMGL8vjm2Rd01CuiTehBijngEhA6WNjrMlq7QS6vknzxHYt2QcSkaM5BIFfkeJLKLRPtYUTeEcACICA0IRqw91w6MHova/bwmp4F08jt0Lp6KsMfQy0QRe9jgZSDBFAiEAqF0I7vZnWAP+K1jdoRpVNkEIDgfaNqLz4RbxIkIBkxsCIHGwuoPvkg1JtSDDeZPAOdE65Qihrb1H60sylxP8yLrvAQEDBAEAAAAiBgNCEasPdcOjB6L2v28JqeBdPI7dC6eirDH0MtEEXvY4GRxcniKNMAAAgAEAAIAAAACAAQAAgAAAAAADAAAAIgYDlpDPdJQdpdspH6i+c0ir44B3hnMtlp6sXSfgr6kJpV8cNGUvrjAAAIABAACAAAAAgAEAAIAAAAAAAwAAACIGAquEZBNZ+iJGG4RhUVIx2mPBlmFM0ism5Vbth44w202mDAlO94QAAAAAAwAAAAEEIgAgo8ZcTjdtgvs8pFWW/u5bCDE61k84WQwbCLxTDRwLv+oBBWlSIQKrhGQTWfoiRhuEYVFSMdpjwZZhTNIrJuVW7YeOMNtNpiEDQhGrD3XDowei9r9vCangXTyO3Qunoqwx9DLRBF72OBkhA5aQz3SUHaXbKR+ovnNIq+OAd4ZzLZaerF0n4K+pCaVfU64AAA==',
  // Of a library without low S (bdk-cli#127).
  highS:
    'cHNidP8BAFICAAAAAaqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqAAAAAAD9////AbiCAQAAAAAAFgAUdR526BmRltRUlBxF0bOjI/FDO9YAAAAAAAEBH6CGAQAAAAAAFgAUwM681sPTyox13F7GLr5VMw75EOIiAgMw1U/Q3UIKbl+NNiT180gsrjUPedXwdTv1vu+cLZGvPEkwRgIhAPSOijgdUqACVhY5yRwylF4P+mgIb9BBKULxjBffIrU2AiEAuS4XBNB9kLEIZ4QTu0xPvFQEU9zGNVOJ79NjUZiIk98BAAA=',
} as const;

const causesOf = (psbt: Psbt): readonly (SignatureCause | undefined)[] =>
  review(psbt).inputs.flatMap(({ signatures }) =>
    signatures.flatMap((signature) => (signature.state === 'invalid' ? [signature.cause] : [])),
  );

const textsOf = (psbt: Psbt): readonly string[] =>
  findingsOf(psbt).flatMap(({ check, text }) => (check === 'signature-invalid' ? [text] : []));

const TYPES = [1, 2, 3, 0x81, 0x82, 0x83] as const;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
function bytesOf(number: bigint): Uint8Array {
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => Number((number >> BigInt(8 * (31 - i))) & 0xffn));
  return (bytes[0] ?? 0) > 0x7f ? Uint8Array.of(0, ...bytes) : bytes;
}

/** Replaces the s of a DER signature by the order less s. */
function raised(signature: Uint8Array): Uint8Array {
  const rEnd = 4 + (signature[3] ?? 0);
  const s = bytesOf(ORDER - numberOf(signature.slice(rEnd + 2, -1)));
  const integers = concatBytes(signature.slice(2, rEnd), Uint8Array.of(2, s.length), s);
  return concatBytes(Uint8Array.of(0x30, integers.length), integers, signature.slice(-1));
}

type Change = (signature: Uint8Array) => Uint8Array;

/** Changes all signatures of the first input. */
const changed = (psbt: Psbt, change: Change): Psbt =>
  withInput(
    psbt,
    0,
    ({ partialSigs, tapKeySig, tapScriptSigs, ...input }): PsbtInput => ({
      ...input,
      ...(partialSigs && { partialSigs: partialSigs.map((one) => ({ ...one, signature: change(one.signature) })) }),
      ...(tapKeySig && { tapKeySig: change(tapKeySig) }),
      ...(tapScriptSigs && {
        tapScriptSigs: tapScriptSigs.map((one) => ({ ...one, signature: change(one.signature) })),
      }),
    }),
  );

const signed = (name: WalletName, sighashType: number = SIGHASH.ALL): Psbt =>
  sign(payment([name]), { sighashType }, [WALLETS[name]]).psbt;

const leaf: WalletName = 'tree';
const LEAF_ONLY = [`pk(${ALICE.xprv('m/87h/1h/0h')}/0/*)`];

describe('the cause of an invalid signature of another program is named', () => {
  test.each<[keyof typeof REAL, SignatureCause, RegExp]>([
    [
      'typeMissing',
      { kind: 'type-missing', sighashType: 1 },
      /cannot count: it is valid for the hash type ALL, but lacks/,
    ],
    ['legacyDigest', { kind: 'legacy-digest' }, /cannot count: it signs the legacy digest, but the coin is segwit/],
    [
      'highS',
      { kind: 'high-s' },
      /cannot count: its s is in the upper half of the order \(high S\), and no node relays/,
    ],
  ])('%s', (name, cause, text) => {
    const psbt = parsePsbt(REAL[name]);
    expect(causesOf(psbt)).toEqual([cause]);
    expect(textsOf(psbt)).toEqual([expect.stringMatching(text)]);
    expect(reviewToJson(review(psbt)).inputs[0]?.signatures).toMatchObject([{ state: 'invalid', cause }]);
    expect(finalizePsbt(psbt).isComplete).toBe(false);
  });
});

describe('the cause of a signature that was valid', () => {
  const ecdsa = ['pkh', 'wpkh', 'shWpkh', 'multi'] as const;
  const all = [...ecdsa, 'tr', 'tree'] as const;

  test.each(ecdsa)('is a high S: %s', (name) => {
    for (const type of TYPES) {
      const psbt = changed(signed(name, type), raised);
      expect(causesOf(psbt)).toEqual([{ kind: 'high-s' }]);
      expect(finalizePsbt(psbt).isComplete).toBe(false);
    }
  });

  test.each(ecdsa)('is DER that is not strict: %s', (name) => {
    // A zero byte before r, which BIP66 forbids unless r would be negative.
    const padded: Change = (signature) => {
      const [, size = 0, , rSize = 0] = signature;
      return concatBytes(Uint8Array.of(0x30, size + 1, 2, rSize + 1, 0), signature.slice(4));
    };
    expect(causesOf(changed(signed(name), padded))).toEqual([{ kind: 'encoding' }]);
  });

  test.each(all)('is the byte of its hash type that is missing, whatever the record: %s', (name) => {
    for (const sighashType of TYPES) {
      const psbt = changed(signed(name, sighashType), (signature) => signature.slice(0, -1));
      const unnamed = withInput(psbt, 0, (input) => without(input, 'sighashType'));
      for (const each of [psbt, unnamed]) expect(causesOf(each)).toEqual([{ kind: 'type-missing', sighashType }]);
    }
  });

  test.each(all)('is another type in that byte: %s', (name) => {
    for (const sighashType of TYPES) {
      for (const type of [...TYPES, 0x41].filter((other) => other !== sighashType)) {
        const psbt = changed(signed(name, sighashType), (signature) => Uint8Array.of(...signature.slice(0, -1), type));
        expect(causesOf(psbt)).toEqual([{ kind: 'type-other', sighashType }]);
      }
    }
  });

  test('is a byte that DEFAULT does not have', () => {
    for (const type of [0, 1, 0x83]) {
      const psbt = changed(signed('tr', SIGHASH.DEFAULT), (signature) => Uint8Array.of(...signature, type));
      expect(causesOf(psbt)).toEqual([{ kind: 'type-other', sighashType: SIGHASH.DEFAULT }]);
      expect(textsOf(psbt)).toEqual([expect.stringContaining('DEFAULT, which has no byte, but ends with one')]);
    }
  });

  test('is found for a leaf, too', () => {
    const { psbt } = sign(payment([leaf]), { sighashType: SIGHASH.SINGLE }, LEAF_ONLY);
    expect(psbt.inputs[0]?.tapScriptSigs).toHaveLength(1);
    expect(causesOf(changed(psbt, (signature) => signature.slice(0, 64)))).toEqual([
      { kind: 'type-missing', sighashType: SIGHASH.SINGLE },
    ]);
  });
});

describe('the cause of a signature', () => {
  const [PKH, WPKH, NESTED] = [44, 84, 49].map((purpose) => `m/${purpose}h/1h/0h/0/0`);

  /** Signs the digest of the other kind over a script code. */
  function misread(
    name: WalletName,
    path = '',
    scriptCode: (publicKey: Uint8Array, input: PsbtInput) => Uint8Array,
  ): Psbt {
    const psbt = payment([name]);
    const publicKey = ALICE.keyAt(path);
    const digests = computeDigests(beginSession(psbt), 0, SIGHASH.ALL);
    const version = name === 'pkh' ? 'witness-v0' : 'base';
    const digest = digests?.ecdsaDigest(scriptCode(publicKey, psbt.inputs[0] ?? {}), SIGHASH.ALL, version);
    if (!digest) throw new Error('no digest');
    const signature = derOf(nobleEcc.signEcdsa(digest, ALICE.secretAt(path)));
    return withInput(psbt, 0, (input) => ({ ...input, partialSigs: [{ pubkey: publicKey, signature }] }));
  }
  const derOf = (compact: Uint8Array): Uint8Array => {
    const [r, s] = [bytesOf(numberOf(compact.slice(0, 32))), bytesOf(numberOf(compact.slice(32)))];
    return Uint8Array.of(0x30, r.length + s.length + 4, 2, r.length, ...r, 2, s.length, ...s, SIGHASH.ALL);
  };
  const ofKey = (publicKey: Uint8Array): Uint8Array => payToPubkeyHash(hash160(publicKey));

  test('is the legacy digest of a segwit coin', () => {
    const psbt = misread('wpkh', WPKH, ofKey);
    expect(causesOf(psbt)).toEqual([{ kind: 'legacy-digest' }]);
    const ofProgram = misread('shWpkh', NESTED, (_, { redeemScript = new Uint8Array(0) }) => redeemScript);
    expect(causesOf(ofProgram)).toEqual([{ kind: 'legacy-digest' }]);
    expect(finalizePsbt(ofProgram).isComplete).toBe(false);
  });

  test('is the segwit digest of a legacy coin', () => {
    const coin = review(payment(['pkh'])).inputs[0]?.scriptPubKey ?? new Uint8Array(0);
    const psbt = misread('pkh', PKH, () => coin);
    expect(causesOf(psbt)).toEqual([{ kind: 'segwit-digest' }]);
    expect(textsOf(psbt)).toEqual([expect.stringContaining('it signs the segwit digest, but the coin is legacy')]);
  });

  test('is the tweak that its key lacks', () => {
    const psbt = payment(['tr']);
    const [request] = [...signingRequests(psbt)];
    if (!request) throw new Error('no request');
    const tapKeySig = nobleEcc.signSchnorr(request.digest, ALICE.secretAt('m/86h/1h/0h/0/0'), new Uint8Array(32));
    const untweaked = withInput(psbt, 0, (input) => ({ ...input, tapKeySig }));
    expect(causesOf(untweaked)).toEqual([{ kind: 'untweaked' }]);
    expect(textsOf(untweaked)).toEqual([expect.stringContaining('internal key without the tweak of taproot')]);
  });

  test('is not named where the signature does not show it', () => {
    for (const name of ['pkh', 'wpkh', 'multi', 'tr', 'tree'] as const) {
      const psbt = withOutput(signed(name), 0, (output) => ({ ...output, amount: 1n }));
      expect(causesOf(psbt)).toEqual([undefined]);
      expect(textsOf(psbt)).toEqual(['Input 0 holds an invalid signature.']);
    }
  });
});

describe('seeking causes', () => {
  test('computes nothing for valid signatures', () => {
    for (const name of ['pkh', 'wpkh', 'shWpkh', 'multi', 'tr', 'tree'] as const) {
      const psbt = signed(name);
      const [input = {}] = psbt.inputs;
      const findCause = (): never => {
        throw new Error('asked');
      };
      const { recorded } = inputSignatures(
        { session: beginSession(psbt), input, index: 0 },
        { sighashType: SIGHASH.ALL, findCause },
      );
      expect(recorded.map(({ verdict }) => verdict)).toEqual([{ state: 'valid' }]);
    }
  });

  test('costs up to eight verifications for each of the first twenty', () => {
    let verified = 0;
    const ecc: Ecc = {
      ...nobleEcc,
      verifyEcdsa: () => {
        verified += 1;
        return false;
      },
      verifySchnorr: () => {
        verified += 1;
        return false;
      },
    };
    for (const name of ['pkh', 'shWpkh', 'tr'] as const) {
      const psbt = signed(name);
      const causesIn = createCauseFinder();
      const verifications = (): number => {
        verified = 0;
        const place = { session: beginSession(psbt, { ecc }), input: psbt.inputs[0] ?? {}, index: 0 };
        const { recorded } = inputSignatures(place, { sighashType: SIGHASH.ALL, findCause: causesIn(place) });
        expect(recorded).toMatchObject([{ verdict: { state: 'invalid' } }]);
        return verified;
      };
      const counts = Array.from({ length: 40 }, verifications);
      expect(Math.min(...counts.slice(0, 20))).toBeGreaterThan(5);
      expect(Math.max(...counts.slice(0, 20))).toBeLessThanOrEqual(9);
      expect(new Set(counts.slice(20))).toEqual(new Set([1]));
    }
  });

  test('never fails, whatever the bytes of a signature', () => {
    const bases = (['pkh', 'wpkh', 'multi', 'tr'] as const).map((name) => signed(name));
    fc.assert(
      fc.property(fc.constantFrom(...bases), fc.uint8Array({ maxLength: 80 }), fc.nat(), (psbt, noise, cut) => {
        const psbts = [
          changed(psbt, () => noise),
          changed(psbt, (signature) => concatBytes(signature.slice(0, cut % 72), noise)),
        ];
        for (const each of psbts) {
          const causes = causesOf(each);
          expect(causes.length).toBeLessThanOrEqual(1);
          expect(finalizePsbt(each).isComplete && causes.length > 0).toBe(false);
        }
      }),
      campaign(40),
    );
  });
});
