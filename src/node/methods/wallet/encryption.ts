import { RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../../core/errors.ts';
import type { Node } from '../../state/node.ts';
import { openMasterKey, type SealedMasterKey, sealMasterKey, sealSecret } from '../../wallet/keys/sealedSecrets.ts';
import { availableSecrets, lockVault, openVault } from '../../wallet/keys/vault.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import type { NodeContext, WalletContext } from '../context.ts';
import { generateKeys } from '../newKeys.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const NONCE_SIZE = 24;
const KEY_SIZE = 32;
const SALT_SIZE = 16;

export function parsePassphrase(text: string, { dialect }: NodeContext): string {
  return walletMethodRules[dialect.generation].cutsPassphrasesAtNul ? (text.split('\0', 1)[0] ?? '') : text;
}

/** Refuses seals that no wallet makes, since a store may come from anyone. @throws RpcError -4 naming the wallet */
export function withSeals<R>({ wallet, walletDir }: WalletContext, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BtcError && /^(secret|hex)\//.test(error.code))) throw error;
    const name = withoutSecrets(wallet.row.name);
    const place = walletDir === undefined ? '' : ` in ${withoutSecrets(walletDir, 'path')}`;
    throw new RpcError(
      RPC_WALLET_ERROR,
      `Error: the encryption record of wallet "${name}"${place} is damaged or forged (${error.message}): restore a backup`,
    );
  }
}

function sealUnder(masterKey: Uint8Array, passphrase: string, { random, scrypt }: Node): SealedMasterKey {
  return sealMasterKey(masterKey, passphrase, { salt: random(SALT_SIZE), nonce: random(NONCE_SIZE), scrypt });
}

/**
 * Seals the master key under another passphrase. A right old one leaves the wallet locked or unlocked as it was, a
 * wrong one locks it.
 * @returns whether the old passphrase was right
 * @throws BtcError `store/*`: the old passphrase is then still valid
 * @see Bitcoin Core `CWallet::ChangeWalletPassphrase`
 */
export function changePassphrase(
  { row: { name }, vault }: Wallet,
  { former, next }: { readonly former: string; readonly next: string },
  node: Node,
): boolean {
  const masterKey = vault.master && openMasterKey(vault.master, former, node.scrypt);
  if (!masterKey) {
    lockVault(vault);
    return false;
  }
  try {
    node.changeSecrets({
      type: 'wallet',
      name,
      event: { type: 'passphrase', master: sealUnder(masterKey, next, node) },
    });
  } finally {
    masterKey.fill(0);
  }
  return true;
}

/**
 * Encrypts a wallet and leaves it locked. The store purges what is replaced, so that no plain key remains.
 *
 * - `secretKey`: generates new keys from this one before the wallet is locked
 *
 * @throws BtcError `store/*`: the wallet is then as before
 */
export function encryptWallet(passphrase: string, secretKey: Uint8Array | undefined, context: WalletContext): void {
  const { wallet, node } = context;
  const {
    row: { name },
    vault,
  } = wallet;
  const { random } = node;
  const masterKey = random(KEY_SIZE);
  const master = sealUnder(masterKey, passphrase, node);
  const secrets = [...availableSecrets(vault)].map(([publicName, secret]) => {
    const publicKey = Uint8Array.from(publicName, (letter) => letter.charCodeAt(0));
    return { publicKey, secret: sealSecret(masterKey, secret, { context: publicKey, nonce: random(NONCE_SIZE) }) };
  });
  try {
    node.changeSecrets({ type: 'wallet', name, event: { type: 'encrypt', master, secrets } });
    if (!secretKey) return;
    openVault(vault, new Uint8Array(masterKey));
    generateKeys(secretKey, context);
  } finally {
    masterKey.fill(0);
    lockVault(vault);
  }
}
