import { tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidAddressOrKey, RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, hexString, optional, string } from '../../../answers/method/parameters.ts';
import { nothing } from '../../../answers/method/results.ts';
import { bytesKey, compareBySize } from '../../../core/bytes/compare.ts';
import { isHex, parseHex } from '../../../core/bytes/hex.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { isValidPublicKey } from '../../../core/crypto/publicKey.ts';
import { stealthKeys } from '../../../core/crypto/stealthKeys.ts';
import { RpcError } from '../../../core/errors.ts';
import { payToPubkeyHash, payToWitness, wrapInScriptHash } from '../../../core/script/build.ts';
import { storeSecret } from '../../wallet/keys/vault.ts';
import { findBookEntry } from '../../wallet/queries/ownership.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { applyToWallet, assertLegacy, assertRescannable, parseSecretKey } from '../importResult.ts';
import { resubmitPayments } from '../resubmitPayments.ts';
import { importAll, watchOutputs } from './importmulti.ts';

/** The birth time of imports without a timestamp. */
const START = 1;

/** @see Litecoin Core `GetAllDestinationsForKey` */
function stealthDestinations(
  publicKey: Uint8Array,
  { wallet, network, dialect }: WalletContext,
): readonly Uint8Array[] {
  if (!dialect.showsMweb || network.mwebHrp === undefined || publicKey.length !== 33) return [];
  const scanKey = wallet.legacy?.hd.scanKey();
  return scanKey ? [stealthKeys(scanKey, publicKey)] : [];
}

/** @see Bitcoin Core `GetAllDestinationsForKey` */
function keyDestinations(publicKey: Uint8Array): readonly Uint8Array[] {
  const hash = hash160(publicKey);
  if (publicKey.length !== 33) return [payToPubkeyHash(hash)];
  const program = payToWitness(0, hash);
  return [payToPubkeyHash(hash), wrapInScriptHash(program), program];
}

const RESCAN_ALL = { type: 'rescan', from: 0 } as const;

/** Rescans, and submits payments again: `importprivkey` alone leaves that out. @see Bitcoin Core 0.21 `importaddress` */
function rescanIf(rescans: boolean, context: WalletContext): void {
  if (!rescans) return;
  applyToWallet(context, [RESCAN_ALL]);
  resubmitPayments(context);
}

const RESCAN = optional(bool('rescan', 'whether to rescan the submitted blocks'), true);

export const importprivkey = lasting(
  walletMethod({
    name: 'importprivkey',
    checksLate: true,
    about: 'Imports a private key into a 0.21 wallet.',
    params: [
      string('privkey', 'the private key in wallet import format', { isSecret: true }),
      optional(string('label', 'a label for its addresses')),
      RESCAN,
    ],
    result: nothing(),
    examples: ['importprivkey --file key.txt'],
    run: (args, context) => {
      const { wallet, node } = context;
      if (wallet.row.disablesPrivateKeys) {
        throw new RpcError(RPC_WALLET_ERROR, 'Cannot import private keys to a wallet with private keys disabled');
      }
      assertLegacy(context);
      assertUnlocked(wallet);
      const text = args.privkey;
      const label = args.label;
      const rescans = args.rescan;
      if (rescans) assertRescannable(context);
      const key = parseSecretKey(text, context);
      if (!key) throw invalidAddressOrKey('Invalid private key encoding');
      const { secretKey } = key;
      const publicKey = (context.ecc ?? nobleEcc).publicKey(secretKey, key.isCompressed);
      const destinations = [...keyDestinations(publicKey), ...stealthDestinations(publicKey, context)];
      const labelled = destinations.filter((script) => label !== undefined || !findBookEntry(wallet, script));
      const isNew = wallet.legacy?.hasKey(hash160(publicKey)) === false;
      const secret = storeSecret(wallet.vault, { publicKey, secretKey }, node.random);
      applyToWallet(context, [
        ...labelled.map((script) => ({ type: 'label', script, label: label ?? '' }) as const),
        ...(isNew ? [{ type: 'key', publicKey, secret, timestamp: START } as const] : []),
      ]);
      if (rescans) applyToWallet(context, [RESCAN_ALL]);
      return null;
    },
  }),
  { until: 'core-29' },
);

export const importaddress = lasting(
  walletMethod({
    name: 'importaddress',
    checksLate: true,
    about: 'Adds an address or a script to a 0.21 wallet, to watch it.',
    params: [
      string('address', 'the address, or the script in hex'),
      optional(string('label', 'a label for it')),
      RESCAN,
      optional(bool('p2sh', 'whether to watch the P2SH form of the script, too'), false),
    ],
    result: nothing(),
    examples: ['importaddress ltc1q...'],
    run: (args, context) => {
      assertLegacy(context);
      const label = args.label ?? '';
      const rescans = args.rescan;
      if (rescans) assertRescannable(context);
      const isP2sh = args.p2sh;
      const text = args.address;
      const address = tryParseAddress(text, context);
      if (address && isP2sh)
        throw invalidAddressOrKey('Cannot use the p2sh flag with an address - use a script instead');
      if (!address && !isHex(text)) throw invalidAddressOrKey(`Invalid ${context.dialect.coinName} address or script`);
      const script = address ?? parseHex(text);
      if (!address && context.wallet.legacy?.hasScript(hash160(script)) === false) {
        applyToWallet(context, [{ type: 'script', script }]);
      }
      const outputs = isP2sh ? [script, wrapInScriptHash(script)] : [script];
      watchOutputs([...outputs].sort(compareBySize), { isSolvable: false, timestamp: START, label }, context);
      rescanIf(rescans, context);
      return null;
    },
  }),
  { until: 'core-29' },
);

export const importpubkey = lasting(
  walletMethod({
    name: 'importpubkey',
    checksLate: true,
    about: 'Adds the addresses of a public key to a 0.21 wallet, to watch them.',
    params: [hexString('pubkey', 'the public key'), optional(string('label', 'a label for its addresses')), RESCAN],
    result: nothing(),
    examples: ['importpubkey 02...'],
    run: (args, context) => {
      assertLegacy(context);
      const label = args.label ?? '';
      const rescans = args.rescan;
      if (rescans) assertRescannable(context);
      const text = args.pubkey;
      if (!isHex(text)) throw invalidAddressOrKey('Pubkey must be a hex string');
      const publicKey = parseHex(text);
      if (!isValidPublicKey(publicKey)) throw invalidAddressOrKey('Pubkey is not a valid public key');
      const outputs = [...keyDestinations(publicKey)].sort(compareBySize);
      watchOutputs(outputs, { isSolvable: true, timestamp: START, label }, context);
      const stealth = stealthDestinations(publicKey, context);
      applyToWallet(
        context,
        stealth.map((script) => ({ type: 'label', script, label })),
      );
      const key = bytesKey(hash160(publicKey));
      const keyOnly = { outputs: [], scripts: [], privateKeys: new Map(), origins: [], isSolvable: true };
      importAll(
        { ...keyOnly, publicKeys: new Map([[key, publicKey]]), order: [key] },
        { timestamp: START, label: undefined },
        context,
      );
      rescanIf(rescans, context);
      return null;
    },
  }),
  { until: 'core-29' },
);
