import { once } from 'node:events';
import type { Server } from 'node:http';
import { UsageError } from '../terminal/usageError.ts';
import type { Endpoint } from './endpoints.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is already in use'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EACCES', 'permission denied'],
]);
/** The errors of a machine that lacks the address, such as one without IPv6. */
const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Returns `address:port` of each endpoint. Those with port 0 share the port of the first. */
export async function listen(open: () => Server, endpoints: readonly Endpoint[]): Promise<readonly string[]> {
  const places: string[] = [];
  let chosen = 0;
  for (const endpoint of endpoints) {
    const port = await listenAt(open(), { ...endpoint, port: endpoint.port === 0 ? chosen : endpoint.port });
    if (port === undefined) continue;
    chosen = port;
    places.push(endpoint.address.includes(':') ? `[${endpoint.address}]:${port}` : `${endpoint.address}:${port}`);
  }
  return places;
}

/** Returns `undefined` for an optional address that this machine lacks. */
async function listenAt(server: Server, { address, port, isOptional, option }: Endpoint): Promise<number | undefined> {
  try {
    server.listen(port, address);
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (isOptional && NO_SUCH_ADDRESS.has(code)) return undefined;
    const subject = option === undefined ? '' : `${option}: `;
    throw new UsageError(`${subject}cannot listen on ${address}, port ${port}: ${REASONS.get(code) ?? code}`);
  }
  const bound = server.address();
  return typeof bound === 'object' && bound ? bound.port : port;
}
