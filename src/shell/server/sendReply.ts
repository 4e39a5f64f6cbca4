import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HttpReply, reasonPhrase } from './replies.ts';

/** Sends exactly Core's headers. `isLast`: closes the connection, even if the client wants to keep it. */
export function send(
  response: ServerResponse<IncomingMessage>,
  reply: HttpReply,
  { isLast = reply.isLast === true }: { readonly isLast?: boolean } = {},
): void {
  if (response.destroyed || response.headersSent) return;
  const { httpVersionMajor: major, httpVersionMinor: minor } = response.req;
  const isOld = major === 1 && minor === 0;
  const isKept = response.shouldKeepAlive && !isLast;
  response.sendDate = !isOld;
  // HTTP/1.0 announces that a connection stays open; later versions, that it closes.
  if (isKept === isOld) response.setHeader('Connection', isKept ? 'keep-alive' : 'close');
  else response.removeHeader('Connection');
  const body = Buffer.from(reply.body);
  if (reply.contentType !== undefined) response.setHeader('Content-Type', reply.contentType);
  if (reply.cacheControl !== undefined) response.setHeader('Cache-Control', reply.cacheControl);
  if (reply.challenge !== undefined) response.setHeader('WWW-Authenticate', reply.challenge);
  if (reply.contentType !== undefined && (!isOld || isKept)) response.setHeader('Content-Length', body.length);
  response.writeHead(reply.status, reasonPhrase(reply));
  response.end(body);
}

export function sendRaw(socket: Socket, reply: HttpReply): void {
  const lines = [
    `HTTP/1.1 ${reply.status} ${reasonPhrase(reply)}`,
    ...(reply.contentType === undefined ? [] : [`Content-Type: ${reply.contentType}`]),
    ...(reply.cacheControl === undefined ? [] : [`Cache-Control: ${reply.cacheControl}`]),
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(reply.body)}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(reply.body);
  socket.destroySoon();
}
