import { hash160 } from '../../crypto/hash.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { RpcError } from '../../errors.ts';
import { readOptional } from '../argumentValues.ts';
import { invalidAddressOrKey, RPC_WALLET_ERROR } from '../errorCodes.ts';
import { assertUnlocked, type WalletContext, type WalletMethod } from './context.ts';
import { assertLegacy, secretKeyOf } from './importResult.ts';
import { newSecretKey, setSeed } from './newKeys.ts';

/** @see Bitcoin Core 0.21 `sethdseed` */
export const sethdseed: WalletMethod<null> = {
  name: 'sethdseed',
  needs: 'wallet',
  onlyIn: 'core-0.21',
  params: [
    { name: 'newkeypool', type: 'bool', isOptional: true },
    { name: 'seed', type: 'string', isOptional: true, isSecret: true },
  ],
  checksLate: true,
  help: `Sets the seed from which a 0.21 wallet derives new keys. Keys of a former seed stay in the wallet.

Arguments:
1. newkeypool    (bool, optional, default true) whether new addresses come from the new seed at once, or only after the
                 keys that were derived ahead
2. seed          (string, optional) the seed as a private key in wallet import format; by default a random one

Result:
null

Examples:
> countersign sethdseed true --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    assertLegacy(context);
    if (wallet.disablesPrivateKeys) {
      throw new RpcError(RPC_WALLET_ERROR, 'Cannot set a HD seed to a wallet with private keys disabled');
    }
    assertUnlocked(wallet);
    const flushesPool = readOptional(args[0], 'bool', dialect)?.value ?? true;
    const text = readOptional(args[1], 'string', dialect)?.value;
    const key =
      text === undefined ? { secretKey: newSecretKey(node.random), isCompressed: true } : secretKeyOf(text, context);
    if (!key) throw invalidAddressOrKey('Invalid private key');
    if (hasKey(key.secretKey, context)) {
      throw invalidAddressOrKey('Already have this key (either as an HD seed or as a loose private key)');
    }
    setSeed(key, { flushesPool }, context);
    return null;
  },
};

/** Tells whether the wallet has a private key, under either form of its public key. */
function hasKey(secretKey: Uint8Array, { wallet, ecc = nobleEcc }: WalletContext): boolean {
  return [true, false].some((isCompressed) => wallet.legacy?.hasKey(hash160(ecc.publicKey(secretKey, isCompressed))));
}
