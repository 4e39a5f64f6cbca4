import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeScrypt } from '../../src/shell/cli/nodeScrypt.ts';
import { expectHidden, secret } from '../support/hidden.ts';
import {
  addNonce,
  aggregateKeys,
  aggregateNonces,
  createDescriptorProvider,
  createNodeRpc,
  type DialectName,
  deriveForPsbt,
  deterministicSign,
  formatWif,
  formatXprv,
  generateNonce,
  keySigner,
  masterKey,
  musig2Shares,
  type NodeRpc,
  networks,
  nobleEcc,
  openSession,
  parseDescriptor,
  signPsbt,
  withChecksum,
} from '../support/library.ts';
import { make, PAYEE } from '../support/psbts.ts';

/** Nothing that takes a key shows it again, except to a caller who names the member. */

const network = networks.regtest;

function openNode(dialect: DialectName): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  const rpc = createNodeRpc({ network, dialect, clock: () => 0, random, scrypt: nodeScrypt });
  rpc.call('createwallet', ['w', false, true]);
  return rpc;
}

/** Collects everything reachable from a node, including the results of its stores' methods. */
function reachable(rpc: NodeRpc): readonly unknown[] {
  const wallet = rpc.node.wallets.get('w');
  const { descriptors, legacy } = wallet ?? {};
  const owned = descriptors?.descriptors() ?? [];
  const scripts = owned.flatMap(({ derive }) => derive(0).scriptPubKeys);
  const providers = [
    ...(descriptors?.signingProviders(scripts) ?? []),
    ...scripts.map((script) => descriptors?.providerFor(script)),
  ];
  const keys = owned.flatMap(({ derive }) =>
    derive(0).keys.flatMap(({ publicKey }) => providers.map((provider) => provider?.xOnlyKey(publicKey.slice(1)))),
  );
  return [rpc, descriptors, legacy, owned, providers, keys];
}

const GENERATIONS: readonly (readonly [DialectName, (rpc: NodeRpc, wif: string, xprv: string) => unknown])[] = [
  ['core-0.21', (rpc, wif) => rpc.call('importprivkey', [wif, '', false])],
  [
    'core-32',
    (rpc, wif, xprv) => {
      const texts = [`wpkh(${wif})`, `wpkh(${xprv}/0h/*)`, `tr(${xprv}/1/*,pk(${wif}))`, `tr(musig(${wif},${xprv}/3))`];
      const range = (text: string) => (text.includes('*') ? { range: 1 } : {});
      const all = texts.map((text) => ({ desc: withChecksum(text), timestamp: 'now', ...range(text) }));
      const answers = rpc.call('importdescriptors' as string, [all], 'w');
      expect(answers).toMatchObject(texts.map(() => ({ success: true })));
    },
  ],
];

test.each(GENERATIONS)(
  'nodes of %s and their wallets show no keys, whether plain, locked or unlocked',
  (dialect, importKeys) => {
    fc.assert(
      fc.property(secret, (bytes) => {
        const rpc = openNode(dialect);
        const master = masterKey(bytes);
        importKeys(rpc, formatWif({ secretKey: bytes, isCompressed: true }, network), formatXprv(master, network));
        // Reading what a wallet derives needs a call.
        const expectSafe = (): void =>
          rpc.node.inCall(() => {
            for (const value of reachable(rpc))
              expectHidden(value, bytes, ...(master.secretKey ? [master.secretKey] : []));
          });
        expectSafe();
        rpc.call('encryptwallet', ['passphrase']);
        expectSafe();
        rpc.call('walletpassphrase', ['passphrase', 60]);
        expectSafe();
      }),
      { numRuns: 1 },
    );
  },
);

test('sessions, signers and signed PSBTs show no keys', () => {
  fc.assert(
    fc.property(secret, (bytes) => {
      const master = masterKey(bytes);
      const of = `tr(${formatXprv(master, network)}/<0;1>/*)`;
      const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 999_000n }] });
      const derived = deriveForPsbt(psbt, [parseDescriptor(of, network)]);
      const signer = keySigner(createDescriptorProvider(derived));
      const signed = signPsbt(psbt, signer);
      const session = openSession(signed.psbt);
      const secrets = [
        bytes,
        ...[master, ...derived.flatMap(({ keys }) => keys)].flatMap((key) => key.secretKey ?? []),
      ];
      expect(secrets.length).toBeGreaterThan(2);
      for (const value of [psbt, derived, signer, signed, session]) expectHidden(value, ...secrets);
    }),
    { numRuns: 3 },
  );
});

test('MuSig2 nonces and partial signatures show no keys', () => {
  fc.assert(
    fc.property(secret, secret, (bytes, other) => {
      const keys = [bytes, other].map((key) => nobleEcc.publicKey(key));
      const [publicKey = bytes, otherKey = other] = keys;
      const aggregate = aggregateKeys(keys);
      const rand = new Uint8Array(32).fill(7);
      const nonce = generateNonce({ rand, secretKey: bytes, publicKey });
      const { publicNonce } = generateNonce({ rand, secretKey: other, publicKey: otherKey });
      const aggregateOtherNonce = aggregateNonces([publicNonce]);
      const last = deterministicSign({ secretKey: bytes, aggregateOtherNonce, aggregate, message: rand });
      const wif = [bytes, other].map((key) => formatWif({ secretKey: key, isCompressed: true }, network));
      const psbt = make({ inputs: [{ of: `tr(musig(${wif}))` }], outputs: [{ to: PAYEE, value: 999_000n }] });
      const [share] = musig2Shares(psbt);
      if (!share) throw new Error('a share');
      const secretKey = nobleEcc.publicKey(bytes).join() === share.participantPubkey.join() ? bytes : other;
      const added = addNonce(psbt, share, { secretKey, rand });
      for (const value of [aggregate, nonce, last, share, added]) expectHidden(value, bytes, other);
      for (const { secretNonce } of [nonce, added]) {
        expect(inspect(secretNonce, { showHidden: true })).toBe('SecretNonce {}');
        expect(JSON.stringify(secretNonce)).toBe('{}');
        expect(Reflect.ownKeys(structuredClone(secretNonce))).toEqual([]);
      }
    }),
    { numRuns: 3 },
  );
});
