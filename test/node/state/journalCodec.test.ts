import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withKeys, withoutSecretKeys } from '../../../src/core/descriptors/keyExpressions.ts';
import { blockKey } from '../../../src/node/chain/blockHeader.ts';
import { chainTx } from '../../../src/node/chain/chainTx.ts';
import type { LoggedEvent } from '../../../src/node/state/events.ts';
import { journalCodec } from '../../../src/node/state/journalCodec.ts';
import { normalize, secretsIn } from '../../../src/node/wallet/keys/descriptorKeys.ts';
import type { StoredKey, WalletEvent } from '../../../src/node/wallet/records/events.ts';
import { bytes, transaction } from '../../support/arbitraries.ts';
import { rounds } from '../../support/campaign.ts';
import {
  createMemoryStore,
  createNodeRpc,
  formatHex,
  networks,
  nobleEcc,
  parseDescriptor,
  parseTxid,
} from '../../support/library.ts';

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
  `wpkh(${SECRET}/84h/0/*h)`,
  `tr(${WIF})`,
  `tr(${WIF},pk(${SECRET}/1h))`,
  `sh(wsh(sortedmulti(1,${SECRET}/0/*,${WIF})))`,
].map((text) => parseDescriptor(text, network));

const time = fc.nat();
const key: fc.Arbitrary<StoredKey> = fc.record({ publicKey: bytes(33), secret: bytes(32) });
const txid = bytes(32).map((raw) => parseTxid(formatHex(raw)));
const outpoints = fc.array(fc.record({ txid, vout: fc.nat() }), { maxLength: 3 });
const sealed = fc.record({ nonce: bytes(24).map(formatHex), box: bytes(48).map(formatHex) });
const place = fc.tuple(bytes(32), fc.nat()).map(([hash, height]) => ({ hash, key: blockKey(hash), height }));
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
  fc.record({
    type: ofType('descriptor-keys'),
    descriptor: fc.string(),
    first: fc.nat(),
    publicKeys: fc.array(fc.array(bytes(33), { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
  }),
  fc.record({ type: ofType('top-up') }),
  fc.record({ type: ofType('rescan'), from: time }),
  fc.record({ type: ofType('rescan'), start: fc.nat(), stop: fc.nat() }, { requiredKeys: ['type', 'start'] }),
  fc.record({ type: ofType('abandon'), txid }),
  fc.record({ type: ofType('remove'), txid }),
  fc.record({ type: ofType('pruned-funds'), tx: transaction, block: place, time, index: fc.nat() }),
  fc.record({ type: ofType('flag'), flag: fc.constant('avoid_reuse' as const), isSet: fc.boolean() }),
  fc.record({ type: ofType('pay-tx-fee'), rate: fc.nat() }),
  fc.record({ type: ofType('payment'), tx: transaction }),
  fc.record({ type: ofType('note'), txid, comment: fc.string(), to: fc.string() }),
  fc.record({ type: ofType('note'), txid, replaces: txid }),
  fc.record({ type: ofType('note'), txid, replacedBy: txid }),
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

const found = fc.oneof(
  transaction.map((tx) => chainTx(tx)),
  txid,
);
const foundBlock = fc.record({
  block: fc.record({ place, time, maxTime: time }).map(({ place: at, ...times }) => ({ ...at, ...times })),
  txs: fc.array(fc.record({ index: fc.nat(), tx: found }), { maxLength: 3 }),
});
const findings = fc.record({
  blocks: fc.array(foundBlock, { maxLength: 3 }),
  mempool: fc.array(found, { maxLength: 3 }),
});

const event: fc.Arbitrary<LoggedEvent> = fc.oneof(
  fc.constant<LoggedEvent>({ type: 'begin', network: 'regtest', rules: 'core-31' }),
  foundBlock.map((at): LoggedEvent => ({ type: 'connected', ...at })),
  fc.tuple(foundBlock, place).map(([at, before]): LoggedEvent => ({ type: 'disconnected', ...at, before })),
  found.map((tx): LoggedEvent => ({ type: 'added', tx })),
  fc.record({
    type: ofType('removed'),
    tx: found,
    reason: fc.constantFrom('replaced', 'conflict', 'reorg', 'dropped'),
  }),
  fc
    .tuple(fc.string(), findings, fc.array(bytes(32), { maxLength: 3 }), place)
    .map(([name, seen, left, tip]): LoggedEvent => ({ type: 'load', name, missed: { ...seen, left, tip } })),
  fc.record({ type: ofType('unload'), name: fc.string() }),
  fc.tuple(fc.string(), walletEvent, findings, place).map(([name, past, seen, tip]): LoggedEvent => {
    const history = [{ at: 1, tip, event: { type: 'wallet', name, event: past } as const }];
    return { type: 'restore', name, history, missed: { ...seen, left: [], tip } };
  }),
  fc.record({ type: ofType('wallet'), name: fc.string(), event: walletEvent }),
  fc
    .tuple(fc.string(), time, findings)
    .map(([name, from, seen]): LoggedEvent => ({ type: 'wallet', name, event: { type: 'rescan', from, found: seen } })),
);

test('journal entries hold every event without loss', () => {
  fc.assert(
    fc.property(time, fc.option(place, { nil: undefined }), event, (at, tip, logged) => {
      const entry = codec.format({ at, tip, event: logged });
      const parsed = codec.parse(entry);
      expect(parsed).toEqual({ at, tip, event: logged });
      expect(codec.format(parsed)).toBe(entry);
    }),
    { numRuns: rounds(300) },
  );
});
