import { printable } from '../../core/encoding/printable.ts';
import { mayHoldPrivateKey } from '../../core/encoding/redaction.ts';
import { hasKeyForm } from '../../core/encoding/writtenSecrets.ts';

/** A call as it is sent. */
export interface Request {
  readonly method: string;
  readonly text: string;
  readonly hasSecret: boolean;
}

/** Where two replies part, with the text around that place. */
export interface Difference {
  /** As a request has it. */
  readonly call: string;
  readonly node: string;
  readonly ours: string;
}

/** Any 51 or 52 letters and digits in a row may be a private key, but for those of a PSBT. */
const PSBT = /cHNidP[0-9A-Za-z+/]*/g;

export const mayHoldKeys = (call: string): boolean => mayHoldPrivateKey(call.replace(PSBT, ''));

/** A reply that is help has as many words as a seed, and more. */
const mayHoldKey = (reply: string): boolean => hasKeyForm(reply.replace(PSBT, ''));

/** In characters: what is shown before the place and from it on. */
const BEFORE = 30;
const AFTER = 70;
const LONGEST_CALL = 160;

/** A node answers a wrong number of arguments with the help of the method, whose words are its own. */
const isHelp = (reply: string, method: string): boolean =>
  reply.startsWith(`{"result":null,"error":{"code":-1,"message":"${method}`);

/** Shows nothing where one of the texts may hold a secret. Returns `undefined` for equal replies. */
export function findDifference(
  { method, text: call, hasSecret }: Request,
  node: string,
  ours: string,
): Difference | undefined {
  if (node === ours || (isHelp(node, method) && isHelp(ours, method))) return undefined;
  if (hasSecret || mayHoldKey(node) || mayHoldKey(ours)) {
    const hidden = '(not shown: it may hold a secret)';
    return { call: hidden, node: hidden, ours: hidden };
  }
  let at = 0;
  while (at < node.length && node[at] === ours[at]) at += 1;
  return { call: excerpt(call, 0, LONGEST_CALL), node: excerpt(node, at), ours: excerpt(ours, at) };
}

function excerpt(text: string, at: number, after = AFTER): string {
  const start = Math.max(0, at - BEFORE);
  const end = at + after;
  return `${start > 0 ? '...' : ''}${printable(text.slice(start, end))}${end < text.length ? '...' : ''}`;
}
