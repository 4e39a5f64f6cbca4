import type { MethodName, PageSession, RequestMessage, ResponseMessage } from './protocol.ts';
import { faultText } from './refusals.ts';

/** Answers a message to the worker, on failure with a sentence that holds no secret. */
export function answer(session: PageSession, message: unknown): ResponseMessage {
  const id = messageId(message);
  try {
    if (!isRequest(session, message)) return { id, error: 'The page sent its worker an unknown request' };
    const run = session[message.method] as (...args: readonly unknown[]) => unknown;
    return { id, result: run(...message.args) };
  } catch (error) {
    return { id, error: faultText(error) };
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function messageId(message: unknown): number {
  const id = isRecord(message) ? message['id'] : undefined;
  return typeof id === 'number' ? id : -1;
}

function isRequest(session: PageSession, message: unknown): message is RequestMessage {
  if (!isRecord(message) || typeof message['id'] !== 'number' || !Array.isArray(message['args'])) return false;
  const { method } = message;
  return typeof method === 'string' && Object.hasOwn(session, method as MethodName);
}
