import type { JsonValue } from '../rpc/jsonValue.ts';
import type { RpcParam, RpcSignature } from '../rpc/method.ts';
import type { Io } from './io.ts';
import { UsageError } from './usageError.ts';

/** Whether a parameter holds the passphrase of a wallet. */
export const isPassphrase = ({ name, isSecret }: Pick<RpcParam, 'name' | 'isSecret'>): boolean =>
  isSecret === true && name.endsWith('passphrase');

const QUESTIONS: Readonly<Record<string, string>> = {
  oldpassphrase: 'Old passphrase (not shown): ',
  newpassphrase: 'New passphrase (not shown): ',
};

/**
 * Asks for the passphrases that the arguments of a method lack, without showing them, where nothing else is missing and
 * a person is there; for a new one twice.
 *
 * - `given`: how many arguments there are
 * @returns the answers, by parameter
 * @throws UsageError where a new one is typed in two ways
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
    if (name !== 'oldpassphrase' && value !== (await io.ask('The same again (not shown): ', { isHidden: true }))) {
      throw new UsageError('the two passphrases differ: nothing was changed');
    }
    answers.set(name, { type: 'string', value });
  }
  return answers;
}
