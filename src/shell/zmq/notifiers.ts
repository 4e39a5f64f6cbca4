import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { createWriter, writeU32, written } from '../../core/bytes/writer.ts';
import type { ZmqNotification } from '../../node/methods/context.ts';
import type { NoticeListener } from '../../node/state/notices.ts';
import { parseEndpoint } from './endpoint.ts';
import { messagesOf, type Topic } from './messages.ts';
import { openPublisher, type Publisher } from './publisher.ts';

/** Publishes a topic at an address. */
export interface Notifier extends ZmqNotification {
  readonly topic: Topic;
}

export interface Notifiers {
  /** Those that were wanted, with the ports that were chosen. */
  readonly bound: readonly Notifier[];
  readonly hear: NoticeListener;
  readonly close: () => void;
}

const ANY_PORT = /:(?:0|\*)$/;

/** Why a node publishes nothing. */
export class BindFault extends Error {}

interface NumberedNotifier {
  readonly topic: Topic;
  readonly publisher: Publisher;
  sequence: number;
}

/**
 * Binds the addresses, each once: the first notifier there says how many messages wait. Binds none if one fails.
 *
 * - `onFault`: told why the connection of a reader was closed, as the end of a sentence
 *
 * @throws BindFault
 * @see Bitcoin Core `CZMQAbstractPublishNotifier::Initialize`
 */
export async function openNotifiers(wanted: readonly Notifier[], onFault: (fault: string) => void): Promise<Notifiers> {
  const publishers = new Map<string, Publisher>();
  const close = (): void => {
    for (const publisher of publishers.values()) publisher.close();
  };
  const notifiers: NumberedNotifier[] = [];
  const bound: Notifier[] = [];
  try {
    for (const each of wanted) {
      const { topic, address, hwm } = each;
      const publisher = publishers.get(address) ?? (await bind(address, hwm, onFault));
      publishers.set(address, publisher);
      notifiers.push({ topic, publisher, sequence: 0 });
      bound.push({ ...each, address: publisher.port ? address.replace(ANY_PORT, `:${publisher.port}`) : address });
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    bound,
    hear: (notices) => {
      for (const notice of notices) for (const message of messagesOf(notice)) tell(notifiers, message);
    },
    close,
  };
}

async function bind(address: string, hwm: number, onFault: (fault: string) => void): Promise<Publisher> {
  const endpoint = parseEndpoint(address);
  if ('fault' in endpoint) throw bindFault(address, endpoint.fault);
  try {
    return await openPublisher(endpoint, { hwm, onFault });
  } catch (error) {
    throw bindFault(address, error instanceof Error ? error.message : String(error));
  }
}

const bindFault = (address: string, reason: string): BindFault =>
  new BindFault(`Failed to bind address ${address}: ${reason}`);

function tell(
  notifiers: readonly NumberedNotifier[],
  { topic, makeBody }: ReturnType<typeof messagesOf>[number],
): void {
  let body: Uint8Array | undefined;
  for (const notifier of notifiers) {
    if (notifier.topic !== topic) continue;
    const sequence = encodeSequence(notifier.sequence);
    notifier.sequence = (notifier.sequence + 1) % 2 ** 32;
    notifier.publisher.publish(topic, () => {
      body ??= makeBody();
      return [encodeUtf8(topic), body, sequence];
    });
  }
}

function encodeSequence(sequence: number): Uint8Array {
  const writer = createWriter();
  writeU32(writer, sequence);
  return written(writer);
}
