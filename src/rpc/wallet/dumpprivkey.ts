import { equalBytes } from '../../bytes/compare.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { formatWif } from '../../keys/wif.ts';
import { keyHashOf } from '../../wallet/keyStore.ts';
import { addressArg } from '../addressArgument.ts';
import { readValue } from '../argumentValues.ts';
import { RPC_TYPE_ERROR, RPC_WALLET_ERROR } from '../errorCodes.ts';
import { assertUnlocked, type WalletMethod } from './context.ts';
import { assertLegacy } from './importResult.ts';

/** @see Bitcoin Core 0.21 `dumpprivkey` */
export const dumpprivkey: WalletMethod<string> = {
  name: 'dumpprivkey',
  needs: 'wallet',
  onlyIn: 'core-0.21',
  params: [{ name: 'address', type: 'string' }],
  checksLate: true,
  help: `Shows the private key of an address of a 0.21 wallet. It spends the coins of the address: show it to no one.

Arguments:
1. address    (string, required) the address

Result:
key           (string) the private key in wallet import format

Examples:
> countersign dumpprivkey ltc1q... --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect, network, ecc = nobleEcc } = context;
    assertLegacy(context);
    assertUnlocked(wallet);
    const address = readValue(args[0], 'string', dialect).value;
    const script = addressArg(address, context);
    const provider = wallet.legacy?.provider;
    const hash = keyHashOf(script, {
      templates: dialect.templates,
      scriptOf: (id) => provider?.script(id),
    });
    if (!hash) throw new RpcError(RPC_TYPE_ERROR, 'Address does not refer to a key');
    const key = provider?.key(hash);
    if (key && equalBytes(key.publicKey, ecc.publicKey(key.secretKey, key.publicKey.length === 33))) {
      return formatWif({ secretKey: key.secretKey, isCompressed: key.publicKey.length === 33 }, network);
    }
    const shown = withoutSecrets(address, 'address');
    throw new RpcError(RPC_WALLET_ERROR, `Private key for address ${shown} is not known`);
  },
};
