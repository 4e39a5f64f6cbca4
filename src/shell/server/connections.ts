import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export interface Connections {
  readonly watch: (server: Server) => void;
  /**
   * Records a request that has arrived in full. Resolves when earlier requests on the connection are answered: as in
   * Core, the next call then begins.
   */
  readonly takeTurn: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Resolves when the recorded requests are answered. */
  readonly isAnswered: (socket: Socket) => Promise<void>;
  readonly pendingOn: (socket: Socket) => readonly ServerResponse[];
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
}

/** Once `stopping` is aborted, connections are closed after their answers. */
export function createConnections(stopping: AbortSignal): Connections {
  const sockets = new Set<Socket>();
  const pending = new Map<ServerResponse, Socket>();
  const pendingOn = (socket: Socket): readonly ServerResponse[] =>
    [...pending].flatMap(([response, other]) => (other === socket ? [response] : []));
  return {
    watch: (server) => {
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
    },
    takeTurn: async ({ socket }, response) => {
      const earlier = pendingOn(socket);
      pending.set(response, socket);
      response.once('close', () => {
        pending.delete(response);
        if (stopping.aborted) socket.destroySoon();
      });
      await answered(earlier);
    },
    isAnswered: (socket) => answered(pendingOn(socket)),
    pendingOn,
    closeIdle: () => {
      const busy = new Set(pending.values());
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
    },
    closeAll: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function answered(responses: readonly ServerResponse[]): Promise<void> {
  for (const response of responses) {
    // A client that disconnects waits for no answer.
    if (!response.writableEnded) await once(response, 'close').catch(() => undefined);
  }
}

/** Closes servers once the requests that have arrived in full are answered, and disconnects all other clients. */
export async function closeServers(servers: readonly Server[], { closeIdle }: Connections): Promise<void> {
  const closed = servers.map((server) => new Promise((resolve) => closeOf(server).call(server, resolve)));
  closeIdle();
  await Promise.all(closed);
}

/**
 * Finds the function that closes a server once its answers are sent: the close() of node:http cuts off an answer still
 * being sent to a slow reader. Bun's server is not one of node:net.
 */
const closeOf = (server: Pick<NetServer, 'close'>): NetServer['close'] =>
  server instanceof NetServer ? NetServer.prototype.close : server.close;
