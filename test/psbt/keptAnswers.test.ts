import { describe, expect, test } from 'vitest';
import { textDivergences } from '../divergences.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createRpc,
  decodePsbtBytes,
  derivePath,
  encodePsbt,
  formatBase64,
  formatHex,
  formatXpub,
  masterKey,
  musig2Shares,
  networks,
  neuter,
  type Psbt,
  type PsbtInput,
  parseBase64,
  toPsbtV0,
  updatePsbt,
} from '../support/library.ts';
import { addsOnlyNonces, losesOnlyGlobals, mixesOnlyOrigins } from '../support/psbtReplies.ts';
import { parse, payment, withInput } from '../support/psbts.ts';

/** Answers that stay other than Core's, and the rules that excuse recorded replies for that. */

const text = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));
const read = (given: unknown): Psbt => decodePsbtBytes(parseBase64(given as string));
const rpc = createRpc({ network: 'regtest', dialect: 'core-31' });
const ask = (method: string, ...params: readonly unknown[]): unknown => rpc.call(method, params);
/** A reply to the same question with another PSBT. */
const reply = (psbt: Psbt | undefined, others: object = { complete: false }): string =>
  JSON.stringify({ result: psbt && { psbt: text(psbt), ...others }, error: null });
const replyText = (psbt: Psbt): string => JSON.stringify({ result: text(psbt), error: null });

const NETWORK = networks.regtest;
const xprv = derivePath(masterKey(new Uint8Array(32).fill(5)), [0]);
const xpubs = [5, 6].map((seed) => formatXpub(neuter(masterKey(new Uint8Array(32).fill(seed))), NETWORK));
const hex = formatHex(xprv.publicKey);

/** A payment of a descriptor's first coin. */
function paymentOf(desc: string): Psbt {
  const [scriptPubKey = ''] = ask('deriveaddresses', `${desc}#${checksum(desc)}`) as string[];
  const tx = ask('createpsbt', [{ txid: '11'.repeat(32), vout: 0 }], [{ [scriptPubKey]: 0.5 }]);
  const psbt = toPsbtV0(read(tx));
  const [output] = psbt.global.unsignedTx?.outputs ?? [];
  return withInput(psbt, 0, () => ({ ...(output && { witnessUtxo: { ...output, value: 60_000_000n } }) }));
}
const checksum = (desc: string): string => (ask('getdescriptorinfo', desc) as { checksum: string }).checksum;

describe('descriptorprocesspsbt adds no public nonces', () => {
  const desc = `tr(musig(${xpubs.join(',')})/0)`;
  const psbt = paymentOf(desc);
  const call = { method: 'descriptorprocesspsbt', params: [text(psbt), [desc]] };
  const processed = ask(call.method, ...call.params) as { readonly psbt: string };
  const ours = JSON.stringify({ result: processed, error: null });
  const own = read(processed.psbt);
  const [record] = own.inputs[0]?.musig2Participants ?? [];
  const participantPubkey = record?.participants[0] ?? new Uint8Array(33);
  const nonce = { participantPubkey, aggregatePubkey: participantPubkey, pubNonce: new Uint8Array(66).fill(2) };
  const withNonce = (input: PsbtInput): PsbtInput => ({ ...input, musig2PubNonces: [nonce] });
  const theirs = withInput(own, 0, withNonce);

  test('ours names the participants only', () => {
    expect(record?.participants).toHaveLength(2);
    expect(own.inputs[0]?.musig2PubNonces).toBeUndefined();
  });

  test('a reply that differs by nonces is excused, and no other', () => {
    expect(addsOnlyNonces({ ...call, reply: reply(theirs) }, ours)).toBe(true);
    const signed = withInput(theirs, 0, (input) => ({ ...input, tapKeySig: new Uint8Array(64) }));
    for (const other of [reply(own), reply(signed), reply(theirs, { complete: true }), reply(undefined)]) {
      expect(addsOnlyNonces({ ...call, reply: other }, ours)).toBe(false);
    }
    expect(addsOnlyNonces({ ...call, method: 'utxoupdatepsbt', reply: reply(theirs) }, ours)).toBe(false);
    // Nonces that Core lacks are a loss.
    expect(addsOnlyNonces({ ...call, reply: ours }, reply(theirs))).toBe(false);
  });
});

