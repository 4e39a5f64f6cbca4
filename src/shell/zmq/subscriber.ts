import { bytesKey, concatBytes } from '../../core/bytes/compare.ts';
import {
  type Command,
  decodeFrame,
  encodeCommand,
  encodeProperty,
  type Frame,
  GREETING_SIZE,
  greetingFault,
  readCommand,
  readProperties,
} from './frames.ts';

/** What a publisher knows of a subscriber by the bytes that it has sent. */
export interface Subscriber {
  /**
   * Takes bytes in.
   *
   * @returns the bytes to answer with, and why its connection has to end, if it does, as the end of a sentence
   */
  readonly receive: (bytes: Uint8Array) => Received;
  readonly isReady: () => boolean;
  /** Tells whether it has subscribed to a prefix of a topic, by the key of its bytes. */
  readonly wants: (topicKey: string) => boolean;
}

interface Received {
  readonly replies: readonly Uint8Array[];
  readonly fault?: string | undefined;
}

/** The most subscriptions of a subscriber. */
export const MOST_SUBSCRIPTIONS = 1000;

const SUBSCRIBE = 1;
const CANCEL = 0;
/** In bytes. */
const TTL_SIZE = 2;
const LONGEST_CONTEXT = 16;
const READY = encodeCommand('READY', encodeProperty('Socket-Type', 'PUB'));
const SOCKET_TYPES: readonly (string | undefined)[] = ['SUB', 'XSUB'];

/** Ends a connection. */
class ZmtpFault extends Error {}

/** Speaks for a publisher, without sockets; the greeting of the publisher has been sent. */
export function createSubscriber(): Subscriber {
  const subscriptions = new Set<string>();
  let pending: Uint8Array = new Uint8Array(0);
  let stage: 'greeting' | 'handshake' | 'ready' | 'ended' = 'greeting';
  let isContinued = false;

  const subscribe = (prefix: Uint8Array): void => {
    subscriptions.add(bytesKey(prefix));
    if (subscriptions.size > MOST_SUBSCRIPTIONS)
      throw new ZmtpFault(`it has more than ${MOST_SUBSCRIPTIONS} subscriptions`);
  };
  const cancel = (prefix: Uint8Array): boolean => subscriptions.delete(bytesKey(prefix));

  const takeMessage = ({ hasMore, body }: Frame): void => {
    // Only a message of one part is a subscription.
    const isWhole = !isContinued && !hasMore;
    isContinued = hasMore;
    if (!isWhole) return;
    if (body[0] === SUBSCRIBE) subscribe(body.subarray(1));
    if (body[0] === CANCEL) cancel(body.subarray(1));
  };

  const takeCommand = ({ name, data }: Command): readonly Uint8Array[] => {
    switch (name) {
      case 'SUBSCRIBE':
        subscribe(data);
        return [];
      case 'CANCEL':
        cancel(data);
        return [];
      case 'PING':
        if (data.length < TTL_SIZE || data.length > TTL_SIZE + LONGEST_CONTEXT)
          throw new ZmtpFault('a PING is malformed');
        return [encodeCommand('PONG', data.subarray(TTL_SIZE))];
      case 'READY':
      case 'ERROR':
        throw new ZmtpFault(`it sent ${name} after the handshake`);
      default:
        // Later versions may have more.
        return [];
    }
  };

  const takeFrame = (frame: Frame): readonly Uint8Array[] => {
    const command = frame.isCommand ? readCommand(frame.body) : undefined;
    if (frame.isCommand && !command) throw new ZmtpFault('a command has no name');
    if (stage === 'handshake') {
      assertReady(command);
      stage = 'ready';
      return [];
    }
    if (command) return takeCommand(command);
    takeMessage(frame);
    return [];
  };

  const takeGreeting = (): readonly Uint8Array[] => {
    const fault = greetingFault(pending);
    if (fault !== undefined) throw new ZmtpFault(fault);
    if (pending.length < GREETING_SIZE) return [];
    pending = pending.slice(GREETING_SIZE);
    stage = 'handshake';
    return [READY];
  };

  const takeAll = (replies: Uint8Array[]): void => {
    if (stage === 'greeting') replies.push(...takeGreeting());
    if (stage === 'greeting') return;
    let offset = 0;
    for (;;) {
      const decoded = decodeFrame(pending.subarray(offset));
      if (!decoded) break;
      if ('fault' in decoded) throw new ZmtpFault(decoded.fault);
      offset += decoded.size;
      replies.push(...takeFrame(decoded.frame));
    }
    pending = pending.slice(offset);
  };

  return {
    receive: (bytes) => {
      const replies: Uint8Array[] = [];
      if (stage === 'ended') return { replies };
      pending = concatBytes(pending, bytes);
      try {
        takeAll(replies);
        return { replies };
      } catch (error) {
        if (!(error instanceof ZmtpFault)) throw error;
        stage = 'ended';
        pending = new Uint8Array(0);
        return { replies, fault: error.message };
      }
    },
    isReady: () => stage === 'ready',
    wants: (topicKey) => {
      if (stage !== 'ready') return false;
      for (const prefix of subscriptions) if (topicKey.startsWith(prefix)) return true;
      return false;
    },
  };
}

function assertReady(command: Command | undefined): void {
  const properties = command?.name === 'READY' ? readProperties(command.data) : undefined;
  if (!properties) throw new ZmtpFault('its handshake is malformed');
  if (!SOCKET_TYPES.includes(properties.get('socket-type'))) throw new ZmtpFault('it does not subscribe');
}
