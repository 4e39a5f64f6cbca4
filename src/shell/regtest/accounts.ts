import type { RpcCall } from '../../answers/method/call.ts';
import { parseAddress } from '../../core/address/address.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import { singlePaths } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { RpcError } from '../../core/errors.ts';
import { derivePath, formatXprv, masterKey } from '../../core/keys/bip32.ts';
import { parsePath } from '../../core/keys/path.ts';
import { seedOfWords, wordsOfEntropy } from '../../core/keys/seedWords.ts';
import { formatWif } from '../../core/keys/wif.ts';
import { networks } from '../../core/network/networks.ts';
import type { TxOut } from '../../core/tx/types.ts';
import { accountFromKey } from '../../kit/account/accountKeys.ts';
import type { RpcMethods } from '../../node/registry.ts';
import { assertAccountCount, assertSats } from './checkedArguments.ts';
import { createWalletHandle, type RegtestWallet } from './wallet.ts';

/** What other wallets and libraries import of an account. */
export interface AccountKeys {
  /** Twelve words of BIP39, without a passphrase. */
  readonly words: string;
  /** With private keys: receive and change descriptors of P2WPKH (BIP84), then those of taproot (BIP86). */
  readonly descriptors: readonly string[];
  /** The first receive address of the words: P2WPKH. */
  readonly address: string;
  /** The private key of `address`. */
  readonly wif: string;
}

/** A funded wallet whose keys are known. */
export interface RegtestAccount extends AccountKeys {
  /** The wallet of the node that has the keys, `dev-1` for the first account. */
  readonly wallet: RegtestWallet;
}

const PURPOSES = [84, 86] as const;
const FIRST_PATH = parsePath('m/84h/1h/0h/0/0');
const ENTROPY_SIZE = 16;

/** Names the wallet of an account. `number`: 1-based. */
const accountName = (number: number): string => `dev-${number}`;

/** Makes the keys of an account, the same for the same seed. `number`: 1-based. */
export function makeAccountKeys(seed: string, number: number, ecc?: Ecc): AccountKeys {
  const given = ecc ? { ecc } : {};
  const words = wordsOfEntropy(sha256(encodeUtf8(`${seed} account ${number}`)).slice(0, ENTROPY_SIZE));
  const master = masterKey(seedOfWords(words), given);
  const accounts = PURPOSES.map((purpose) =>
    accountFromKey(formatXprv(master, 'regtest'), { ...given, network: 'regtest', purpose, at: 'account' }),
  );
  const { secretKey } = derivePath(master, FIRST_PATH, given);
  return {
    words,
    descriptors: accounts
      .flatMap(({ descriptors }) => descriptors.flatMap(singlePaths))
      .map((descriptor) => formatDescriptor(descriptor, 'regtest', { isPrivate: true })),
    address: accounts[0]?.receive(0).address ?? '',
    wif: secretKey ? formatWif({ secretKey, isCompressed: true }, 'regtest') : '',
  };
}

interface Terms {
  readonly count: number;
  /** For each account. */
  readonly sats: bigint;
  readonly seed: string;
  readonly ecc?: Ecc | undefined;
}

interface Payer {
  /** Throws if there is less to give away. */
  readonly assertFunds: (sats: bigint) => void;
  /** Pays in one transaction, in a new block. */
  readonly pay: (outputs: readonly TxOut[]) => void;
}

/** Opens accounts of a seed. Each is made, and paid, by the first call that asks for it. */
export function openAccounts(
  call: RpcCall<RpcMethods>,
  { count, sats, seed, ecc }: Terms,
  { assertFunds, pay }: Payer,
): readonly RegtestAccount[] {
  assertAccountCount(count);
  assertSats(sats);
  const known = new Set(call('listwalletdir').wallets.map(({ name }) => name));
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  assertFunds(sats * BigInt(numbers.filter((number) => !known.has(accountName(number))).length));
  const accounts = numbers.map((number) => openAccount(call, accountName(number), makeAccountKeys(seed, number, ecc)));
  const unpaid = accounts.filter(({ address, wallet }) => wallet.call('getreceivedbyaddress', [address, 0]) === 0);
  const outputs = unpaid.map(({ address }) => ({ value: sats, scriptPubKey: parseAddress(address, networks.regtest) }));
  if (outputs.length > 0) pay(outputs);
  return accounts;
}

function openAccount(call: RpcCall<RpcMethods>, name: string, keys: AccountKeys): RegtestAccount {
  const wallet = createWalletHandle(call, name, { isBlank: true });
  if (!wallet.call('getaddressinfo', [keys.address]).ismine) importKeys(wallet, keys);
  return { ...keys, wallet };
}

/** A wallet without descriptors takes the first key alone, and makes the keys of its change. */
function importKeys({ call }: RegtestWallet, { descriptors, wif }: AccountKeys): void {
  if (!call('getwalletinfo').descriptors) {
    call('sethdseed');
    call('importprivkey', [wif, '', false]);
    return;
  }
  const results = call('importdescriptors', [
    descriptors.map((desc, i) => ({ desc, active: true, internal: i % 2 === 1, timestamp: 'now' as const })),
  ]);
  const fault = results.find(({ success }) => !success)?.error;
  if (fault) throw new RpcError(fault.code, fault.message);
}
