import {
  RPC_INVALID_PARAMETER,
  RPC_WALLET_ENCRYPTION_FAILED,
  RPC_WALLET_PASSPHRASE_INCORRECT,
  RPC_WALLET_WRONG_ENC_STATE,
} from '../../../answers/method/errorCodes.ts';
import { int64, string } from '../../../answers/method/parameters.ts';
import { nothing, text } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { unlockVault } from '../../wallet/keys/vault.ts';
import { lockWallet } from '../../wallet/records/walletState.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { applyToWallet } from '../importResult.ts';
import { newSecretKey } from '../newKeys.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { changePassphrase, encryptWallet, parsePassphrase, withSeals } from './encryption.ts';

const MAX_TIMEOUT = 100_000_000;

const wrongState = (message: string): RpcError => new RpcError(RPC_WALLET_WRONG_ENC_STATE, message);

function nonEmptyPassphrase(text: string, context: WalletContext): string {
  const passphrase = parsePassphrase(text, context);
  if (passphrase !== '') return passphrase;
  throw emptyPassphrase(context);
}

function emptyPassphrase({ dialect }: WalletContext): RpcError {
  return new RpcError(RPC_INVALID_PARAMETER, walletMethodRules[dialect.generation].emptyPassphrase);
}

/** Core 29's hint that older nodes cut a passphrase at its first NUL. */
const WITH_NUL = ', please try again with only the characters up to — but not including — the first null character.';

function wrongPassphrase(
  passphrase: string,
  { what, since, advice = '' }: { readonly what: string; readonly since: string; readonly advice?: string },
): RpcError {
  const message = passphrase.includes('\0')
    ? `Error: The ${what} entered is incorrect. It contains a null character (ie - a zero byte). If the ${since} was set with a version of this software prior to 25.0${WITH_NUL}${advice}`
    : 'Error: The wallet passphrase entered was incorrect.';
  return new RpcError(RPC_WALLET_PASSPHRASE_INCORRECT, message);
}

/** Tells whether encryption must replace keys of the wallet's own. @see Bitcoin Core `CWallet::EncryptWallet` */
const hasOwnKeys = ({ legacy, row: { isBlank } }: WalletContext['wallet']): boolean =>
  legacy ? legacy.hd.seed() !== undefined : !isBlank;

export const encryptwallet = walletMethod({
  name: 'encryptwallet',
  checksLate: true,
  about: `Encrypts the wallet's private keys, present and future, under a passphrase, and leaves the wallet locked.
The memory of the process may still hold copies of the keys that cannot be overwritten: restart it afterwards.`,
  params: [string('passphrase', 'the passphrase', { isSecret: true })],
  result: text('a message'),
  examples: ['encryptwallet --file passphrase.txt'],
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    if (wallet.row.disablesPrivateKeys) {
      throw new RpcError(
        RPC_WALLET_ENCRYPTION_FAILED,
        'Error: wallet does not contain private keys, nothing to encrypt.',
      );
    }
    if (wallet.vault.master) throw wrongState('Error: running with an encrypted wallet, but encryptwallet was called.');
    const secretKey = hasOwnKeys(wallet) ? newSecretKey(node.random) : undefined;
    encryptWallet(nonEmptyPassphrase(args.passphrase, context), secretKey, context);
    const { encrypted } = walletMethodRules[dialect.generation];
    return `wallet encrypted; The keypool has been flushed and a new HD seed was generated${encrypted}`;
  },
});

export const walletpassphrase = walletMethod({
  name: 'walletpassphrase',
  checksLate: true,
  about:
    "Unlocks the wallet's private keys for a time. After that time, or by walletlock, they are erased from memory.",
  params: [string('passphrase', 'the passphrase', { isSecret: true }), int64('timeout', 'the time in seconds')],
  result: nothing(),
  examples: [
    `batch --wallet-dir wallets\n{"method":"walletpassphrase","params":["...",60]}\n{"method":"signrawtransactionwithwallet","params":["0200000001..."]}`,
  ],
  run: (args, context) => {
    const { wallet, node } = context;
    if (!wallet.vault.master) {
      throw wrongState('Error: running with an unencrypted wallet, but walletpassphrase was called.');
    }
    const text = args.passphrase;
    const timeout = args.timeout;
    if (timeout < 0) throw new RpcError(RPC_INVALID_PARAMETER, 'Timeout cannot be negative.');
    const passphrase = nonEmptyPassphrase(text, context);
    if (!withSeals(context, () => unlockVault(wallet.vault, passphrase, node.scrypt))) {
      throw wrongPassphrase(passphrase, {
        what: 'wallet passphrase',
        since: 'passphrase',
        advice: ' If this is successful, please set a new passphrase to avoid this issue in the future.',
      });
    }
    if (wallet.legacy?.hd.canTopUp() || wallet.descriptors?.canTopUpActive()) {
      applyToWallet(context, [{ type: 'top-up' }]);
    }
    const seconds = Math.min(timeout, MAX_TIMEOUT);
    node.keepUnlocked(wallet, seconds);
    if (timeout === 0) lockWallet(wallet);
    return null;
  },
});

export const walletpassphrasechange = walletMethod({
  name: 'walletpassphrasechange',
  checksLate: true,
  about: `Changes the wallet's passphrase. Encrypts the master key anew, with a new salt and the current scrypt cost, and
overwrites the old copy in the store. Backups keep the old passphrase.`,
  params: [
    string('oldpassphrase', 'the current passphrase', { isSecret: true }),
    string('newpassphrase', 'the new passphrase', { isSecret: true }),
  ],
  result: nothing(),
  examples: ['walletpassphrasechange --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, node } = context;
    if (!wallet.vault.master) {
      throw wrongState('Error: running with an unencrypted wallet, but walletpassphrasechange was called.');
    }
    const former = parsePassphrase(args.oldpassphrase, context);
    const next = parsePassphrase(args.newpassphrase, context);
    if (former === '' || next === '') throw emptyPassphrase(context);
    if (withSeals(context, () => changePassphrase(wallet, { former, next }, node))) return null;
    throw wrongPassphrase(former, { what: 'old wallet passphrase', since: 'old passphrase' });
  },
});

export const walletlock = walletMethod({
  name: 'walletlock',
  about: 'Locks the wallet: erases its private keys from memory.',
  params: [],
  result: nothing(),
  examples: ['walletlock'],
  run: (_, { wallet }) => {
    if (!wallet.vault.master) {
      throw wrongState('Error: running with an unencrypted wallet, but walletlock was called.');
    }
    lockWallet(wallet);
    return null;
  },
});
