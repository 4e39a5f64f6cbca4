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
  /** Resolves when the requests on a connection that have arrived in full are answered. */
  readonly isAnswered: (socket: Socket) => Promise<void>;
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
