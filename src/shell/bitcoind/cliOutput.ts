import { findMember, type JsonMember, type JsonValue } from '../../answers/json/jsonValue.ts';
import { quote, stringifyJsonValue } from '../../answers/json/stringify.ts';
import { RPC_WALLET_NOT_SPECIFIED } from '../../answers/method/errorCodes.ts';

export interface CliOutput {
  /** Goes to standard output if the code is 0, else to standard error. */
  readonly text: string;
  readonly code: number;
}

/** Prints the reply of a server. @see Bitcoin Core `ParseResult`, `ParseError` */
export function outputOf(reply: readonly JsonMember[]): CliOutput {
  const error = findMember(reply, 'error');
  if (error && error.type !== 'null') return errorOutput(error);
  const result = findMember(reply, 'result');
  if (!result || result.type === 'null') return { text: '', code: 0 };
  return { text: `${result.type === 'string' ? result.value : pretty(result, '\n')}\n`, code: 0 };
}

const ADVICE =
  ' Or for the CLI, specify the "-rpcwallet=<walletname>" option before the command (run "bitcoin-cli -h" for help or "bitcoin-cli listwallets" to see which wallets are currently loaded).';

function errorOutput(error: JsonValue): CliOutput {
  if (error.type !== 'object') return { text: `error: ${stringifyJsonValue(error)}\n`, code: 1 };
  const code = findMember(error.members, 'code');
  const message = findMember(error.members, 'message');
  const number = code?.type === 'number' ? Number(code.text) : 0;
  const advice = number === RPC_WALLET_NOT_SPECIFIED ? ADVICE : '';
  const head = code?.type === 'number' ? `error code: ${code.text}\n` : '';
  const body = message?.type === 'string' ? `error message:\n${message.value}` : '';
  // The system keeps eight bits of it.
  return { text: `${head}${body}${advice}\n`, code: Math.abs(number) % 256 };
}

/** Prints JSON with an indent of two, as a node's client does. */
function pretty(value: JsonValue, margin: string): string {
  const inner = `${margin}  `;
  if (value.type === 'array') {
    const items = value.items.map((item) => `${inner}${pretty(item, inner)}`);
    return `[${items.join(',')}${margin}]`;
  }
  if (value.type !== 'object') return stringifyJsonValue(value);
  const members = value.members.map(([name, member]) => `${inner}${quote(name)}: ${pretty(member, inner)}`);
  return `{${members.join(',')}${margin}}`;
}
