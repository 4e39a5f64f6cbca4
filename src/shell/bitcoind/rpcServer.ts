import type { GenerationName } from '../../core/generations.ts';
import type { Network } from '../../core/network/networks.ts';
import { allowClients, type IsAllowed } from '../server/clients.ts';
import { atPorts, chooseEndpoints, type Endpoint } from '../server/endpoints.ts';
import { httpRules } from '../server/httpRules.ts';
import { createWhitelist, type MayCall } from '../server/serveOptions.ts';
import type { DebugLog } from './debugLog.ts';
import type { Options } from './options.ts';
import { noServer } from './rpcLogin.ts';

export interface RpcServerSettings {
  readonly endpoints: readonly Endpoint[];
  readonly isAllowed: IsAllowed;
  readonly mayCall: MayCall;
  readonly depth: number;
  readonly workers: number;
  /** In milliseconds. */
  readonly timeout: number;
  readonly rest: boolean;
}

/** In seconds. @see Bitcoin Core `DEFAULT_HTTP_SERVER_TIMEOUT` */
const TIMEOUT = 30;
/** Of a timer, in seconds. */
const MOST_SECONDS = 2_000_000;

/**
 * Reads where and for whom calls are answered: for this machine only, unless both `-rpcbind` and `-rpcallowip` are given.
 * @throws InitError, UsageError
 * @see Bitcoin Core `InitHTTPServer`
 */
export function readServer(
  options: Options,
  { network, generation }: { readonly network: Network; readonly generation: GenerationName },
  { log, print }: { readonly log: DebugLog; readonly print: (text: string) => void },
): RpcServerSettings {
  const { list, text, integer } = options;
  const { threads, depth } = httpRules[generation];
  const [rpcbind, rpcallowip] = [list('rpcbind'), list('rpcallowip')];
  const isAllowed = allowClients(rpcallowip.map(withoutBrackets));
  if (typeof isAllowed !== 'function') {
    const fault = `Invalid -rpcallowip subnet specification: ${isAllowed.fault}. Valid values are a single IP (e.g. 1.2.3.4), a network/netmask (e.g. 1.2.3.4/255.255.255.0), a network/CIDR (e.g. 1.2.3.4/24), all ipv4 (0.0.0.0/0), or all ipv6 (::/0).`;
    log.write(fault, 'error');
    print(`Error: ${fault}\n`);
    throw noServer();
  }
  const isOpen = rpcbind.length > 0 && rpcallowip.length > 0;
  if (!isOpen && rpcallowip.length > 0) {
    log.write("Option -rpcallowip was specified without -rpcbind; this doesn't usually make sense", 'warning');
  }
  if (!isOpen && rpcbind.length > 0) {
    const reason = 'because -rpcallowip was not specified, refusing to allow everyone to connect';
    log.write(`Option -rpcbind was ignored ${reason}`, 'warning');
  }
  const endpoints = chooseEndpoints({ rpcport: text('rpcport'), ...(isOpen && { rpcbind, rpcallowip }) });
  return {
    endpoints: atPorts(endpoints, network),
    isAllowed,
    mayCall: readWhitelist(options),
    depth: Math.max(integer('rpcworkqueue') ?? depth, 1),
    workers: Math.max(integer('rpcthreads') ?? threads, 1),
    timeout: 1000 * Math.min(Math.max(integer('rpcservertimeout') ?? TIMEOUT, 1), MOST_SECONDS),
    rest: options.flag('rest', false),
  };
}

/** An IPv6 address may stand in brackets. */
const withoutBrackets = (text: string): string => text.replace(/^\[(.*)\]/, '$1');

/** Without `-rpcwhitelistdefault`, users without a whitelist may call nothing as soon as there is one. */
function readWhitelist({ list, flag }: Options): MayCall {
  const texts = list('rpcwhitelist').map((text) => (text.includes(':') ? text : `${text}:`));
  const isListed = new Set(texts.map((text) => text.slice(0, text.indexOf(':'))));
  const mayCall = createWhitelist(texts);
  const isDefault = flag('rpcwhitelistdefault', texts.length > 0);
  return (user, method) => (isListed.has(user) ? mayCall(user, method) : !isDefault);
}
