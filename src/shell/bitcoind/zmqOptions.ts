import type { GenerationName } from '../../core/generations.ts';
import { TOPICS } from '../zmq/messages.ts';
import type { Notifier } from '../zmq/notifiers.ts';
import type { Options } from './options.ts';
import { settingsRules } from './settingsRules.ts';

/** The most messages that wait for a reader. @see Bitcoin Core `DEFAULT_ZMQ_SNDHWM` */
export const USUAL_HWM = 1000;
/** Where a release takes paths, and how ZeroMQ writes them. */
const PATH_PREFIX = 'unix:';
const ZMQ_PATH_PREFIX = 'ipc://';

/** Names the options that say where topics are published. */
export const ZMQ_OPTIONS: readonly string[] = TOPICS.map((topic) => `zmqpub${topic}`);

/** Reads what to publish where, by topic. @see Bitcoin Core `CZMQNotificationInterface::Create` */
export function readNotifiers({ list, integer }: Options, generation: GenerationName): readonly Notifier[] {
  return TOPICS.flatMap((topic) => {
    const type = `pub${topic}`;
    const wanted = integer(`zmq${type}hwm`) ?? USUAL_HWM;
    const hwm = wanted < 0 ? USUAL_HWM : wanted;
    return list(`zmq${type}`).map((given) => ({ topic, type, address: zmqAddress(given, generation), hwm }));
  });
}

const zmqAddress = (given: string, generation: GenerationName): string =>
  settingsRules[generation].publishesAtPaths && given.startsWith(PATH_PREFIX)
    ? ZMQ_PATH_PREFIX + given.slice(PATH_PREFIX.length)
    : given;

/** Tells whether an address may lack a port. */
export const isPathAddress = (address: string): boolean => address.startsWith(PATH_PREFIX);
