import { isAbsent, readValue } from '../../../answers/arguments/argumentValues.ts';
import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { methodHelp } from '../../../answers/method/help.ts';
import type { Param } from '../../../answers/method/param.ts';
import { type ReadingParam, reading } from '../../../answers/method/parameters.ts';
import { paramsIn } from '../../../answers/method/readParams.ts';
import { RpcError } from '../../../core/errors.ts';
import type { NodeContext } from '../context.ts';

/** Reads null as an unknown command. */
export const readingCommand = <A>(param: Param<'command', string, A>): ReadingParam<'command', string, A> =>
  reading(param, (value, { dialect }) => (isAbsent(value) ? '' : readValue(value, 'string', dialect).value));

/** Makes the error for a command that a method does not know: its help. */
export function unknownCommand(method: string, { methods, dialect }: NodeContext): RpcError {
  const asked = methods.filter(({ name }) => name === method);
  const [help = ''] = asked.map((each) => methodHelp({ ...each, params: paramsIn(each, dialect) }));
  return new RpcError(RPC_MISC_ERROR, `${help}\n`);
}