describe('a key with two origins keeps the first', () => {
  const desc = `wsh(multi(1,[aaaaaaaa/1]${hex},[bbbbbbbb/2]${hex}))`;
  const call = { method: 'utxoupdatepsbt', params: [text(paymentOf(desc)), [desc]] };
  const own = read(ask(call.method, ...call.params));
  const origin = (fingerprint: string, path: readonly number[]) => ({
    pubkey: xprv.publicKey,
    fingerprint: Uint8Array.from(Buffer.from(fingerprint, 'hex')),
    path,
  });
  const holding = (fingerprint: string, path: readonly number[]): string =>
    replyText(withInput(own, 0, (input) => ({ ...input, bip32Derivations: [origin(fingerprint, path)] })));

  test('ours is the first', () => {
    expect(own.inputs[0]?.bip32Derivations).toEqual([origin('aaaaaaaa', [1])]);
  });

  test('a reply with the second path before the first is excused, and no other', () => {
    const ours = replyText(own);
    expect(mixesOnlyOrigins({ ...call, reply: holding('bbbbbbbb', [2, 1]) }, ours)).toBe(true);
    const others = [holding('aaaaaaaa', [1]), holding('bbbbbbbb', [2]), holding('cccccccc', [2, 1])];
    for (const other of [...others, holding('bbbbbbbb', [1, 2]), holding('bbbbbbbb', [2, 21])]) {
      expect(mixesOnlyOrigins({ ...call, reply: other }, ours)).toBe(false);
    }
  });
});

describe('joinpsbts keeps global records', () => {
  const [a, b] = (['wpkh', 'pkh'] as const).map((name) => toPsbtV0(payment([name])));
  if (!a || !b) throw new Error('two payments');
  const proprietary = [
    { identifier: Uint8Array.of(81), subtype: 1, keyData: Uint8Array.of(1), value: Uint8Array.of(2) },
  ];
  const call = { method: 'joinpsbts', params: [[text({ ...a, global: { ...a.global, proprietary } }), text(b)]] };
  const own = read(ask(call.method, ...call.params));
  const { proprietary: _, xpubs: __, ...rest } = own.global;
  const lost = { ...own, global: rest };

  test('ours holds them', () => expect(own.global.proprietary).toEqual(proprietary));

  test('a reply that lacks them is excused, and no other', () => {
    expect(losesOnlyGlobals({ ...call, reply: replyText(lost) }, replyText(own))).toBe(true);
    const less = withInput(lost, 0, () => ({}));
    for (const other of [own, less]) {
      expect(losesOnlyGlobals({ ...call, reply: replyText(other) }, replyText(own))).toBe(false);
    }
    expect(losesOnlyGlobals({ ...call, reply: replyText(lost) }, replyText(lost))).toBe(false);
  });
});

describe('combinepsbt keeps leaf scripts apart by control block and script', () => {
  const psbt = payment(['tree']);
  const [leaf] = psbt.inputs[0]?.tapLeafScripts ?? [];
  if (!leaf) throw new Error('a leaf');
  const combined = (...leaves: readonly (typeof leaf)[]): Psbt['inputs'][number]['tapLeafScripts'] => {
    const parts = leaves.map((one) => text(withInput(psbt, 0, (input) => ({ ...input, tapLeafScripts: [one] }))));
    return read(ask('combinepsbt', parts)).inputs[0]?.tapLeafScripts;
  };

  test('two control blocks of one script stay both', () => {
    const longer = { ...leaf, controlBlock: Uint8Array.of(...leaf.controlBlock, ...new Uint8Array(32)) };
    expect(combined(leaf, longer)).toEqual([leaf, longer]);
  });

  test('of two scripts under one control block, which is one key, the first stays', () => {
    expect(combined(leaf, { ...leaf, script: Uint8Array.of(0x51) })).toEqual([leaf]);
    expect(combined(leaf, leaf)).toEqual([leaf]);
  });
});

describe('MuSig2 costs no more than the inputs are worth', () => {
  const shares = (steps: number): number => {
    const descriptor = parse(`tr(musig(${xpubs.join(',')})${'/1'.repeat(steps)})`);
    const desc = `tr(musig(${xpubs.join(',')})${'/1'.repeat(steps)})`;
    const provider = createDescriptorProvider([descriptor].map((one) => createDeriver(one)(0)));
    return musig2Shares(updatePsbt(paymentOf(desc), { provider })).length;
  };

  test('a key eight steps from its aggregate key is signed for, one of nine is not', () => {
    expect([0, 1, 8, 9].map(shares)).toEqual([2, 2, 2, 0]);
    expect(textDivergences['MuSig2 costs no more than the inputs are worth']?.reason).toContain('8 steps');
  });
});
