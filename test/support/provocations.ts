import { openSecretNonce } from '../../src/core/crypto/musig2/sealedNonce.ts';
import { nobleEcc } from '../../src/core/crypto/nobleEcc.ts';
import { formatBase58Check } from '../../src/core/encoding/base58check.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import * as account from '../../src/kit/account/index.ts';
import { reviewWith, signWith } from '../../src/kit/account/signWith.ts';
import * as labels from '../../src/kit/labels/index.ts';
import * as payment from '../../src/kit/payment/index.ts';
import * as policies from '../../src/kit/policies/index.ts';
import type { BlockKey } from '../../src/node/chain/blockHeader.ts';
import { openChain } from '../../src/node/chain/chainState.ts';
import { reconsiderBlock } from '../../src/node/chain/connect.ts';
import { openTables } from '../../src/node/store/tables.ts';
import { createPageSession } from '../../src/shell/page/pageSession.ts';
import { startRegtest } from '../../src/shell/regtest/index.ts';
import { listenRpc } from '../../src/shell/regtest/listenNowhere.ts';
import * as library from './library.ts';
import { prepare } from './musig2.ts';
import { MODERN, openWalletRpc } from './walletWorld.ts';
import {
  KEY,
  mapOf,
  OFF_CURVE,
  outpoint,
  P2WPKH,
  PREVIOUS,
  PREVIOUS_TXID,
  placed,
  sized,
  tx,
  txIn,
  UNSIGNED,
  u32,
  wire,
} from './wire.ts';

// Calls that fail, with secrets wherever a caller could put them by mistake.

const { main, regtest } = library.networks;

export const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
export const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
export const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

const master = library.parseExtendedKey(XPRV, main);
const zpub = (key: library.ExtendedKey, version: string): string =>
  formatBase58Check(
    library.parseHex(version + library.formatHex(library.parseBase58(library.formatXpub(key, main), 82).slice(4, 78))),
  );
const xpub = library.formatXpub(library.neuter(master), main);
const holder = library.createHolder({
  network: main,
  ecc: library.nobleEcc,
  keys: [library.heldKeyOf(master)].flatMap((one) => one ?? []),
});
const watched = account.parseWalletFile(`wpkh(${xpub}/<0;1>/*)`, { network: 'main' });
const words = account.accountFromWords(PHRASE, { network: 'regtest' });
const cosigner = account.accountFromWords(PHRASE, { network: 'regtest', purpose: 48 });
const legacy = account.accountFromWords(PHRASE, { network: 'regtest', purpose: 44 });
const other = account.accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });

const read = (hex: string, options?: library.TransactionFormat): unknown =>
  library.decodeTransaction(library.parseHex(hex), options);
const spent = library.decodeTransaction(library.parseHex(PREVIOUS));
const unsigned = library.decodeTransaction(library.parseHex(UNSIGNED));
const key = library.nobleEcc.publicKey(new Uint8Array(32).fill(1));
const ZERO = new Uint8Array(32);
const FULL = new Uint8Array(32).fill(0xff);
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
/** Does not say how its coins are spent. */
const SCRIPT_HASH = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';

const decode = (marked: { readonly bytes: Uint8Array }): library.Psbt => library.decodePsbtBytes(marked.bytes);
const psbt = decode(placed(0, 'global'));
const psbt2 = decode(placed(2, 'global'));
const silent = decode(placed(2, 'output', ['09', KEY + KEY], ['03', `${u32(3000)}00000000`]));
const [, { script: _, ...withoutScript } = {}] = silent.outputs;

const session = (): ReturnType<typeof prepare> =>
  prepare({ secretKeys: [key.slice(1), FULL.map(() => 2)], rands: [FULL, FULL], tweaks: [], message: ZERO });
const sighash = (script: string, more: Partial<library.SighashRequest> = {}): unknown =>
  library.sighashForInput({
    tx: unsigned,
    inputIndex: 0,
    prevouts: unsigned.inputs.map(() => ({ value: 5000n, scriptPubKey: library.parseHex(script) })),
    ...more,
  });

