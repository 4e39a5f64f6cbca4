import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/chain/block.ts';
import { withKeys, withoutSecretKeys } from '../../src/descriptors/keyExpressions.ts';
import type { NodeEvent } from '../../src/node/events.ts';
import { journalCodec } from '../../src/node/journalCodec.ts';
import { normalize, secretsIn } from '../../src/wallet/descriptorKeys.ts';
import type { StoredKey, WalletEvent } from '../../src/wallet/events.ts';
import { bytes, transaction } from '../support/arbitraries.ts';
import { blockAfter, genesisOf } from '../support/blocks.ts';
import {
  createMemoryStore,
  createNodeRpc,
  formatHex,
  networks,
  nobleEcc,
  parseDescriptor,
  parseHex,
  parseTxid,
} from '../support/library.ts';

const network = networks.regtest;
const { node } = createNodeRpc({
  network,
  dialect: 'core-31',
  store: createMemoryStore(),
  clock: () => 0,
  random: (size) => new Uint8Array(size),
});
const codec = journalCodec(network, node.rules, nobleEcc);

const SECRET =
  'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK';
const WIF = 'cTpB4YiyKiBcPxnefsDpbnDxFDffjqJob8wGCEDXxgQ7zQoMXJdH';
const PRIVATE = [
  `wpkh(${SECRET}/84h/1h/0h/0/*)`,
  `tr(${SECRET}/86h/1h/0h/1/*)`,
  `tr(${WIF})`,
  `tr(${WIF},pk(${SECRET}/1h))`,
  `sh(wsh(sortedmulti(1,${SECRET}/0/*,${WIF})))`,
].map((text) => parseDescriptor(text, network));

const time = fc.nat();
const key: fc.Arbitrary<StoredKey> = fc.record({ publicKey: bytes(33), secret: bytes(32) });
const txid = bytes(32).map((raw) => parseTxid(formatHex(raw)));
const outpoints = fc.array(fc.record({ txid, vout: fc.nat() }), { maxLength: 3 });
const sealed = fc.record({ nonce: bytes(24).map(formatHex), box: bytes(48).map(formatHex) });
const ofType = <T extends string>(type: T): fc.Arbitrary<T> => fc.constant(type);

/** The event of an import, as `importdescriptors` makes it. */
const descriptorEvent = fc
  .tuple(fc.constantFrom(...PRIVATE), time, fc.boolean())
  .map(([descriptor, timestamp, isActive]): WalletEvent => {
    const normalized = normalize(descriptor, nobleEcc);
    if (!normalized) throw new Error('no private keys');
    return {
      type: 'descriptor',
      descriptor: withKeys(descriptor, withoutSecretKeys),
      normalized,
      secrets: secretsIn(descriptor).map(({ publicKey, secretKey }) => ({ publicKey, secret: secretKey })),
      ...{ timestamp, isActive, isInternal: false, first: 0, end: 10, next: 0 },
    };
  });

const walletEvent: fc.Arbitrary<WalletEvent> = fc.oneof(
  fc.tuple(key, time).map(([stored, timestamp]) => ({ type: 'key', ...stored, timestamp }) as const),
  fc.record({ type: ofType('script'), script: bytes(0, 40) }),
  fc.record({ type: ofType('script'), script: bytes(0, 40), timestamp: time }),
  fc.record({ type: ofType('public-key'), publicKey: bytes(33), timestamp: time }),
  fc.record({
    type: ofType('origin'),
    publicKey: bytes(33),
    origin: fc.record({ fingerprint: bytes(4), path: fc.array(fc.nat(), { maxLength: 4 }) }),
  }),
  fc.record({ type: ofType('watch'), script: bytes(0, 40), timestamp: time }),
  fc.record({ type: ofType('label'), script: bytes(0, 40), label: fc.string() }),
  descriptorEvent,
  fc.record({ type: ofType('top-up') }),
  fc.record({ type: ofType('rescan'), from: time }),
  fc.record({ type: ofType('abandon'), txid }),
  fc.record({ type: ofType('lock'), outpoints, isPersistent: fc.constant(true as const) }),
  fc.record({ type: ofType('unlock'), outpoints }),
  fc.record({
    type: ofType('encrypt'),
    master: sealed.map(
      (box) => ({ kdf: 'scrypt', cipher: 'xchacha20-poly1305', N: 2, r: 8, p: 1, salt: '00', ...box }) as const,
    ),
    secrets: fc.uniqueArray(fc.record({ publicKey: bytes(33), secret: sealed }), {
      maxLength: 3,
      selector: ({ publicKey }) => formatHex(publicKey),
    }),
  }),
);

const block = blockAfter(genesisOf('regtest'));
const nodeEvent: fc.Arbitrary<NodeEvent> = fc.oneof(
  fc.constant<NodeEvent>({ type: 'begin', network: 'regtest', rules: 'core-31' }),
  bytes(0, 20).map((rest): NodeEvent => {
    const raw = Uint8Array.of(...parseHex(block.hex), ...rest);
    return { type: 'block', block: decodeBlock(raw), bytes: raw };
  }),
  fc.record({ type: fc.constantFrom('invalidate', 'reconsider'), hash: bytes(32) }),
  transaction.map((tx): NodeEvent => ({ type: 'transaction', tx })),
  fc.record({ type: ofType('drop'), txid }),
  fc.record({ type: fc.constantFrom('load', 'unload'), name: fc.string() }),
  fc.record({ type: ofType('wallet'), name: fc.string(), event: walletEvent }),
);

describe('journal entries', () => {
  test('hold every event without loss', () => {
    fc.assert(
      fc.property(time, nodeEvent, (at, event) => {
        const entry = codec.format({ at, event });
        const parsed = codec.parse(entry);
        expect(parsed).toEqual({ at, event });
        expect(codec.format(parsed)).toBe(entry);
      }),
      { numRuns: 300 },
    );
  });
});
