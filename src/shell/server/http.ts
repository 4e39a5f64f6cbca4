import type { Dialect } from '../../answers/dialect/dialect.ts';
import { decodeUtf8 } from '../terminal/lines.ts';
import { authorizedUser, type Credential } from './auth.ts';
import { type IsAllowed, isLocal, isLocalName } from './clients.ts';
import { type HttpReply, plainReply, REFUSALS, UNAUTHORIZED } from './replies.ts';

/** In bytes. @see Bitcoin Core `MAX_SIZE` */
export const MAX_BODY = 0x02000000;
/** In milliseconds. */
const WRONG_PASSWORD_DELAY = 250;
const WALLET_PATH = '/wallet/';

export interface RequestHead {
  readonly httpMajor: number;
  readonly address: string | undefined;
  readonly method: string;
  /** As sent, with query and percent-encoding. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentLength: string | undefined;
  /** Only browsers send it. */
  readonly origin: string | undefined;
  readonly host?: string | undefined;
}

export interface Rules {
  readonly generation: Dialect['generation'];
  readonly credentials: readonly Credential[];
  readonly isAllowed: IsAllowed;
  /** Paths that need no login, and take any method. Default: none. */
  readonly isPublic?: ((path: string) => boolean) | undefined;
}

export type Decision =
  | { readonly kind: 'public' }
  | { readonly kind: 'accepted'; readonly user: string; readonly wallet: string | undefined }
  | Refusal;

export interface Refusal {
  readonly kind: 'refused';
  readonly reply: HttpReply;
  /** Milliseconds; 0 unless the login is wrong. */
  readonly delay: number;
}

/** Checks in Core's order. @see Bitcoin Core `http_request_cb`, `HTTPReq_JSONRPC` */
export function decide(head: RequestHead, rules: Rules): Decision {
  const { generation, credentials } = rules;
  const { method, path, authorization } = head;
  const refusals = REFUSALS[generation];
  const early = refuseEarly(head, rules);
  if (early) return refused(early);
  if (rules.isPublic?.(path))
    return isFromForeignName(head) ? refused(plainReply(403, FOREIGN_NAME)) : { kind: 'public' };
  if (path !== '/' && !path.startsWith(WALLET_PATH)) return refused(refusals.unknownPath);
  if (method !== 'POST') return refused(plainReply(405, 'JSONRPC server handles only POST requests'));
  if (authorization === undefined) return refused(UNAUTHORIZED);
  const user = authorizedUser(authorization, credentials, generation);
  if (user === undefined) return refused(UNAUTHORIZED, WRONG_PASSWORD_DELAY);
  return { kind: 'accepted', user, wallet: walletInPath(path) };
}

function refuseEarly(head: RequestHead, { generation, isAllowed }: Rules): HttpReply | undefined {
  const refusals = REFUSALS[generation];
  if (head.httpMajor !== 1) return refusals.badRequest;
  if (Number(head.contentLength ?? 0) > MAX_BODY) return refusals.tooLarge;
  if (!isAllowed(head.address)) return plainReply(403);
  if (head.origin !== undefined) return plainReply(403, FROM_A_PAGE);
  if (head.method === 'DELETE') return refusals.badMethod;
  return KNOWN_METHODS.has(head.method) ? undefined : refusals.unknownMethod;
}

/** No password keeps such a page out. */
const isFromForeignName = ({ address, host }: RequestHead): boolean =>
  host !== undefined && isLocal(address) && !isLocalName(host);

const FOREIGN_NAME = 'The host must be localhost or an IP address: web pages may not call this server';

/** Unlike Core, refuses web pages even with the right password. @see RFC 6454 section 7 */
const FROM_A_PAGE = 'Requests with an Origin header are refused: web pages may not call this server';

/** Core checks the path for these before it refuses all but POST. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST']);

const refused = (reply: HttpReply, delay = 0): Decision => ({ kind: 'refused', reply, delay });

/** The name may be empty. Keeps a percent sign without two hex digits. */
function walletInPath(path: string): string | undefined {
  if (!path.startsWith(WALLET_PATH)) return undefined;
  const name = path.slice(WALLET_PATH.length);
  const bytes = Buffer.from(
    name.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  return decodeUtf8(bytes) ?? bytes.toString('latin1');
}
