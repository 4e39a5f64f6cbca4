import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';

/** Where a publisher listens. */
export type ZmqEndpoint = { readonly host: string; readonly port: number } | { readonly path: string };

const HIGHEST_PORT = 0xffff;
/** In bytes, with the zero at the end: those of the address of a socket. */
const PATH_SIZE = 108;

/**
 * Reads an address as libzmq binds it: `tcp://HOST:PORT`, or `ipc://PATH`. HOST is an IP address, the name of a network
 * interface, or `*` for all IPv4 addresses; PORT may be `*` for any.
 *
 * @returns why it cannot be bound, as libzmq says it, if it cannot
 */
export function parseEndpoint(address: string): ZmqEndpoint | { readonly fault: string } {
  const [, scheme, rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(address) ?? [];
  if (scheme === 'tcp') return tcpEndpoint(rest);
  if (scheme === 'ipc') return pathEndpoint(rest);
  return { fault: scheme === undefined ? 'Invalid argument' : 'Protocol not supported' };
}

function tcpEndpoint(rest: string): ReturnType<typeof parseEndpoint> {
  const colon = rest.lastIndexOf(':');
  const [name, portText] = [rest.slice(0, Math.max(colon, 0)).replace(/^\[(.*)\]$/s, '$1'), rest.slice(colon + 1)];
  const port = portText === '*' ? 0 : /^[0-9]{1,5}$/.test(portText) ? Number(portText) : -1;
  if (colon < 0 || port < 0 || port > HIGHEST_PORT) return { fault: 'Invalid argument' };
  if (name === '*') return { host: '0.0.0.0', port };
  if (isIP(name) !== 0) return { host: name, port };
  const own = networkInterfaces()[name]?.find(({ family }) => family === 'IPv4');
  return own ? { host: own.address, port } : { fault: 'No such device' };
}

function pathEndpoint(path: string): ReturnType<typeof parseEndpoint> {
  if (encodeUtf8(path).length >= PATH_SIZE) return { fault: 'File name too long' };
  // For libzmq, these begin names that are not files.
  if (path === '' || path.startsWith('@') || path === '*') return { fault: 'Invalid argument' };
  return { path };
}
