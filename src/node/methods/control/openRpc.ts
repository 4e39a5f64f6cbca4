import { type Dialect, isInDialect } from '../../../answers/dialect/dialect.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import type { RpcSignature } from '../../../answers/method/method.ts';
import { categoryIn } from '../../../answers/method/method.ts';
import type { Param } from '../../../answers/method/param.ts';
import { bool, optional } from '../../../answers/method/parameters.ts';
import { shapeOfParam } from '../../../answers/method/paramShape.ts';
import { type Answer, flag, list, maybe, members, type Result, text, typed } from '../../../answers/method/results.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';

const schemaResult = typed<JsonSchema>('a JSON Schema');

const openRpcResult = members({
  openrpc: text('the version of the specification'),
  info: members({ title: text(), version: text(), description: text() }),
  methods: list(
    members({
      name: text(),
      description: text(),
      params: list(
        members({
          name: text(),
          required: flag(),
          schema: schemaResult,
          description: maybe(text()),
          'x-bitcoin-aliases': maybe(list(text())),
        }),
      ),
      result: members({ name: text(), schema: schemaResult }),
      'x-bitcoin-category': text(),
    }),
  ),
});

/** The answer of `getopenrpcinfo`. @see https://spec.open-rpc.org */
export type OpenRpcJson = Answer<typeof openRpcResult>;

/** The part of JSON Schema that describes answers. */
export interface JsonSchema {
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly (string | boolean)[];
  readonly 'x-bitcoin-unit'?: 'amount' | 'unix-time';
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | JsonSchema;
  readonly description?: string;
}

const ABOUT = 'Describes the methods of the release, their parameters and answers, as an OpenRPC document.';

export const getopenrpcinfo = lasting(
  nodeMethod({
    name: 'getopenrpcinfo',
    category: 'control',
    about: ABOUT,
    params: [optional(bool('show_hidden', 'whether to describe also those for tests'), false)],
    result: openRpcResult,
    examples: ['getopenrpcinfo'],
    run: ({ show_hidden: showsHidden }, context) => openRpcJson(context, showsHidden),
  }),
  { since: 'core-32' },
);

export const rpcDiscover = lasting(
  nodeMethod({
    name: 'rpc.discover',
    category: 'control',
    about: ABOUT,
    params: [],
    result: openRpcResult,
    examples: ['rpc.discover'],
    run: (_, context) => openRpcJson(context, false),
  }),
  { since: 'core-32' },
);

/** @see Bitcoin Core `CRPCTable::buildOpenRPCDoc` */
export function openRpcJson(
  { dialect, methods }: Pick<NodeContext, 'dialect' | 'methods'>,
  showsHidden: boolean,
): OpenRpcJson {
  const shown = methods.filter((method) => showsHidden || categoryIn(dialect.generation, method) !== 'hidden');
  return {
    openrpc: '1.4.1',
    info: {
      title: `${dialect.coinName} Core JSON-RPC`,
      version: dialect.name,
      description: 'The methods of countersign, which answer as those of this release.',
    },
    methods: [...shown].sort(byName).map((method) => methodJson(method, dialect)),
  };
}

const byName = (a: RpcSignature, b: RpcSignature): number => (a.name < b.name ? -1 : 1);

const methodJson = (method: RpcSignature, dialect: Dialect): OpenRpcJson['methods'][number] => ({
  name: method.name,
  description: method.about,
  params: method.params.filter((param) => isInDialect(dialect, param)).map((param) => paramJson(param, dialect)),
  result: { name: 'result', schema: schemaOf(method.result, dialect) },
  'x-bitcoin-category': categoryIn(dialect.generation, method),
});

function paramJson(param: Param, dialect: Dialect): OpenRpcJson['methods'][number]['params'][number] {
  const { name, isOptional, aliases } = param;
  const { description, ...schema } = schemaOf(shapeOfParam(param), dialect);
  return {
    name,
    required: !isOptional,
    schema,
    ...(description !== undefined && { description }),
    ...(aliases && { 'x-bitcoin-aliases': aliases }),
  };
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  hex: { type: 'string', pattern: '^[0-9a-fA-F]+$' },
  'amount in coins': { type: 'number', 'x-bitcoin-unit': 'amount' },
  'UNIX time': { type: 'number', 'x-bitcoin-unit': 'unix-time' },
};

function schemaOf(result: Result, dialect: Dialect): JsonSchema {
  const { about } = result;
  return { ...shapeOf(result, dialect), ...(about !== '' && { description: about }) };
}

function shapeOf({ type, alternatives, item, places, entry, members, values }: Result, dialect: Dialect): JsonSchema {
  if (alternatives) return { oneOf: alternatives.map((each) => schemaOf(each, dialect)) };
  if (item) return { type, items: schemaOf(item, dialect) };
  if (places) return { type, items: places.map((each) => schemaOf(each, dialect)) };
  if (entry) return { type, additionalProperties: schemaOf(entry, dialect) };
  if (members) {
    const own = Object.entries(members).filter(([, member]) => isInDialect(dialect, member));
    return {
      type,
      properties: Object.fromEntries(own.map(([name, member]) => [name, schemaOf(member, dialect)])),
      additionalProperties: false,
      required: own.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
    };
  }
  const [value] = values ?? [];
  return {
    ...(SCALARS[type] ?? { type: typeof value === 'boolean' ? 'boolean' : type }),
    ...(values && { enum: values }),
  };
}
