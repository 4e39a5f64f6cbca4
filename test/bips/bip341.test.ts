import { describe, expect, test } from 'vitest';
import { readSuite, shared } from '../support/corpus.ts';
import {
  decodeTransaction,
  formatHex,
  nobleEcc,
  parseHex,
  sighashForInput,
  sighashMidstate,
  taprootSighash,
  taprootSigMsg,
  tapTweakHash,
} from '../support/library.ts';

interface Bip341 {
  readonly keyPathSpending: readonly {
    readonly given: {
      readonly rawUnsignedTx: string;
      readonly utxosSpent: readonly { readonly scriptPubKey: string; readonly amountSats: number }[];
    };
    readonly intermediary: Readonly<Record<string, string>>;
    readonly inputSpending: readonly {
      readonly given: {
        readonly txinIndex: number;
        readonly internalPrivkey: string;
        readonly merkleRoot: string | null;
        readonly hashType: number;
      };
      readonly intermediary: Readonly<
        Record<'internalPubkey' | 'tweak' | 'tweakedPrivkey' | 'sigMsg' | 'sigHash', string>
      >;
      readonly expected: { readonly witness: readonly [string] };
    }[];
  }[];
}

describe.runIf(shared)("BIP341's wallet vectors for the key path", () => {
  const suite = shared ? readSuite<Bip341>('bip341_wallet_vectors') : { keyPathSpending: [] };
  const spends = suite.keyPathSpending.flatMap(({ given, intermediary, inputSpending }) => {
    const tx = decodeTransaction(parseHex(given.rawUnsignedTx));
    const prevouts = given.utxosSpent.map(({ scriptPubKey, amountSats }) => ({
      value: BigInt(amountSats),
      scriptPubKey: parseHex(scriptPubKey),
    }));
    return inputSpending.map((input) => ({ tx, prevouts, intermediary, input }));
  });

  test('has 7 inputs', () => expect(spends).toHaveLength(7));
  test.each(spends)('input $input.given.txinIndex has the right digest', ({ tx, prevouts, intermediary, input }) => {
    const midstate = sighashMidstate(tx, prevouts);
    const spent = midstate.spentHashes();
    const hashes = midstate.hashes();
    expect({
      hashAmounts: formatHex(spent.amounts),
      hashOutputs: formatHex(hashes.outputs),
      hashPrevouts: formatHex(hashes.prevouts),
      hashScriptPubkeys: formatHex(spent.scriptPubKeys),
      hashSequences: formatHex(hashes.sequences),
    }).toEqual(intermediary);

    const { txinIndex: inputIndex, hashType: sighashType, internalPrivkey, merkleRoot } = input.given;
    const given = { tx, prevouts, inputIndex, sighashType, midstate };
    expect(formatHex(taprootSigMsg(given))).toBe(input.intermediary.sigMsg);
    const digest = taprootSighash(given);
    expect(formatHex(digest)).toBe(input.intermediary.sigHash);
    expect(sighashForInput({ tx, prevouts, inputIndex, sighashType, withPreimage: true })).toEqual({
      algorithm: 'taproot-key-path',
      digest,
      sighashType,
      preimage: taprootSigMsg(given),
    });

    const secretKey = parseHex(internalPrivkey);
    const internalKey = nobleEcc.publicKey(secretKey).slice(1);
    expect(formatHex(internalKey)).toBe(input.intermediary.internalPubkey);
    const tweak = tapTweakHash(internalKey, merkleRoot === null ? undefined : parseHex(merkleRoot));
    expect(formatHex(tweak)).toBe(input.intermediary.tweak);
    const tweaked = nobleEcc.tweakSecretKey(secretKey, tweak) ?? secretKey;
    expect(formatHex(tweaked)).toBe(input.intermediary.tweakedPrivkey);
    const signature = nobleEcc.signSchnorr(digest, tweaked, new Uint8Array(32));
    expect(input.expected.witness[0].startsWith(formatHex(signature))).toBe(true);
    const outputKey = nobleEcc.tweakPublicKey(internalKey, tweak)?.publicKey ?? internalKey;
    expect(prevouts[inputIndex]?.scriptPubKey.slice(2)).toEqual(outputKey);
  });
});
