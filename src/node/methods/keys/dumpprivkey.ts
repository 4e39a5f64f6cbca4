import { addressArg } from '../../../answers/arguments/addressArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_TYPE_ERROR, RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { string } from '../../../answers/method/parameters.ts';
import { text } from '../../../answers/method/results.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatWif } from '../../../core/keys/wif.ts';
import { keyHashFor } from '../../wallet/keys/keyStore.ts';
import { assertUnlocked, walletMethod } from '../context.ts';
import { assertLegacy } from '../importResult.ts';

export const dumpprivkey = lasting(
  walletMethod({
    name: 'dumpprivkey',
    checksLate: true,
    about:
      'Shows the private key of an address of a 0.21 wallet. Whoever has it can spend the coins: show it to no one.',
    params: [string('address', 'the address')],
    result: text('the private key in wallet import format'),
    examples: ['dumpprivkey ltc1q... --wallet-dir wallets'],
    run: (args, context) => {
      const { wallet, dialect, network, ecc = nobleEcc } = context;
      assertLegacy(context);
      assertUnlocked(wallet);
      const address = args.address;
      const script = addressArg(address, context);
      const provider = wallet.legacy?.provider;
      const hash = keyHashFor(script, {
        templates: dialect.templates,
        findScript: (id) => provider?.script(id),
      });
      if (!hash) throw new RpcError(RPC_TYPE_ERROR, 'Address does not refer to a key');
      const key = provider?.key(hash);
      if (key && equalBytes(key.publicKey, ecc.publicKey(key.secretKey, key.publicKey.length === 33))) {
        return formatWif({ secretKey: key.secretKey, isCompressed: key.publicKey.length === 33 }, network);
      }
      const redacted = withoutSecrets(address, 'address');
      throw new RpcError(RPC_WALLET_ERROR, `Private key for address ${redacted} is not known`);
    },
  }),
  { until: 'core-29' },
);
