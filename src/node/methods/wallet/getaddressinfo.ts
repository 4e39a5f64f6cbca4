import { addressText, tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { string } from '../../../answers/method/parameters.ts';
import { type Answer, flag, hex, list, maybe, members, numeric, text, time } from '../../../answers/method/results.ts';
import { addressFault } from '../../../answers/views/addressFault.ts';
import { addressKind, addressKindMembers } from '../../../answers/views/addressJson.ts';
import { addressRules } from '../../../core/address/addressRules.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatPath } from '../../../core/keys/path.ts';
import { classifyScript, type ScriptTemplate } from '../../../core/script/template.ts';
import { toScriptId } from '../../../core/script/unwrap.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import {
  extractDestination,
  findBookEntry,
  findMetadata,
  findOwnership,
  isChange,
} from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { inferSolution, parentDescriptors } from '../solving.ts';

const shapeMembers = {
  address: text(),
  scriptPubKey: hex('the script that it pays to'),
};

const scriptMembers = {
  ...addressKindMembers,
  script: maybe(text('the type of its redeemScript or witnessScript')),
  hex: maybe(hex('its redeemScript or witnessScript')),
  sigsrequired: maybe(numeric('of a multisig')),
  pubkeys: maybe(list(hex(), 'of a multisig')),
  pubkey: maybe(hex()),
  iscompressed: maybe(flag()),
};

const embeddedMembers = { ...scriptMembers, ...shapeMembers };

const addressShapeResult = members(
  {
    ...scriptMembers,
    embedded: maybe(members(embeddedMembers, 'the address inside a P2WSH script inside a P2SH script')),
    ...shapeMembers,
  },
  'the address inside a P2SH or P2WSH script',
);

const addressInfoResult = members({
  ...shapeMembers,
  ismine: flag(),
  solvable: flag('whether the wallet knows how to spend its coins, apart from private keys'),
  desc: maybe(text('of a solvable address')),
  parent_desc: maybe(text('the descriptor of the wallet that it comes from'), { since: 'core-29' }),
  iswatchonly: flag(),
  ...scriptMembers,
  embedded: maybe(addressShapeResult),
  ischange: flag(),
  timestamp: maybe(time('when the key was created')),
  hdkeypath: maybe(text()),
  hdseedid: maybe(hex()),
  hdmasterfingerprint: maybe(hex()),
  labels: list(text()),
});

/** The answer of `getaddressinfo`. */
export type AddressInfoJson = Answer<typeof addressInfoResult>;

type Members = Partial<Omit<AddressInfoJson, 'address' | 'scriptPubKey'>>;

export const getaddressinfo = walletMethod({
  name: 'getaddressinfo',
  checksLate: true,
  about: "Shows the wallet's information about an address.",
  params: [string('address', 'the address')],
  result: addressInfoResult,
  examples: ['getaddressinfo bc1q...'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const { explainsAddresses } = addressRules[dialect.generation];
    const text = args.address;
    const script = tryParseAddress(text, context);
    if (!script) {
      throw new RpcError(
        RPC_INVALID_ADDRESS_OR_KEY,
        explainsAddresses ? addressFault(text, context.network).message : 'Invalid address',
      );
    }
    const ownership = findOwnership(wallet, script);
    const solution = inferSolution(script, context);
    const [parent] = parentDescriptors(script, context);
    const label = findBookEntry(wallet, script)?.label;
    return {
      address: addressText(script, context) ?? '',
      scriptPubKey: formatHex(script),
      ismine: ownership === 'own',
      solvable: solution.isSolvable,
      desc: solution.desc,
      parent_desc: parent,
      iswatchonly: ownership === 'watched',
      ...describeShape(script, solution.provider, context),
      ischange: isChange(wallet, script),
      ...(solution.provider && originMembers(script, context)),
      labels: label === undefined ? [] : [label],
    };
  },
});

/** @see Bitcoin Core `DescribeWalletAddress` */
function describeShape(script: Uint8Array, provider: SigningProvider | undefined, context: WalletContext): Members {
  const template = classifyScript(script, context.dialect.templates);
  return { ...addressKind(script, context.dialect), ...(provider && describeTemplate(template, provider, context)) };
}

function describeTemplate(template: ScriptTemplate, provider: SigningProvider, context: WalletContext): Members {
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
      return describeInner(provider.script(template.hash), provider, context);
    case 'witness_v0_scripthash':
      return describeInner(provider.script(toScriptId(template.program)), provider, context);
    default:
      return {};
  }
}

function describeInner(script: Uint8Array | undefined, provider: SigningProvider, context: WalletContext): Members {
  if (!script) return {};
  const template = classifyScript(script, context.dialect.templates);
  const scriptMembers = { script: template.type, hex: formatHex(script) };
  const destination = extractDestination(context.wallet, script);
  if (destination) {
    const inner = describeShape(destination, provider, context);
    return {
      ...scriptMembers,
      ...(inner.pubkey !== undefined && { pubkey: inner.pubkey }),
      embedded: { ...inner, address: addressText(destination, context) ?? '', scriptPubKey: formatHex(script) },
    };
  }
  if (template.type !== 'multisig') return scriptMembers;
  return { ...scriptMembers, sigsrequired: template.required, pubkeys: template.pubkeys.map((key) => formatHex(key)) };
}

const NO_SEED = '00'.repeat(20);

function originMembers(script: Uint8Array, { wallet, dialect }: WalletContext): Members {
  const metadata = findMetadata(wallet, script);
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
