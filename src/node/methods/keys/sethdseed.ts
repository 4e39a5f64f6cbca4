import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidAddressOrKey, RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, optional, string } from '../../../answers/method/parameters.ts';
import { nothing } from '../../../answers/method/results.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { RpcError } from '../../../core/errors.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { assertLegacy, parseSecretKey } from '../importResult.ts';
import { newSecretKey, setSeed } from '../newKeys.ts';

export const sethdseed = lasting(
  walletMethod({
    name: 'sethdseed',
    checksLate: true,
    about: 'Sets the seed from which a 0.21 wallet derives new keys. Keys of a former seed stay in the wallet.',
    params: [
      optional(
        bool(
          'newkeypool',
          'whether new addresses come from the new seed at once, or only after the keys that were derived ahead',
        ),
        true,
      ),
      optional(
        string('seed', 'the seed as a private key in wallet import format; by default a random one', {
          isSecret: true,
        }),
      ),
    ],
    result: nothing(),
    examples: ['sethdseed true --wallet-dir wallets'],
    run: (args, context) => {
      const { wallet, node } = context;
      assertLegacy(context);
      if (wallet.row.disablesPrivateKeys) {
        throw new RpcError(RPC_WALLET_ERROR, 'Cannot set a HD seed to a wallet with private keys disabled');
      }
      assertUnlocked(wallet);
      const flushesPool = args.newkeypool;
      const text = args.seed;
      const key =
        text === undefined
          ? { secretKey: newSecretKey(node.random), isCompressed: true }
          : parseSecretKey(text, context);
      if (!key) throw invalidAddressOrKey('Invalid private key');
      if (hasKey(key.secretKey, context)) {
        throw invalidAddressOrKey('Already have this key (either as an HD seed or as a loose private key)');
      }
      setSeed(key, { flushesPool }, context);
      return null;
    },
  }),
  { until: 'core-29' },
);

/** Looks for either form of the public key. */
function hasKey(secretKey: Uint8Array, { wallet, ecc = nobleEcc }: WalletContext): boolean {
  return [true, false].some((isCompressed) => wallet.legacy?.hasKey(hash160(ecc.publicKey(secretKey, isCompressed))));
}
