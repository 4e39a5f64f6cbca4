import {
  decodeTransaction,
  encodeTransaction,
  formatAsm,
  legacySighash,
  legacySigMsg,
  segwitV0Sighash,
  segwitV0SigMsg,
  sha256d,
  sighashMidstate,
  type Transaction,
  type TxOut,
  tapLeafHash,
  taprootSighash,
} from '../../support/library.ts';
import { naiveLegacy, naiveSegwit, naiveTaproot } from '../../support/naiveSighash.ts';
import { script, transaction, txOut, word } from '../shapes.ts';
import type { Source } from '../source.ts';
import { attempt, holds, type Json, jsonTarget, sameBytes, type Target } from '../target.ts';

// Digests against an implementation that does all the work for each of them, in `naiveSighash.ts`.

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const TYPES = [0, 1, 2, 3, 0x81, 0x82, 0x83];

function anyDigest(source: Source): Json {
  const tx = transaction(source);
  return {
    tx: hexOf(encodeTransaction(tx)),
    prevouts: tx.inputs.map(() => {
      const { value, scriptPubKey } = txOut(source);
      return [`${value}`, hexOf(scriptPubKey)];
    }),
    index: source.next(tx.inputs.length),
    type: source.once(4) ? word(source) : source.pick(TYPES),
    code: hexOf(source.once(9) ? new Uint8Array(260).fill(0xab) : script(source)),
    annex: source.once(3) ? `50${hexOf(source.bytes(source.next(40)))}` : null,
    leafHash: source.once(2) ? hexOf(source.bytes(32)) : null,
  };
}

interface Digest {
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[];
  readonly index: number;
  readonly type: number;
  readonly code: Uint8Array;
  readonly annex: Uint8Array | undefined;
  readonly leafHash: Uint8Array | undefined;
}

const bytesOf = (hex: unknown): Uint8Array | undefined =>
  typeof hex === 'string' ? Uint8Array.from(Buffer.from(hex, 'hex')) : undefined;

/** Reads a case; undefined for JSON of another shape. */
function digestIn(input: Json): Digest | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { tx, prevouts, index, type, code, annex, leafHash } = input as Readonly<Record<string, unknown>>;
  const decoded = attempt(['bytes/', 'tx/'], () => decodeTransaction(bytesOf(tx) ?? new Uint8Array(0)));
  if (!decoded || !Array.isArray(prevouts) || typeof index !== 'number' || typeof type !== 'number') return undefined;
  const coins = prevouts.map((coin: unknown) => {
    const [value, scriptPubKey] = coin as readonly unknown[];
    return { value: BigInt(value as string), scriptPubKey: bytesOf(scriptPubKey) ?? new Uint8Array(0) };
  });
  if (coins.length !== decoded.inputs.length || !decoded.inputs[index]) return undefined;
  const rest = { annex: bytesOf(annex), leafHash: bytesOf(leafHash) };
  return { tx: decoded, prevouts: coins, index, type, code: bytesOf(code) ?? new Uint8Array(0), ...rest };
}

function checkLegacy({ tx, index, type, code }: Digest): void {
  // Legacy digests drop a truncated push, as nodes do; the naive ones keep it.
  if (formatAsm(code).endsWith('[error]')) return;
  const wanted = naiveLegacy(tx, index, code, type);
  const request = { tx, inputIndex: index, scriptCode: code, sighashType: type };
  const midstate = sighashMidstate(tx);
  sameBytes(legacySighash({ ...request, midstate }), wanted, 'the legacy digest is the naive one');
  sameBytes(legacySighash({ ...request, midstate }), wanted, 'a midstate may be used again');
  sameBytes(legacySighash(request), wanted, 'no midstate is needed');
  const message = legacySigMsg(request);
  if (message) sameBytes(sha256d(message), wanted, 'the message hashes to the digest');
}

function checkSegwit({ tx, prevouts, index, type, code }: Digest): void {
  const value = prevouts[index]?.value ?? 0n;
  const wanted = naiveSegwit(tx, index, code, { value, type });
  const request = { tx, inputIndex: index, scriptCode: code, value, sighashType: type };
  sameBytes(
    segwitV0Sighash({ ...request, midstate: sighashMidstate(tx) }),
    wanted,
    'the segwit digest is the naive one',
  );
  sameBytes(sha256d(segwitV0SigMsg(request)), wanted, 'the segwit message hashes to the digest');
}

function checkTaproot({ tx, prevouts, index, type, annex, leafHash }: Digest): void {
  // A script is hashed to make a leaf hash of 32 bytes.
  const leaf = leafHash && tapLeafHash(leafHash);
  const place = { ...(leaf && { tapscript: { leafHash: leaf } }), ...(annex && { annex }) };
  const request = { tx, prevouts, inputIndex: index, sighashType: type, ...place };
  const codes = ['sighash/type', 'sighash/single-without-output'];
  const digest = attempt(codes, () => taprootSighash({ ...request, midstate: sighashMidstate(tx, prevouts) }));
  const isDefined = TYPES.includes(type) && ((type & 3) !== 3 || index < tx.outputs.length);
  holds((digest !== undefined) === isDefined, 'the types of BIP341 have digests');
  if (!digest) return;
  const rest = { type, annex, leafHash: leaf };
  sameBytes(digest, naiveTaproot(tx, prevouts, index, rest), 'the taproot digest is the naive one');
}

export const SIGHASH_TARGETS: readonly Target[] = [
  jsonTarget('sighash', {
    generate: anyDigest,
    run: (input) => {
      const digest = digestIn(input);
      if (!digest) return;
      checkLegacy(digest);
      checkSegwit(digest);
      checkTaproot(digest);
    },
  }),
];
