import { stringifyRpc } from '../../answers/json/stringify.ts';
import { toAnswer } from '../../answers/method/answer.ts';
import type { AnyMethod } from '../../answers/method/method.ts';
import { runMethod } from '../../answers/method/readParams.ts';
import type { Described, Draft } from '../../answers/method/results.ts';
import type { NodeContext } from '../methods/context.ts';

/** Writes the answer of a method. `args`: as the method reads them. @throws RpcError */
export const methodText = (method: AnyMethod<NodeContext>, args: object, context: NodeContext): string =>
  stringifyRpc(runMethod(method, args, { ...context, form: 'text' }));

/** Writes an answer that no method has. */
export const resultText = <R extends Described>(result: R, draft: Draft<R>, context: NodeContext): string =>
  stringifyRpc(toAnswer(result, draft, { ...context, form: 'text' }));
