import {
  classifyScript,
  type Ecc,
  encodeDer,
  hash160,
  nobleEcc,
  OP,
  parseTxid,
  type SighashRequest,
  sha256,
  sighashForInput,
  type Transaction,
  type TxIn,
  type TxOut,
  tapLeafHash,
  tapTweakHash,
} from './library.ts';

// Signed spends of every standard kind, made with the public API: `sighashForInput` and an `Ecc`.

const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const push = (data: Uint8Array): Uint8Array =>
  concat(data.length > 75 ? [OP.PUSHDATA1, data.length] : [data.length], data);
const NOTHING = new Uint8Array(0);

export const SECRETS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
/** The same keys, as `signTransaction` takes them. */
export const SIGNING_KEYS = SECRETS.map((secretKey) => ({ secretKey, isCompressed: true }));
const KEYS = SECRETS.map((secret) => nobleEcc.publicKey(secret));
const [KEY = NOTHING, , INTERNAL = NOTHING] = KEYS;
const LEAF = concat(push(KEY.slice(1)), [OP.CHECKSIG]);
const OUTPUT = nobleEcc.tweakPublicKey(INTERNAL.slice(1), tapTweakHash(INTERNAL.slice(1), tapLeafHash(LEAF)));

/** A transaction of one input, unsigned. */
export const UNSIGNED: Transaction = {
  version: 2,
  inputs: [
    { outpoint: { txid: parseTxid('cd'.repeat(32)), vout: 0 }, scriptSig: NOTHING, sequence: 0xffff_fffd, witness: [] },
  ],
  outputs: [{ value: 500n, scriptPubKey: Uint8Array.of(OP.RETURN) }],
  locktime: 0,
};

const payToKey = concat(push(KEY), [OP.CHECKSIG]);
const payToHash = concat([OP.DUP, OP.HASH160], push(hash160(KEY)), [OP.EQUALVERIFY, OP.CHECKSIG]);
const twoOfThree = concat([0x52], ...KEYS.map(push), [0x53, OP.CHECKMULTISIG]);
const witnessKeyHash = concat([0], push(hash160(KEY)));
const witnessScriptHash = concat([0], push(sha256(twoOfThree)));
const scriptHash = (redeemScript: Uint8Array): Uint8Array =>
  concat([OP.HASH160], push(hash160(redeemScript)), [OP.EQUAL]);
const taproot = (key: Uint8Array): Uint8Array => concat([OP['1']], push(key));

/** Signs with the key of the given number. */
type Sign = (key: number) => Uint8Array;
interface Kind {
  readonly scriptPubKey: Uint8Array;
  readonly known?: Pick<SighashRequest, 'scriptCode' | 'leaf'>;
  readonly spend: (sign: Sign) => Partial<TxIn>;
}

const multisig = (sign: Sign): readonly Uint8Array[] => [NOTHING, sign(0), sign(1)];
const pushAll = (items: readonly Uint8Array[]): Uint8Array => concat(...items.map(push));

export const kinds: Readonly<Record<string, Kind>> = {
  pk: { scriptPubKey: payToKey, spend: (sign) => ({ scriptSig: push(sign(0)) }) },
  pkh: { scriptPubKey: payToHash, spend: (sign) => ({ scriptSig: pushAll([sign(0), KEY]) }) },
  multi: { scriptPubKey: twoOfThree, spend: (sign) => ({ scriptSig: pushAll(multisig(sign)) }) },
  'sh(multi)': {
    scriptPubKey: scriptHash(twoOfThree),
    known: { scriptCode: twoOfThree },
    spend: (sign) => ({ scriptSig: pushAll([...multisig(sign), twoOfThree]) }),
  },
  wpkh: { scriptPubKey: witnessKeyHash, spend: (sign) => ({ witness: [sign(0), KEY] }) },
  'sh(wpkh)': {
    scriptPubKey: scriptHash(witnessKeyHash),
    known: { scriptCode: witnessKeyHash },
    spend: (sign) => ({ scriptSig: push(witnessKeyHash), witness: [sign(0), KEY] }),
  },
  'wsh(multi)': {
    scriptPubKey: witnessScriptHash,
    known: { scriptCode: twoOfThree },
    spend: (sign) => ({ witness: [...multisig(sign), twoOfThree] }),
  },
  'sh(wsh(multi))': {
    scriptPubKey: scriptHash(witnessScriptHash),
    known: { scriptCode: twoOfThree },
    spend: (sign) => ({ scriptSig: push(witnessScriptHash), witness: [...multisig(sign), twoOfThree] }),
  },
  rawtr: { scriptPubKey: taproot(KEY.slice(1)), spend: (sign) => ({ witness: [sign(0)] }) },
  'tr(,pk)': {
    scriptPubKey: taproot(OUTPUT?.publicKey ?? NOTHING),
    known: { leaf: { script: LEAF } },
    spend: (sign) => ({ witness: [sign(0), LEAF, concat([0xc0 | (OUTPUT?.parity ?? 0)], INTERNAL.slice(1))] }),
  },
};

export const isTaproot = (kind: Kind): boolean => classifyScript(kind.scriptPubKey).type === 'witness_v1_taproot';

/** A signed transaction with the prevout of each input. */
export interface Spend {
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[];
}

/** Makes prevouts of these kinds, and signs each input with its sighash type. */
export function signSpend(
  unsigned: Transaction,
  inputs: readonly { readonly kind: Kind; readonly sighashType: number; readonly value: bigint }[],
  ecc: Ecc = nobleEcc,
): Spend {
  const prevouts = inputs.map(({ kind, value }) => ({ value, scriptPubKey: kind.scriptPubKey }));
  const signed = unsigned.inputs.map((input, inputIndex): TxIn => {
    const plan = inputs[inputIndex];
    if (!plan) return input;
    const { kind, sighashType } = plan;
    const { digest, algorithm } = sighashForInput({ tx: unsigned, prevouts, inputIndex, sighashType, ...kind.known });
    const sign: Sign = (key) => {
      const secret = SECRETS[key] ?? NOTHING;
      const isSchnorr = algorithm.startsWith('taproot');
      const signature = isSchnorr
        ? ecc.signSchnorr(digest, secret, new Uint8Array(32))
        : encodeDer(ecc.signEcdsa(digest, secret));
      return sighashType === 0 ? signature : concat(signature, [sighashType]);
    };
    return { ...input, ...kind.spend(sign) };
  });
  return { tx: { ...unsigned, inputs: signed }, prevouts };
}
