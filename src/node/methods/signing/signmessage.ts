import { RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { string } from '../../../answers/method/parameters.ts';
import { text } from '../../../answers/method/results.ts';
import { messageKeyHash } from '../../../answers/util/verifymessage.ts';
import { RpcError } from '../../../core/errors.ts';
import type { KnownKey } from '../../../core/signing/signingProvider.ts';
import { signLegacyMessage } from '../../../kit/message/legacyMessage.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';

export const signmessage = walletMethod({
  name: 'signmessage',
  checksLate: true,
  about: 'Signs a message with the private key of a P2PKH address of the wallet.',
  params: [string('address', 'the address'), string('message', 'the message')],
  result: text('the signature in base64'),
  examples: ['signmessage mwio... hello --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, network, ecc } = context;
    assertUnlocked(wallet);
    const { address, message } = args;
    const { hash, scriptPubKey } = messageKeyHash(address, context);
    const key = findKey(hash, scriptPubKey, context);
    if (!key) throw new RpcError(RPC_WALLET_ERROR, 'Private key not available');
    const { secretKey, publicKey } = key;
    return signLegacyMessage(message, { secretKey, isCompressed: publicKey.length === 33 }, network, { ecc });
  },
});

function findKey(hash: Uint8Array, scriptPubKey: Uint8Array, { wallet }: WalletContext): KnownKey | undefined {
  const { legacy, descriptors } = wallet;
  return (legacy ? legacy.provider : descriptors?.spendingProvider(scriptPubKey))?.key(hash);
}