const fromScript = (hex: string): library.MessageAddress => ({
  scriptPubKey: library.parseHex(hex),
  provider: library.createSigningProvider(
    { keys: [], scripts: [] },
    { rules: library.CURRENT_RULES, ecc: library.nobleEcc },
  ),
});
const signedBy = (more: Partial<library.SignMessageInput>): string =>
  library.signMessage({
    message: PHRASE,
    from: fromScript(P2WPKH),
    ...more,
  });

const coin = { txid: 'ab'.repeat(32), vout: 0, value: 100_000n, from: words.receive(0) };
const build = (options: Partial<account.BuildOptions>): library.Psbt =>
  account.buildPsbt({ inputs: [coin], outputs: { [PAYEE]: 60_000n }, change: words.change(0), feeRate: 1, ...options });
const request = (): library.SignatureRequest => {
  const step = library.signingRequests(build({})).next();
  if (step.done) throw new Error('nothing is wanted');
  return step.value;
};
const store = library.createMemoryStore();
store.close();

type Provocation = (() => unknown) | `test/${string}.test.ts`;

/** For each code a call that fails with it, or the test that provokes it with means of its own. */
export const PROVOCATIONS: Readonly<Record<ErrorCode, Provocation>> = {
  'bytes/end-of-data': () => library.parsePsbt('cHNidP8B'),
  'bytes/trailing': () => read(`${PREVIOUS}00`),
  'bytes/size-not-minimal': () => read(`${u32(2)}fd0100`),
  'bytes/size-too-large': () => read(`${u32(2)}fe01000002`),
  'bytes/out-of-range': () => library.encodeTransaction({ ...unsigned, version: -1 }),
  'hex/invalid': () => library.parseHex(WIF),
  'base64/invalid': () => library.parseBase64(`${PHRASE}=`),
  'base58/invalid': () => library.parseWif(`${WIF}a`, main),
  'bech32/invalid': () => library.parseAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', main),
  'address/invalid': () => library.parseAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', main),
  'address/network': () => library.parseAddress(PAYEE, main),
  'wif/network': () => library.parseWif(WIF, regtest),
  'wif/invalid': () => library.parseWif('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', main),
  'bip38/passphrase': () =>
    library.decryptKey('6PYNKZ1EAgYgmQfmNVamxyXVWHzK5s6DGhwP4J5o44cvXdoY7sRzhtpUeo', PHRASE, { network: 'main' }),
  'bip38/invalid': () => library.decryptKey(WIF, PHRASE, { network: 'main' }),
  'codex32/invalid': () => library.parseCodex32(PHRASE),
  'codex32/shares': () => library.parseCodex32('MS12NAMEA320ZYXWVUTSRQPNMLKJHGFEDCAXRPP870HKKQRM'),
  'path/invalid': () => library.parsePath(`m/84h/${PHRASE}`),
  'xkey/invalid': () => library.parseExtendedKey(XPRV, regtest),
  'xkey/underivable': () => library.deriveChild(library.neuter(master), 0x8000_0000),
  'xkey/network': () => account.accountFromKey(zpub(master, '045f1cf6'), { network: 'main' }),
  'words/count': () => account.accountFromWords(PHRASE.slice(6)),
  'words/unknown': () => account.accountFromWords(PHRASE.replace('sausage', 'sossage')),
  'words/checksum': () => account.accountFromWords(PHRASE.replace('yellow', 'winner')),
  'words/electrum': () =>
    account.accountFromWords('wild father tree among universe such mobile favorite target dynamic credit identify'),
  'words/gaps': () => library.completeSeedWords(PHRASE, { most: 1 }),
  'words/second-factor': () =>
    library.masterOfElectrumSeed('science dawn member doll dutch real can brick knife deny drive list'),
  'qr/invalid': () => library.encodeUr(new Uint8Array(0), { fragmentSize: 1 }),
  'descriptor/invalid': () => library.parseDescriptor(`wpkh(${PHRASE})`, main),
  'descriptor/checksum': () => library.parseDescriptor(`wpkh(${WIF})#00000000`, main),
  'descriptor/range': () => library.createDeriver(library.parseDescriptor(`wpkh(${XPRV}/*)`, main))(-1),
  'descriptor/underivable': () => library.createDeriver(library.parseDescriptor(`wpkh(${xpub}/0h)`, main))(0),
  'ecc/secret-key': () => library.nobleEcc.publicKey(ZERO),
  'ecc/point': () => library.createReceiver({ scanSecretKey: FULL.map(() => 1), spendKey: FULL }),
  'ecc/fault': 'test/core/signing/signTransaction.test.ts',
  'ecc/size': () =>
    library.nobleEcc.signEcdsa(
      new Uint8Array(31),
      FULL.map(() => 1),
    ),
  'musig2/public-key': () => library.aggregateKeys([ZERO]),
  'musig2/public-nonce': () => library.aggregateNonces([ZERO]),
  'musig2/partial-signature': () => library.aggregatePartialSignatures([FULL, FULL], session().session),
  'musig2/aggregate-nonce': () =>
    library.musig2Session({ aggregateNonce: ZERO, aggregate: library.aggregateKeys([key]), message: ZERO }),
  'musig2/count': () => library.aggregateKeys([]),
  'musig2/infinity': 'test/core/crypto/musig2/signing.test.ts',
  'musig2/tweak': () => library.tweakAggregateKey(library.aggregateKeys([key]), FULL, 'plain'),
  'musig2/rand': () => library.generateNonce({ rand: ZERO, publicKey: key }),
  'musig2/nonce-used': () => {
    const { participants, session: started } = session();
    const [first] = participants;
    if (first) for (const _ of [1, 2]) library.partialSign(first.secretNonce, first.secretKey, started);
  },
  'musig2/signed': 'test/core/psbt/roles/musig2Signer.test.ts',
  'musig2/nonce-key': () => {
    const { participants, session: started } = session();
    const [first, second] = participants;
    if (first && second) library.partialSign(first.secretNonce, second.secretKey, started);
  },
  'musig2/not-participant': 'test/core/crypto/musig2/signing.test.ts',
  'network/unknown': () => library.resolveNetwork(PHRASE as 'main'),
  'network/invalid': () => library.resolveNetwork({ ...main, hrp: PHRASE }),
  'dialect/unknown': () => library.createRpc({ dialect: PHRASE as 'core-32' }),
  'tx/superfluous-witness': () => read(`${u32(2)}00010000${u32(0)}`),
  'tx/unknown-optional-data': () => read(`${u32(2)}00800000${u32(0)}`),
  'tx/hogex-without-output': () => read(`${u32(2)}0008000000${u32(0)}`, { mweb: true }),
  'tx/mweb-body': () => read(`${u32(2)}0008000001${u32(0)}`, { mweb: true }),
  'tx/txid-length': () => library.parseTxid('abcd'),
  'sighash/input-index': () => sighash(P2WPKH, { inputIndex: 7 }),
  'message/format': () => signedBy({ from: fromScript(`76a914${'11'.repeat(20)}88ac`), format: 'simple' }),
  'message/incomplete': () => signedBy({}),
  'message/file': () => library.parseSignedMessage(PHRASE),
  'message/request': () => library.parseMessageRequest(`x\n${PHRASE}`),
  'musig2/nonce-state': () => openSecretNonce(ZERO, { secretKey: FULL.map(() => 1), context: ZERO }),
  'policies/unsupported': () => policies.policyOf(`wpkh(${WIF})`, { name: 'x' }),
  'policies/registration': () =>
    policies.formatRegistration({ name: `${PHRASE}${XPRV}`, template: 'pkh(@0/**)', keys: [xpub] }, 'ledger'),
  'holder/name': () => policies.registerProposal(policies.proposeWallet(watched, holder), { name: `${WIF}${XPRV}` }),
  'labels/invalid': () => labels.parseLabels(`{"type":"xpub","ref":"${XPRV}"}`),
  'labels/size': () => labels.parseLabels(new Uint8Array(64_000_001)),
  'labels/origin': () => labels.labelOrigin(account.accountFromKey(WIF, { network: 'main' })),
  'payment-uri/invalid': () => payment.parsePaymentUri(`bitcoin:${PHRASE}?req-${WIF}=1`),
  'sighash/prevouts': () => sighash(P2WPKH, { prevouts: [] }),
  'sighash/midstate': () => sighash(P2WPKH, { midstate: library.sighashMidstate(spent) }),
  'sighash/type': () => sighash(P2WPKH, { sighashType: 99 }),
  'sighash/single-without-output': () => sighash(P2WPKH, { tx: { ...unsigned, outputs: [] }, sighashType: 3 }),
  'sighash/script-code': () => sighash(`0020${'11'.repeat(32)}`),
  'sighash/leaf': () => sighash(P2WPKH, { annex: ZERO }),
  'sighash/unsignable': () => sighash('6a'),
  'script/flag-unknown': () => library.parseScriptFlags(`P2SH,${PHRASE}`),
  'psbt/unrecognized': () => library.parsePsbt(PHRASE),
  'psbt/magic': () => library.decodePsbtBytes(FULL),
  'psbt/trailing': () => library.decodePsbtBytes(Uint8Array.from([...library.encodePsbt(psbt), 0])),
  'psbt/separator-missing': () => decode(wire(sized('00') + sized(UNSIGNED))),
  'psbt/map-count': () => decode(wire(mapOf(['00', UNSIGNED]))),
  'psbt/duplicate-key': () => decode(placed(0, 'input', ['04', '51'], ['04', '52'])),
  'psbt/key-size': () => decode(placed(0, 'input', ['0400', '51'])),
  'psbt/key-invalid': () => decode(placed(0, 'input', [`02${OFF_CURVE}`, '51'])),
  'psbt/value-size': () => decode(placed(0, 'input', ['03', `${u32(1)}00`])),
  'psbt/value-invalid': () => decode(placed(0, 'input', ['13', 'aa'])),
  'psbt/version-unsupported': () => decode(placed(0, 'global', ['fb', u32(7)])),
  'psbt/version-undefined': () => decode(placed(0, 'global', ['fb', u32(1)])),
  'psbt/unsigned-tx-signed': () => decode(wire(mapOf(['00', tx([txIn(outpoint(PREVIOUS_TXID, 0), '51')], [])]))),
  'psbt/field-not-allowed': () => decode(placed(0, 'input', ['0e', PREVIOUS_TXID])),
  'psbt/field-required': () => decode(wire(mapOf(['fb', u32(2)]))),
  'psbt/utxo-txid-mismatch': () => decode(placed(0, 'input', ['00', UNSIGNED])),
  'psbt/utxo-index': () =>
    decode(wire(mapOf(['00', tx([txIn(outpoint(PREVIOUS_TXID, 9))], [])]), mapOf(['00', PREVIOUS]))),
  'psbt/no-coin': () => library.psbtSighash(psbt, 0),
  'signature/invalid': () => library.applySignature(build({}), request(), new Uint8Array(64).fill(1)),
  'argument/invalid': () => account.accountFromWords(PHRASE.split(' ') as unknown as string),
  'account/at': () => account.accountFromKey(xpub, { purpose: 84 }),
  'account/number': () => account.accountFromKey(xpub, { purpose: 84, at: 'root', account: 7 }),
  'account/no-addresses': () => cosigner.receive(0),
  'account/descriptors': () => account.accountFromDescriptors([`wpkh(${KEY})`, `wpkh(${XPRV}/*)`]),
  'account/purpose': () => account.accountFromKey(xpub, { at: 'root' }),
  'account/nothing-signed': () => signWith(other, build({})),
  'walletfile/format': () => account.parseWalletFile(PHRASE),
  'walletfile/size': () => account.parseWalletFile(new Uint8Array(1 << 24)),
  'walletfile/invalid': () => account.parseWalletFile(`{"descriptor":"wpkh(${PHRASE})","label":"x","blockheight":0}`),
  'walletfile/network': 'test/kit/account/walletFiles/parseWalletFile.test.ts',
  'build/insufficient-funds': () => build({ outputs: { [PAYEE]: 100_001n } }),
  'build/dust': () => build({ outputs: { [PAYEE]: 1n } }),
  'build/previous-transaction': () => build({ inputs: [{ ...coin, from: legacy.receive(0) }] }),
  'build/unknown-size': () => build({ inputs: [{ ...coin, from: SCRIPT_HASH }] }),
  'build/invalid': () => build({ inputs: [] }),
  'policy/invalid': () => reviewWith(words, build({}), { policy: { [PHRASE]: 'warn' } as library.Policy }),
  'policy/refused': () =>
    signWith(
      words,
      build({
        inputs: [{ ...coin, value: 500_000n }],
        outputs: { [PAYEE]: 10_000n },
        fee: 480_000n,
        feeRate: undefined,
      } as never),
    ),
  'silent-payment/inputs': () => library.silentPaymentScripts({ keys: [], outpoints: [], addresses: [] }),
  'silent-payment/count': () =>
    library.silentPaymentScripts({
      keys: [{ secretKey: FULL.map(() => 1), isTaproot: false }],
      outpoints: [{ txid: library.txid(spent), vout: 0 }],
      addresses: new Array(2324).fill({ scanKey: key, spendKey: key }),
    }),
  'psbt/silent-payment': () => library.unsignedTransaction({ ...silent, outputs: [withoutScript] }),
  'psbt/not-modifiable': () => library.addOutput(psbt, { value: 1n, scriptPubKey: ZERO }),
  'psbt/empty': () => library.combinePsbts([]),
  'psbt/different': () => library.combinePsbts([psbt, psbt2]),
  'psbt/not-final': () => library.extractTransaction(psbt),
  'psbt/duplicate-input': () => library.joinPsbts([psbt, psbt]),
  'psbt/not-v0': () => library.joinPsbts([psbt2, psbt2]),
  'psbt/locktime-conflict': 'test/core/psbt/format/version.test.ts',
  'block/unknown': () =>
    reconsiderBlock(
      openChain(main, openTables(library.createMemoryStore()), {
        ecc: nobleEcc,
        explainsFaults: false,
        scriptFault: () => ({ reason: '' }),
      }),
      PHRASE as BlockKey,
    ),
  'filter/invalid': 'test/node/chain/blockFilter.test.ts',
  'page/refused': () => createPageSession().verify(),
  'client/failed': 'test/shell/client/createClient.test.ts',
  'secret/size': 'test/core/crypto/sealing.test.ts',
  'secret/cost': 'test/core/crypto/sealing.test.ts',
  'store/locked': 'test/shell/store/lock.test.ts',
  'store/corrupt': 'test/shell/store/sqliteStore.test.ts',
  'store/unsafe': 'test/shell/store/trust.test.ts',
  'store/full': 'test/shell/store/sqliteStore.test.ts',
  'store/version': 'test/shell/store/sqliteStore.test.ts',
  'store/mismatch': () => {
    const shared = library.createMemoryStore();
    openWalletRpc(MODERN, shared).call('createwallet', ['w']);
    openWalletRpc({ ...MODERN, network: 'litecoin-regtest' }, shared);
  },
  'regtest/no-funds': () => startRegtest().fund('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 10n ** 15n),
  'regtest/state': () => startRegtest().load(JSON.stringify({ words: PHRASE })),
  'regtest/no-server': () => listenRpc(),
  'store/failed': () => store.get(''),
};
