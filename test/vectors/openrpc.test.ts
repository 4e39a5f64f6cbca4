import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRpcDocument } from '../../src/node/openRpcDocument.ts';
import { shared } from '../support/corpus.ts';

/** Compares our declarations with the OpenRPC document that Core's master makes of its own. */

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

interface Described {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly result: { readonly schema: Schema };
  readonly 'x-bitcoin-category': string;
}

/** Lists the members of an answer by their paths: `[]` is an element of a list, `{}` a value of a map. */
function membersOf(
  { oneOf = [], anyOf = [], items = [], properties = {}, additionalProperties: entry }: Schema,
  at = '',
): readonly string[] {
  return [
    ...[...oneOf, ...anyOf].flatMap((schema) => membersOf(schema, at)),
    ...[items].flat().flatMap((schema) => membersOf(schema, `${at}[]`)),
    ...(typeof entry === 'object' ? membersOf(entry, `${at}{}`) : []),
    ...Object.entries(properties).flatMap(([name, schema]) => [`${at}.${name}`, ...membersOf(schema, `${at}.${name}`)]),
  ];
}

/** A difference is `method(parameter)` or `method.member`, after `+` if only ours has it, else after `-`. */
const KEPT: readonly { readonly reason: string; readonly differences: RegExp }[] = [
  {
    reason: 'Methods of ours.',
    differences: /^\+(?:reviewpsbt|verifyrawtransaction|droptransaction)$/,
  },
  {
    reason: "Core's document leaves out hidden methods and parameters.",
    differences:
      /^\+(?:echo|echojson|generate|generateblock|generatetoaddress|generatetodescriptor|getmempoolfeeratediagram|getzmqnotifications|invalidateblock|mockscheduler|reconsiderblock|setmocktime|stop\(wait\?\)|syncwithvalidationinterfacequeue)$/,
  },
  {
    reason: 'The coins that a node looks up in its chain.',
    differences: /^\+utxoupdatepsbt\(prevtxs\??\)/,
  },
  {
    reason: 'No parameter is kept only for compatibility, and options are named by their members.',
    differences:
      /^-(?:getopenrpcinfo|rpc\.discover)\.methods\[\]\.params\[\]\.x-bitcoin-(?:placeholder|also-positional)$/,
  },
  {
    reason: "Core's document repeats the members of the address within, and those of inv_buckets by any name.",
    differences: /^(?:-getaddressinfo\.embedded\.|[+-]getnetworkinfo\.inv_buckets[.{]).*$/,
  },
  {
    reason: 'A scan has ended before another call is answered.',
    differences: /^-scanblocks\.(?:progress|current_height)$/,
  },
  {
    reason: 'Never in an answer: Core documents it for the transaction, but lists it for its outputs.',
    differences: /^-gettransaction\.parent_descs$/,
  },
  {
    reason: 'Only in answers of a node with -deprecatedrpc=bip125.',
    differences:
      /^-(?:gettransaction|listsinceblock\.(?:transactions|removed)\[\]|listtransactions\[\])\.bip125-replaceable$/,
  },
];

/** Names the parameters, and the members of each. */
const parameters = (params: Described['params']): readonly string[] =>
  params.flatMap(({ name, required, schema }) => [
    `(${name}${required ? '' : '?'})`,
    ...membersOf(schema, `(${name})`),
  ]);

/** Names the parameters and members of a method, and its category. */
const partsOf = ({ params, result, 'x-bitcoin-category': category }: Described): ReadonlySet<string> =>
  new Set([...parameters(params), ...membersOf(result.schema), ` ${category}`]);

function differencesOf(cores: ReadonlyMap<string, Described>): readonly string[] {
  return openRpcDocument('core-32').methods.flatMap((method) => {
    const { name } = method;
    const theirs = cores.get(name);
    if (!theirs) return [`+${name}`];
    const [own, others] = [partsOf(method), partsOf(theirs)];
    return [
      ...[...own].filter((each) => !others.has(each)).map((each) => `+${name}${each}`),
      ...[...others].filter((each) => !own.has(each)).map((each) => `-${name}${each}`),
    ];
  });
}

describe.runIf(shared)("Core's own description of its methods", () => {
  const read = (): ReadonlyMap<string, Described> => {
    const text = readFileSync(join(shared ?? '', 'vectors/openrpc-32.json'), 'utf8');
    const { methods } = JSON.parse(text) as { readonly methods: readonly Described[] };
    return new Map(methods.map((method) => [method.name, method]));
  };

  test('has the parameters and members of ours, but for those listed', () => {
    const differences = differencesOf(read());
    expect(differences.filter((each) => !KEPT.some((kept) => kept.differences.test(each)))).toEqual([]);
    const idle = KEPT.filter((kept) => !differences.some((each) => kept.differences.test(each)));
    expect(idle).toEqual([]);
  });
});
