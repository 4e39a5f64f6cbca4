import { RpcError } from '../../errors.ts';
import { signLegacyMessage } from '../../message/legacyMessage.ts';
import type { KnownKey } from '../../signing/signingProvider.ts';
import { readValue } from '../argumentValues.ts';
import { RPC_WALLET_ERROR } from '../errorCodes.ts';
import { messageKeyHash } from '../util/verifymessage.ts';
import { assertUnlocked, type WalletContext, type WalletMethod } from './context.ts';

/** @see Bitcoin Core `signmessage` */
export const signmessage: WalletMethod<string> = {
  name: 'signmessage',
  needs: 'wallet',
  params: [
    { name: 'address', type: 'string' },
    { name: 'message', type: 'string' },
  ],
  checksLate: true,
  help: `Signs a message with the private key of a P2PKH address of the wallet.

Arguments:
1. address    (string, required) the address
2. message    (string, required) the message

Result:
signature     (string) the signature in base64

Examples:
> countersign signmessage mwio... hello --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect, network, ecc } = context;
    assertUnlocked(wallet);
    const [address = '', message = ''] = [0, 1].map((i) => readValue(args[i], 'string', dialect).value);
    const { hash, scriptPubKey } = messageKeyHash(address, context);
    const key = keyOf(hash, scriptPubKey, context);
    if (!key) throw new RpcError(RPC_WALLET_ERROR, 'Private key not available');
    const { secretKey, publicKey } = key;
    return signLegacyMessage(message, { secretKey, isCompressed: publicKey.length === 33 }, network, ecc);
  },
};

function keyOf(hash: Uint8Array, scriptPubKey: Uint8Array, { wallet }: WalletContext): KnownKey | undefined {
  const { legacy, descriptors } = wallet;
  return (legacy ? legacy.provider : descriptors?.spendingProvider(scriptPubKey))?.key(hash);
}
