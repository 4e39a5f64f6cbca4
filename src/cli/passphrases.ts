import type { JsonValue } from '../rpc/json/jsonValue.ts';
import type { RpcParam, RpcSignature } from '../rpc/method.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';

/** Tells whether a parameter holds the passphrase of a wallet. */
export const isPassphrase = ({ name, isSecret }: Pick<RpcParam, 'name' | 'isSecret'>): boolean =>
  isSecret === true && name.endsWith('passphrase');

const QUESTIONS: Readonly<Record<string, string>> = {
  oldpassphrase: 'Old passphrase (not shown): ',
  newpassphrase: 'New passphrase (not shown): ',
};

/**
 * Prompts for the passphrases missing from the arguments of a method, without echo, if nothing else is missing and there
 * is a terminal. Asks for every passphrase twice, except for the old one in `walletpassphrasechange`.
 *
 * - `given`: how many arguments were given
 * @returns the answers, by parameter
 * @throws UsageError if the two entries of a passphrase differ
 */
export async function askPassphrases(
  { params }: RpcSignature,
  given: number,
  io: Io,
): Promise<ReadonlyMap<string, JsonValue>> {
  const answers = new Map<string, JsonValue>();
  const missing = params.slice(given);
  if (!io.isInteractive || !missing.every(isPassphrase)) return answers;
  for (const { name } of missing) {
    const value = await io.ask(QUESTIONS[name] ?? 'Passphrase (not shown): ', { isHidden: true });
    if (name !== 'oldpassphrase' && value !== (await io.ask('Repeat it (not shown): ', { isHidden: true }))) {
      throw new UsageError('the two passphrases differ: nothing was changed');
    }
    answers.set(name, { type: 'string', value });
  }
  return answers;
}
