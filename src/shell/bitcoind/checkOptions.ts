import { RPC_METHOD_DEPRECATED } from '../../answers/method/errorCodes.ts';
import type { GenerationName } from '../../core/generations.ts';
import { spendingRules } from '../../node/methods/spending/spendingRules.ts';
import type { Chain } from './chains.ts';
import type { Notes } from './configFiles.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';
import { type FindOption, OPTIONS } from './optionTable.ts';
import { settingsRules } from './settingsRules.ts';
import { isPathAddress, ZMQ_OPTIONS } from './zmqOptions.ts';

/**
 * Refuses options that are not served here, and values that the node refuses.
 * @throws InitError
 * @see Bitcoin Core `AppInitParameterInteraction`, `CheckHostPortOptions`
 */
export function checkOptions(options: Options, { name }: Chain, world: CheckWorld): void {
  const { notes, generation, ignoresUnserved } = world;
  for (const text of unserved(options, world)) {
    if (!ignoresUnserved) throw new InitError(`${text}. ${WAYS_OUT}`);
    notes.warn(`${text}. It has no effect.`);
  }
  checkPeers(options);
  checkIndexes(options);
  checkLogLevels(options);
  checkTests(options, name, notes);
  const { dataCarrierWarning } = settingsRules[generation];
  if (dataCarrierWarning !== '' && (options.isSet('datacarrier') || options.isSet('datacarriersize'))) {
    warnAtStart(dataCarrierWarning, notes);
  }
  if (name === 'main' && options.flag('acceptnonstdtxn', false)) {
    throw new InitError('acceptnonstdtxn is not currently supported for main chain');
  }
  checkPorts(options);
  if (settingsRules[generation].publishesAtPaths) checkZmqPorts(options);
}

interface CheckWorld {
  readonly find: FindOption;
  readonly notes: Notes;
  readonly generation: GenerationName;
  /** Only logs which options are not served. */
  readonly ignoresUnserved: boolean;
}

const WAYS_OUT = 'Leave it out, add -ignoreunserved, or start bitcoind.';

/** Says which options are not served, and why, without the full stop. */
function unserved(options: Options, { find, generation }: CheckWorld): readonly string[] {
  const text = (label: string, why: string): string => `-${label} is not served by countersign: ${why}`;
  const rows = [...OPTIONS.keys()].flatMap((name) => {
    const row = find(name);
    return row?.use === 'refused' && !isOff(options, name) ? [text(name, row.about)] : [];
  });
  const isLost = spendingRules[generation].watchOnlyBump.code === RPC_METHOD_DEPRECATED;
  // Core takes any name, and so do we: one that changes nothing does no harm.
  if (!isLost || !options.list('deprecatedrpc').includes('bumpfee')) return rows;
  return [...rows, text('deprecatedrpc=bumpfee', 'it has no such answer')];
}

const isOff = ({ text }: Options, name: string): boolean => (text(name) ?? '0') === '0';

function checkPeers(options: Options): void {
  const listens = options.flag('listen', true);
  if (options.list('bind').length + options.list('whitebind').length > 0 && !listens) {
    throw new InitError('Cannot set -bind or -whitebind together with -listen=0');
  }
  if (!listens && options.flag('listenonion', false)) {
    throw new InitError('Cannot set -listen=0 together with -listenonion=1');
  }
  if ((options.integer('maxconnections') ?? 0) < 0) {
    throw new InitError('-maxconnections must be greater or equal than zero');
  }
  if ((options.integer('peertimeout') ?? 1) <= 0) throw new InitError('peertimeout must be a positive integer.');
}

function checkIndexes({ flag, integer, text }: Options): void {
  if (flag('peerblockfilters', false) && (text('blockfilterindex') ?? '0') === '0') {
    throw new InitError('Cannot set -peerblockfilters without -blockfilterindex.');
  }
  if (!integer('prune')) return;
  if (flag('txindex', false)) throw new InitError('Prune mode is incompatible with -txindex.');
  if (flag('reindex-chainstate', false)) {
    throw new InitError('Prune mode is incompatible with -reindex-chainstate. Use full -reindex instead.');
  }
}

const LEVELS = ['info', 'debug', 'trace'];

function checkLogLevels(options: Options): void {
  for (const text of options.list('loglevel')) {
    if (text.indexOf(':', 3) < 0) {
      if (LEVELS.includes(text)) continue;
      throw new InitError(`Unsupported global logging level -loglevel=${text}. Valid values: ${LEVELS.join(', ')}.`);
    }
    const [, level = '', ...more] = text.split(':');
    if (LEVELS.includes(level) && more.length === 0) continue;
    throw new InitError(
      `Unsupported category-specific logging level -loglevel=${text}. Expected -loglevel=<category>:<loglevel>. Valid loglevels: ${LEVELS.join(', ')}.`,
    );
  }
}

const TESTS = ['addrman', 'reindex_after_failure_noninteractive_yes', 'bip94'];

function warnAtStart(text: string, { print, warn }: Notes): void {
  warn(text);
  print(`Warning: ${text}\n`);
}

function checkTests(options: Options, chain: string, notes: Notes): void {
  const tests = options.list('test');
  if (tests.length > 0 && chain !== 'regtest') {
    throw new InitError('-test=<option> can only be used with regtest');
  }
  for (const test of tests) {
    if (TESTS.includes(test)) continue;
    warnAtStart(`Unrecognised option "${test}" provided in -test=<option>.`, notes);
  }
}

const HIGHEST_PORT = 0xffff;

const isPort = (text: string): boolean => /^[0-9]{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= HIGHEST_PORT;

function checkPorts(options: Options): void {
  for (const name of ['port', 'rpcport']) {
    const text = options.text(name);
    if (text !== undefined && !isPort(text)) throw invalidPort(name, text);
  }
  for (const place of options.list('rpcbind')) {
    const port = portOf(place);
    if (port !== undefined && !isPort(port)) throw invalidPort('rpcbind', place);
  }
}

/** An address such as `tcp://HOST:PORT` has two colons: what is wrong with it, ZeroMQ says. */
function checkZmqPorts({ list }: Options): void {
  for (const name of ZMQ_OPTIONS) {
    for (const place of list(name)) {
      const port = portOf(place);
      if (port !== undefined && !isPort(port) && !isPathAddress(place)) throw invalidPort(name, place);
    }
  }
}

const invalidPort = (name: string, text: string): InitError =>
  new InitError(`Invalid port specified in -${name}: '${text}'`);

/** Returns what stands behind the colon, unless that is part of an IPv6 address. @see Bitcoin Core `SplitHostPort` */
const portOf = (place: string): string | undefined => /^(?:\[.*\]|[^:]*):(?<port>[^:]*)$/.exec(place)?.groups?.['port'];
