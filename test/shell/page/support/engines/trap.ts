import { createServer } from 'node:net';
import { afterAll } from 'vitest';

/** A proxy that answers nothing and notes which hosts it was asked for. */
export interface Trap {
  readonly port: number;
  readonly hosts: () => readonly string[];
}

/** The hosts of their makers, which browsers ask whatever the page does. */
const OF_MAKERS = /(?:^|\.)(?:google|googleapis|gstatic|mozilla|firefox)\.(?:com|org|net)$/;

/** Opens a trap until the tests of the file, or of the `describe` around the call, have ended. */
export async function openTrap(): Promise<Trap> {
  const hosts: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const [, host = 'no request'] = /^[A-Z]+ (?:\w+:\/\/)?(?<host>[^/:\s]+)/.exec(data.toString('latin1')) ?? [];
      if (!OF_MAKERS.test(host)) hosts.push(host);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The trap has no port');
  return { port: address.port, hosts: () => hosts };
}
