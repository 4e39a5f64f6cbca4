import { stringifyRpc } from '../../answers/json/stringify.ts';

/** A reply of Esplora, before it becomes one of HTTP. */
export interface EsploraReply {
  readonly status: number;
  readonly type: 'text/plain' | 'application/json' | 'application/octet-stream';
  readonly body: string | Uint8Array;
}

export const textReply = (body: string, status = 200): EsploraReply => ({ status, type: 'text/plain', body });

/** Amounts are bigints, in satoshi. Omits undefined members. */
export const jsonReply = (value: object): EsploraReply => ({
  status: 200,
  type: 'application/json',
  body: stringifyRpc(value),
});

export const bytesReply = (body: Uint8Array): EsploraReply => ({ status: 200, type: 'application/octet-stream', body });

export const badRequest = (text: string): EsploraReply => textReply(text, 400);

export const notFound = (text: string): EsploraReply => textReply(text, 404);
