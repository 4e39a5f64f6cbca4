import { addressText, parseAddressOf } from '../../../answers/arguments/addressArgument.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { string } from '../../../answers/method/parameters.ts';
import { addressFault } from '../../../answers/views/addressFault.ts';
import { addressKind } from '../../../answers/views/addressJson.ts';
import { addressRules } from '../../../core/address/addressRules.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatPath } from '../../../core/keys/path.ts';
import { classifyScript, type ScriptTemplate } from '../../../core/script/template.ts';
import { scriptIdOf } from '../../../core/script/unwrap.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import { bookEntryOf, destinationOf, isChange, metadataOf, ownershipOf } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { parentsOf, solutionOf } from '../solving.ts';
import type { AddressInfoJson } from '../walletJsonTypes.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

type Members = Partial<Omit<AddressInfoJson, 'address' | 'scriptPubKey'>>;

export const getaddressinfo = walletMethod({
  name: 'getaddressinfo',
  checksLate: true,
  about: "Shows the wallet's information about an address.",
  params: [string('address', 'the address')],
  result: `address, scriptPubKey, ismine, solvable, desc, iswatchonly, isscript, iswitness, witness_version, witness_program,
script, hex, pubkeys, sigsrequired, pubkey, embedded, iscompressed, ischange, timestamp, hdkeypath, hdseedid,
hdmasterfingerprint, labels`,
  examples: ['getaddressinfo bc1q...'],
  run: (args, context): AddressInfoJson => {
    const { wallet, dialect } = context;
    const { explainsAddresses } = addressRules[dialect.generation];
    const { showsParents } = walletMethodRules[dialect.generation];
    const text = args.address;
    const script = parseAddressOf(text, context);
    if (!script) {
      throw new RpcError(
        RPC_INVALID_ADDRESS_OR_KEY,
        explainsAddresses ? addressFault(text, context.network).message : 'Invalid address',
      );
    }
    const ownership = ownershipOf(wallet, script);
    const solution = solutionOf(script, context);
    const [parent] = showsParents ? parentsOf(script, context) : [];
    const label = bookEntryOf(wallet, script)?.label;
    return {
      address: addressText(script, context) ?? '',
      scriptPubKey: formatHex(script),
      ismine: ownership === 'own',
      solvable: solution.isSolvable,
      ...(solution.desc !== undefined && { desc: solution.desc }),
      ...(parent !== undefined && { parent_desc: parent }),
      iswatchonly: ownership === 'watched',
      ...shapeOf(script, solution.provider, context),
      ischange: isChange(wallet, script),
      ...(solution.provider && originMembers(script, context)),
      labels: label === undefined ? [] : [label],
    };
  },
});

/** @see Bitcoin Core `DescribeWalletAddress` */
function shapeOf(script: Uint8Array, provider: SigningProvider | undefined, context: WalletContext): Members {
  const template = classifyScript(script, context.dialect.templates);
  return { ...addressKind(script, context.dialect), ...(provider && knownOf(template, provider, context)) };
}

function knownOf(template: ScriptTemplate, provider: SigningProvider, context: WalletContext): Members {
  switch (template.type) {
    case 'pubkeyhash': {
      const key = provider.publicKey(template.hash);
      return key ? { pubkey: formatHex(key), iscompressed: key.length === 33 } : {};
    }
    case 'witness_v0_keyhash': {
      const key = provider.publicKey(template.program);
      return key ? { pubkey: formatHex(key) } : {};
    }
    case 'scripthash':
      return innerOf(provider.script(template.hash), provider, context);
    case 'witness_v0_scripthash':
      return innerOf(provider.script(scriptIdOf(template.program)), provider, context);
    default:
      return {};
  }
}

function innerOf(script: Uint8Array | undefined, provider: SigningProvider, context: WalletContext): Members {
  if (!script) return {};
  const template = classifyScript(script, context.dialect.templates);
  const shown = { script: template.type, hex: formatHex(script) };
  const destination = destinationOf(context.wallet, script);
  if (destination) {
    const inner = shapeOf(destination, provider, context);
    return {
      ...shown,
      ...(inner.pubkey !== undefined && { pubkey: inner.pubkey }),
      embedded: { ...inner, address: addressText(destination, context) ?? '', scriptPubKey: formatHex(script) },
    };
  }
  if (template.type !== 'multisig') return shown;
  return { ...shown, sigsrequired: template.required, pubkeys: template.pubkeys.map((key) => formatHex(key)) };
}

const NO_SEED = '00'.repeat(20);

function originMembers(script: Uint8Array, { wallet, dialect }: WalletContext): Members {
  const metadata = metadataOf(wallet, script);
  if (!metadata) return {};
  const { time, origin, seedId } = metadata;
  if (!origin) return { timestamp: time };
  return {
    timestamp: time,
    hdkeypath: `m${formatPath(origin.path, dialect.hardenedMark)}`,
    hdseedid: seedId ? formatReversedHex(seedId) : NO_SEED,
    hdmasterfingerprint: formatHex(origin.fingerprint),
  };
}
