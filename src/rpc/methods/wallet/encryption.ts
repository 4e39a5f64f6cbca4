import { RpcError } from '../../../errors.ts';
import { lockVault, unlockVault } from '../../../wallet/vault.ts';
import {
  RPC_INVALID_PARAMETER,
  RPC_WALLET_ENCRYPTION_FAILED,
  RPC_WALLET_PASSPHRASE_INCORRECT,
  RPC_WALLET_WRONG_ENC_STATE,
} from '../../errorCodes.ts';
import type { JsonValue } from '../../jsonValue.ts';
import { int64Of } from '../../members.ts';
import { taken } from '../../wallet/args.ts';
import type { WalletContext, WalletMethod } from '../../wallet/context.ts';
import { encryptWallet, passphraseOf } from '../../wallet/encryption.ts';

const MAX_TIMEOUT = 100_000_000;

const wrongState = (message: string): RpcError => new RpcError(RPC_WALLET_WRONG_ENC_STATE, message);

/** @throws RpcError -8 for an empty one */
function passphraseArg(value: JsonValue | undefined, context: WalletContext): string {
  const passphrase = passphraseOf(value, context);
  if (passphrase !== '') return passphrase;
  const isModern = context.dialect.generation === 'core-31';
  throw new RpcError(RPC_INVALID_PARAMETER, `passphrase ${isModern ? 'cannot' : 'can not'} be empty`);
}

/** @see Bitcoin Core `encryptwallet` */
export const encryptwallet: WalletMethod<string> = {
  name: 'encryptwallet',
  params: [{ name: 'passphrase', type: 'string', isSecret: true }],
  checksLate: true,
  help: `Encrypts the wallet's private keys under a passphrase, now and from now on, and leaves it locked.

Arguments:
1. passphrase    (string, required) the passphrase

Result:
a text

Examples:
> countersign encryptwallet --file passphrase.txt`,
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    if (wallet.disablesPrivateKeys) {
      throw new RpcError(
        RPC_WALLET_ENCRYPTION_FAILED,
        'Error: wallet does not contain private keys, nothing to encrypt.',
      );
    }
    if (wallet.vault.master) throw wrongState('Error: running with an encrypted wallet, but encryptwallet was called.');
    encryptWallet(wallet, passphraseArg(args[0], context), node);
    const done = 'wallet encrypted; The keypool has been flushed and a new HD seed was generated';
    return dialect.generation === 'core-31'
      ? `${done}. You need to make a new backup with the backupwallet RPC.`
      : `${done} (if you are using HD). You need to make a new backup.`;
  },
};

/** @see Bitcoin Core `walletpassphrase` */
export const walletpassphrase: WalletMethod<null> = {
  name: 'walletpassphrase',
  params: [
    { name: 'passphrase', type: 'string', isSecret: true },
    { name: 'timeout', type: 'number' },
  ],
  checksLate: true,
  help: `Unlocks the wallet's private keys for a time. Then, and with walletlock, they are overwritten in memory.

Arguments:
1. passphrase    (string, required) the passphrase
2. timeout       (number, required) for how many seconds

Result:
null

Examples:
> countersign batch --wallet-dir wallets
{"method":"walletpassphrase","params":["...",60]}
{"method":"signrawtransactionwithwallet","params":["0200000001..."]}`,
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    if (!wallet.vault.master) {
      throw wrongState('Error: running with an unencrypted wallet, but walletpassphrase was called.');
    }
    const isModern = dialect.generation === 'core-31';
    const text = taken(args[0], 'string', dialect);
    const timeout = int64Of(taken(args[1], 'number', dialect));
    if (timeout < 0) throw new RpcError(RPC_INVALID_PARAMETER, 'Timeout cannot be negative.');
    const passphrase = passphraseArg(text, context);
    if (!unlockVault(wallet.vault, passphrase)) {
      const wrong = 'Error: The wallet passphrase entered was incorrect';
      throw new RpcError(
        RPC_WALLET_PASSPHRASE_INCORRECT,
        isModern && passphrase.includes('\0')
          ? `Error: The wallet passphrase entered is incorrect. It contains a null character (ie - a zero byte). If the passphrase was set with a version of this software prior to 25.0, please try again with only the characters up to — but not including — the first null character. If this is successful, please set a new passphrase to avoid this issue in the future.`
          : `${wrong}.`,
      );
    }
    const seconds = Math.min(timeout, MAX_TIMEOUT);
    node.keepUnlocked(wallet, seconds);
    if (timeout === 0) lockVault(wallet.vault);
    return null;
  },
};

/** @see Bitcoin Core `walletlock` */
export const walletlock: WalletMethod<null> = {
  name: 'walletlock',
  params: [],
  help: `Locks the wallet's private keys: they are overwritten in memory.

Result:
null

Examples:
> countersign walletlock`,
  run: (_, { wallet }) => {
    if (!wallet.vault.master) {
      throw wrongState('Error: running with an unencrypted wallet, but walletlock was called.');
    }
    lockVault(wallet.vault);
    return null;
  },
};
