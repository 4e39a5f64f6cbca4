import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server, and the requests on them that are not yet answered. */
export interface Connections {
  /** Tracks the connections of a listening server. */
  readonly watch: (server: Server) => void;
  /**
   * Records a request that has arrived in full; its connection is closed after the answer once the server stops.
   * Resolves when the earlier requests on the connection have been answered: as in a node, the next call then begins.
   */
  readonly turnOf: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Returns the answers that a connection waits for. */
  readonly pendingOn: (socket: Socket) => readonly ServerResponse[];
  /** Disconnects all clients that wait for no answer. */
  readonly closeIdle: () => void;
  /** Disconnects every client, answered or not. */
  readonly closeAll: () => void;
}

/** Makes the bookkeeping of a server that stops once `stopping` is aborted. */
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
    turnOf: async ({ socket }, response) => {
      const earlier = pendingOn(socket);
      pending.set(response, socket);
      response.once('close', () => {
        pending.delete(response);
        if (stopping.aborted) socket.destroySoon();
      });
      for (const other of earlier) if (!other.writableEnded) await once(other, 'close').catch(() => undefined);
    },
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
