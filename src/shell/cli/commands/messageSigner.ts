import { parseDestination } from '../../../answers/arguments/addressArgument.ts';
import { hasPrivateKeys } from '../../../core/descriptors/derive.ts';
import { type HeldKey, heldKeysIn } from '../../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../../core/holder/heldWallets.ts';
import { parsePath } from '../../../core/keys/path.ts';
import { findMessageSigner, type MessageSigner, type WantedSigner } from '../../../kit/message/messageSigner.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { readDescriptors } from '../input/descriptorFiles.ts';
import type { MessageLine, ToSign } from '../input/messageInput.ts';
import { wantsKeys } from '../input/secretFiles.ts';
import { readSigningKeys } from '../input/signingKeys.ts';
import type { CommandContext } from '../openContext.ts';

/** @throws UsageError for a text that is not an address of the network */
export function scriptOfAddress(address: string, what: string, context: CommandContext): Uint8Array {
  const destination = parseDestination(address, context);
  if (destination && !destination.mwebKeys) return destination.scriptPubKey;
  throw new UsageError(`${what} is not an address of the network ${context.network.name}`);
}

/** `coins` are the scripts of coins. */
export async function openSigner(
  toSign: ToSign,
  coins: readonly Uint8Array[],
  line: MessageLine,
  { context, io }: { readonly context: CommandContext; readonly io: Io },
): Promise<MessageSigner> {
  const wanted = wantedSigner(toSign, line, context);
  const { network, ecc } = context;
  const { keys, wallets } = await openKeys(line, context, io);
  return withUsageErrors(() => findMessageSigner(wanted, coins, { keys, wallets, network, ecc }));
}

function wantedSigner(toSign: ToSign, { path }: MessageLine, context: CommandContext): WantedSigner {
  if (!('address' in toSign)) return toSign;
  const { address } = toSign;
  const scriptPubKey = scriptOfAddress(address, 'the first argument', context);
  return { address, scriptPubKey, ...(path !== undefined && { path: withUsageErrors(() => parsePath(path)) }) };
}

interface Opened {
  readonly keys: readonly HeldKey[];
  readonly wallets: readonly OfferedWallet[];
}

async function openKeys(line: MessageLine, context: CommandContext, io: Io): Promise<Opened> {
  const own = await readDescriptors(line.descriptorsFile, context, io);
  const asks = wantsKeys(line) || !own.some(hasPrivateKeys);
  const { keys, wallets } = asks ? await readSigningKeys(line, context, io) : { keys: [], wallets: [] };
  const named = own.map((descriptor) => ({ descriptor, name: 'the descriptors given' }));
  return { keys: [...keys, ...heldKeysIn(own)], wallets: [...named, ...wallets] };
}
