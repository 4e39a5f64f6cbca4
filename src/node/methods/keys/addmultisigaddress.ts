import { addressText, parseDestination } from '../../../answers/arguments/addressArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidAddressOrKey, RPC_INTERNAL_ERROR } from '../../../answers/method/errorCodes.ts';
import { array, choice, int32, optional, string } from '../../../answers/method/parameters.ts';
import {
  buildMultisig,
  MULTISIG_TYPES,
  multisigAddressResult,
  parseMultisigType,
  parsePublicKeyArgument,
} from '../../../answers/util/createmultisig.ts';
import { formatHex, isHex } from '../../../core/bytes/hex.ts';
import { isValidPublicKey } from '../../../core/crypto/publicKey.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { wrapInWitness } from '../../../core/script/build.ts';
import { keyHashFor } from '../../wallet/keys/keyStore.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { applyToWallet, assertLegacy } from '../importResult.ts';
import { inferredText } from '../solving.ts';
import { parseLabel } from '../walletArguments.ts';

export const addmultisigaddress = lasting(
  walletMethod({
    name: 'addmultisigaddress',
    checksLate: true,
    about: 'Adds a multisig address to a 0.21 wallet: a number of keys, out of several, can spend from it.',
    params: [
      int32('nrequired', 'how many signatures a spend needs'),
      array(
        'keys',
        string('key', 'a public key, or an address'),
        'public keys in hex, or addresses whose public keys the wallet has, in the order of the script',
      ),
      optional(string('label', 'a label for the address; default none')),
      optional(choice('address_type', MULTISIG_TYPES, 'the kind of the address'), 'bech32'),
    ],
    result: multisigAddressResult,
    examples: ['addmultisigaddress 2 \'["03789e...","03dbc6...","02a1b2..."]\' vault --wallet-dir wallets'],
    run: (args, context) => {
      const { wallet, dialect } = context;
      assertLegacy(context);
      const label = args.label === undefined ? '' : parseLabel(args.label);
      const required = args.nrequired;
      const keys = args.keys.map((text) => resolvePublicKey(text, context));
      const requestedType = parseMultisigType(args.address_type, dialect);
      const { script, scriptPubKey, type } = buildMultisig({ required, keys, requestedType }, dialect);
      const scripts = type === 'legacy' ? [script] : [script, wrapInWitness(script)];
      applyToWallet(context, [
        ...scripts.map((each) => ({ type: 'script', script: each }) as const),
        { type: 'label', script: scriptPubKey, label, purpose: 'send' },
      ]);
      return {
        address: addressText(scriptPubKey, context) ?? '',
        redeemScript: formatHex(script),
        descriptor: wallet.legacy ? inferredText(scriptPubKey, wallet.legacy.provider, context) : '',
      };
    },
  }),
  { until: 'core-29' },
);

/** @see Bitcoin Core 0.21 `AddrToPubKey` */
function resolvePublicKey(text: string, context: WalletContext): Uint8Array {
  const { wallet, dialect } = context;
  if (isHex(text) && (text.length === 66 || text.length === 130)) return parsePublicKeyArgument(text, dialect);
  const redacted = withoutSecrets(text, 'address');
  const destination = parseDestination(text, context);
  if (!destination) throw invalidAddressOrKey(`Invalid address: ${redacted}`);
  const provider = wallet.legacy?.provider;
  const facts = { templates: dialect.templates, findScript: (id: Uint8Array) => provider?.script(id) };
  const hash = destination.mwebKeys ? undefined : keyHashFor(destination.scriptPubKey, facts);
  if (!hash) throw invalidAddressOrKey(`${redacted} does not refer to a key`);
  const key = provider?.publicKey(hash);
  if (!key) throw invalidAddressOrKey(`no full public key for address ${redacted}`);
  if (isValidPublicKey(key)) return key;
  throw new RpcError(RPC_INTERNAL_ERROR, 'Wallet contains an invalid public key');
}
