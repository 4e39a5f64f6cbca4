import { once } from 'node:events';
import type { Server } from 'node:http';
import { UsageError } from '../usageError.ts';
import type { Endpoint } from './endpoints.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program listens there'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EACCES', 'permission denied'],
]);
/** What machines without IPv6 say. */
const NO_SUCH_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Listens everywhere, with one port where the port is free to choose.
 *
 * - `open`: makes one more server
 * @returns where, as `address:port`
 * @throws UsageError where it cannot
 */
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

/** @returns the port, or `undefined` where this machine lacks an address that it need not have */
async function listenAt(server: Server, { address, port, isOptional }: Endpoint): Promise<number | undefined> {
  try {
    server.listen(port, address);
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (isOptional && NO_SUCH_ADDRESS.has(code)) return undefined;
    throw new UsageError(`cannot listen on ${address}, port ${port}: ${REASONS.get(code) ?? code}`);
  }
  const found = server.address();
  return typeof found === 'object' && found ? found.port : port;
}
