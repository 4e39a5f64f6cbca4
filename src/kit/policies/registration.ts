import { formatAddress } from '../../core/address/address.ts';
import { createDeriver, singlePaths } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { BtcError } from '../../core/errors.ts';
import { jadeNetwork } from '../account/walletFiles/walletPolicy.ts';
import { canonicalPolicy, type PolicyOptions, type ReadPolicy, readPolicy, type WalletPolicy } from './walletPolicy.ts';

/** What a hardware signer, or the standard that it reads, takes. */
export type RegistrationFormat = 'ledger' | 'coldcard' | 'jade' | 'bsms';

interface Device {
  readonly title: string;
  readonly name: RegExp;
  /** What names match `name`. */
  readonly names: string;
  readonly mostKeys: number;
  readonly longestTemplate: number;
  readonly write: (policy: WalletPolicy, read: ReadPolicy) => string;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;
const NUMBERED = 15;

const DEVICES: Readonly<Record<RegistrationFormat, Device>> = {
  // LedgerHQ/app-bitcoin-new: `WalletPolicy` of its clients.
  ledger: {
    title: 'Ledger',
    name: /^(?! )[ -~]{1,64}(?<! )$/,
    names: 'names of 1 to 64 ASCII characters, without a space at either end',
    mostKeys: NUMBERED,
    longestTemplate: 512,
    write: ({ name, template, keys }) => json({ name, descriptor_template: template, keys_info: keys }),
  },
  // Coldcard/firmware: `shared/multisig.py`, and `shared/wallet.py` of Edge.
  coldcard: {
    title: 'Coldcard',
    name: /^[ -~]{2,20}$/,
    names: 'names of 2 to 20 ASCII characters',
    mostKeys: NUMBERED,
    longestTemplate: NO_LIMIT,
    write: ({ name }, { descriptor, network }) => json({ name, desc: formatDescriptor(descriptor, network) }),
  },
  // Blockstream/Jade: `register_descriptor`.
  jade: {
    title: 'Jade',
    name: /^[!-~]{1,15}$/,
    names: 'names of 1 to 15 ASCII characters, without spaces',
    mostKeys: NUMBERED,
    longestTemplate: 511,
    write: ({ name, template, keys }, read) => {
      const network = jadeNetwork(read.network);
      if (network === undefined) throw refused('format', 'Jade registers wallets of Bitcoin only');
      return json({
        network,
        descriptor_name: name,
        descriptor: template,
        datavalues: Object.fromEntries(keys.map((key, index) => [`@${index}`, key])),
      });
    },
  },
  // The record has no name.
  bsms: {
    title: 'BSMS',
    name: /^/,
    names: '',
    mostKeys: NO_LIMIT,
    longestTemplate: NO_LIMIT,
    write: writeBsms,
  },
};

const json = (value: object): string => JSON.stringify(value, null, 2);

/**
 * Writes a policy as a hardware signer registers it, or as its programs send it: JSON for Ledger (the members of its clients),
 * Coldcard (`name` and `desc`) and Jade (the parameters of `register_descriptor`), and the four lines of a BSMS record.
 *
 * @throws `policies/registration` for a name, or a size, that the signer refuses; as `policyDescriptor`
 * @see BIP129 "Descriptor Record", BIP388
 *
 * @example
 * ```ts
 * import { formatRegistration } from 'countersign/policies';
 *
 * const key = "[73c5da0a/84'/0'/0']xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
 * const policy = { name: 'Savings', template: 'wpkh(@0/**)', keys: [key] };
 * JSON.parse(formatRegistration(policy, 'ledger')).descriptor_template; // wpkh(@0/**)
 * formatRegistration(policy, 'bsms').split('\n')[3]; // bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu
 * ```
 */
export function formatRegistration(
  policy: WalletPolicy,
  format: RegistrationFormat,
  options: PolicyOptions = {},
): string {
  const read = readPolicy(policy, options);
  const device = Object.hasOwn(DEVICES, format) ? DEVICES[format] : undefined;
  if (!device) throw refused('format', `There is no such format: choose ${Object.keys(DEVICES).join(', ')}`);
  const { title, name, names, mostKeys, longestTemplate } = device;
  if (!name.test(policy.name)) throw refused('name', `${title} takes ${names}: choose another name`);
  const canonical = canonicalPolicy(policy.name, read);
  if (canonical.keys.length > mostKeys) throw refused('keys', `${title} takes at most ${mostKeys} keys`);
  if (canonical.template.length > longestTemplate) {
    throw refused('template', `${title} takes templates of at most ${longestTemplate} characters`);
  }
  return device.write(canonical, read);
}

const refused = (what: 'format' | 'name' | 'keys' | 'template', message: string): BtcError =>
  new BtcError('policies/registration', { what }, message);

/** Without a line break at the end, as Coldcard reads it. */
function writeBsms({ template, keys }: WalletPolicy, { descriptor, network }: ReadPolicy): string {
  const [receive = descriptor] = singlePaths(descriptor);
  const [script = new Uint8Array(0)] = createDeriver(receive)(0).scriptPubKeys;
  const isUsual = !template.includes('/<');
  const record = template.replace(/@(\d+)/g, (_, index: string) => keys[Number(index)] ?? '');
  const lines = isUsual ? [record, '/0/*,/1/*'] : [formatDescriptor(descriptor, network), 'No path restrictions'];
  return ['BSMS 1.0', ...lines, formatAddress(script, network) ?? ''].join('\n');
}
