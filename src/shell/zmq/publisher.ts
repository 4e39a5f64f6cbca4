import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { bytesKey } from '../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import type { ZmqEndpoint } from './endpoint.ts';
import { encodeGreeting, encodeMessage } from './frames.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

/** A PUB socket. */
export interface Publisher {
  /** `undefined` at a path. */
  readonly port: number | undefined;
  /** Sends a message to those who have subscribed to its topic. `makeParts`: its parts, the topic first. */
  readonly publish: (topic: string, makeParts: () => readonly Uint8Array[]) => void;
  /** Drops what has not been sent. */
  readonly close: () => void;
}

interface PublisherSettings {
  /** The most messages that wait for a reader; more are lost to it. 0 for as many as fit into `MOST_WAITING`. */
  readonly hwm: number;
  /** Told why a connection was closed. */
  readonly onFault: (fault: string) => void;
}

/** The most readers of a publisher. */
const MOST_READERS = 100;
/** The most bytes that wait for a reader, whatever its high-water mark. */
const MOST_WAITING = 64 * 1024 * 1024;
/** What a message takes besides its bytes, about. */
const OVERHEAD = 256;
/** In milliseconds, as in libzmq. */
const HANDSHAKE_TIMEOUT = 30_000;

interface Reader {
  readonly subscriber: Subscriber;
  readonly send: (bytes: Uint8Array) => void;
}

/** Listens. @throws the error of the system if it cannot */
export async function openPublisher(endpoint: ZmqEndpoint, settings: PublisherSettings): Promise<Publisher> {
  const readers = new Map<Socket, Reader>();
  const server = createServer((socket) => serveReader(socket, readers, settings));
  server.maxConnections = MOST_READERS;
  await listen(server, endpoint);
  const bound = server.address();
  return {
    port: typeof bound === 'object' ? bound?.port : undefined,
    publish: (topic, makeParts) => {
      const key = bytesKey(encodeUtf8(topic));
      const wanting = [...readers.values()].filter(({ subscriber }) => subscriber.wants(key));
      if (wanting.length === 0) return;
      const message = encodeMessage(makeParts());
      for (const { send } of wanting) send(message);
    },
    close: () => {
      server.close();
      for (const socket of readers.keys()) socket.destroy();
    },
  };
}

async function listen(server: Server, endpoint: ZmqEndpoint): Promise<void> {
  // As libzmq does, it takes the place of a socket that an ended program has left.
  if ('path' in endpoint && lstatSync(endpoint.path, { throwIfNoEntry: false })?.isSocket()) unlinkSync(endpoint.path);
  server.listen('path' in endpoint ? { path: endpoint.path } : { host: endpoint.host, port: endpoint.port });
  await once(server, 'listening');
  // A connection that cannot be accepted, for want of descriptors, ends alone.
  server.on('error', () => undefined);
}

function serveReader(socket: Socket, readers: Map<Socket, Reader>, { hwm, onFault }: PublisherSettings): void {
  const subscriber = createSubscriber();
  const waiting = { count: 0, bytes: 0 };
  const send = (bytes: Uint8Array): void => {
    const size = bytes.length + OVERHEAD;
    if ((hwm > 0 && waiting.count >= hwm) || waiting.bytes + size > MOST_WAITING) return;
    waiting.count += 1;
    waiting.bytes += size;
    socket.write(bytes, () => {
      waiting.count -= 1;
      waiting.bytes -= size;
    });
  };
  const end = (fault: string): void => {
    onFault(fault);
    socket.destroy();
  };
  const timer = setTimeout(() => end('its handshake took too long'), HANDSHAKE_TIMEOUT);
  readers.set(socket, { subscriber, send });
  socket.setKeepAlive(true);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(timer);
    readers.delete(socket);
  });
  socket.on('data', (bytes) => {
    const { replies, fault } = subscriber.receive(bytes);
    for (const reply of replies) send(reply);
    if (subscriber.isReady()) clearTimeout(timer);
    if (fault !== undefined) end(fault);
  });
  socket.write(encodeGreeting());
}
