import { concealed } from '../../core/crypto/concealed.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { isSecretKey } from '../../core/crypto/scalar.ts';
import { withKeys, withoutSecretKeys } from '../../core/descriptors/keyExpressions.ts';
import type { Descriptor, KeyExpression } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import { type ExtendedKey, keyFingerprint, masterKey } from '../../core/keys/bip32.ts';
import { HARDENED } from '../../core/keys/path.ts';
import type { WifKey } from '../../core/keys/wif.ts';
import { type OutputKind, SIDES, type Side } from '../wallet/keys/activeDescriptors.ts';
import { normalize, secretsIn } from '../wallet/keys/descriptorKeys.ts';
import { type Random, storeSecret } from '../wallet/keys/vault.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import { OUTPUT_KINDS } from '../wallet/records/newAddresses.ts';
import type { WalletContext } from './context.ts';
import { applyToWallet } from './importResult.ts';

const KEY_SIZE = 32;

/**
 * Draws a private key. One draw in 2^127 is not a key, so a second such draw shows a broken source.
 * @throws `argument/invalid`
 * @see Bitcoin Core `CKey::MakeNewKey`
 */
export function newSecretKey(random: Random): Uint8Array {
  for (let draw = 0; draw < 2; draw += 1) {
    const bytes = random(KEY_SIZE);
    if (isSecretKey(bytes)) return concealed(bytes);
  }
  const reason = 'its bytes are not random: pass a secure source, such as crypto.getRandomValues';
  throw new BtcError('argument/invalid', { argument: 'random', reason }, `No key can be made from random: ${reason}`);
}

/** Makes a private key the source of new addresses. The wallet must not be locked. */
export function generateKeys(secretKey: Uint8Array, context: WalletContext): void {
  const { wallet, ecc = nobleEcc } = context;
  if (wallet.legacy) {
    setSeed({ secretKey, isCompressed: true }, { flushesPool: true }, context);
    return;
  }
  const master = masterKey(secretKey, { ecc });
  for (const side of SIDES) for (const kind of OUTPUT_KINDS) activateDescriptor(master, { kind, side }, context);
}

/** The wallet must not be locked. @see Bitcoin Core 0.21 `SetHDSeed` */
export function setSeed(
  { secretKey, isCompressed }: WifKey,
  { flushesPool }: { readonly flushesPool: boolean },
  context: WalletContext,
): void {
  const { wallet, node, ecc = nobleEcc } = context;
  const publicKey = ecc.publicKey(secretKey, isCompressed);
  const hasScanKey = wallet.vault.master !== undefined || !wallet.row.isBlank;
  const secret = storeSecret(wallet.vault, { publicKey, secretKey }, node.random);
  const fingerprint = keyFingerprint(masterKey(secretKey, { ecc }));
  applyToWallet(context, [
    { type: 'key', publicKey, secret, timestamp: node.now() },
    { type: 'seed', publicKey, fingerprint, hasScanKey, flushesPool },
  ]);
}

interface AddressUse {
  readonly kind: OutputKind;
  readonly side: Side;
}

const PURPOSES: Readonly<Record<OutputKind, number>> = { legacy: 44, 'p2sh-segwit': 49, bech32: 84, bech32m: 86 };

/** @see Bitcoin Core 31 `GenerateWalletDescriptor` */
export function walletDescriptor(
  master: ExtendedKey,
  { kind, side }: AddressUse,
  { network }: WalletContext,
): Descriptor {
  const coin = network.isMain ? 0 : 1;
  const steps = [PURPOSES[kind], coin, 0].map((step) => step + HARDENED);
  const path = [...steps, side === 'internal' ? 1 : 0];
  const key: KeyExpression = { kind: 'extended', key: master, path, wildcard: 'unhardened', mark: 'h' };
  switch (kind) {
    case 'legacy':
      return { kind: 'pkh', key };
    case 'p2sh-segwit':
      return { kind: 'sh', inner: { kind: 'wpkh', key } };
    case 'bech32':
      return { kind: 'wpkh', key };
    default:
      return { kind: 'tr', key, leaves: [] };
  }
}

/**
 * Adds the descriptor and makes it active. The wallet must not be locked, and `master` must have its private key.
 * @see Bitcoin Core 31 `CWallet::SetupDescriptorScriptPubKeyMan`
 */
export function activateDescriptor(master: ExtendedKey, use: AddressUse, context: WalletContext): void {
  const terms = {
    isActive: true,
    isInternal: use.side === 'internal',
    isGenerated: true,
    end: context.node.rules.keypool,
  } as const;
  addDescriptor(walletDescriptor(master, use, context), terms, context);
}

/** Adds a descriptor with its private keys. The wallet must not be locked. */
export function addDescriptor(
  descriptor: Descriptor,
  terms: Pick<Extract<WalletEvent, { readonly type: 'descriptor' }>, 'isActive' | 'isInternal' | 'isGenerated' | 'end'>,
  context: WalletContext,
): void {
  const { wallet, node, ecc = nobleEcc } = context;
  const publicDescriptor = withKeys(descriptor, withoutSecretKeys);
  const normalized = normalize(descriptor, ecc) ?? publicDescriptor;
  const secrets = secretsIn(descriptor).map((key) => ({
    publicKey: key.publicKey,
    secret: storeSecret(wallet.vault, key, node.random),
  }));
  const range = { first: 0, next: 0, timestamp: node.now() };
  applyToWallet(context, [
    { type: 'descriptor', descriptor: publicDescriptor, normalized, secrets, ...range, ...terms },
  ]);
}
