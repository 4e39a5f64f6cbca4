import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialects, isInDialect } from '../../src/answers/dialect/dialect.ts';
import type { Result } from '../../src/answers/method/results.ts';
import { isWithin } from '../../src/core/generations.ts';
import { allMethods } from '../../src/node/registry.ts';
import { shared } from '../support/corpus.ts';

/** Compares our declarations with the OpenRPC document that Core's master makes of its own. */

interface Schema {
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

interface Described {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required: boolean }[];
  readonly result: { readonly schema: Schema };
}

const core = dialects['core-32'];

/** Lists the members of an answer by their paths: `[]` is an element of a list, `{}` a value of a map. */
function membersOf(
  { oneOf = [], items, prefixItems = [], properties = {}, additionalProperties: entry }: Schema,
  at = '',
): readonly string[] {
  return [
    ...oneOf.flatMap((schema) => membersOf(schema, at)),
    ...[...(items ? [items] : []), ...prefixItems].flatMap((schema) => membersOf(schema, `${at}[]`)),
    ...(typeof entry === 'object' ? membersOf(entry, `${at}{}`) : []),
    ...Object.entries(properties).flatMap(([name, schema]) => [`${at}.${name}`, ...membersOf(schema, `${at}.${name}`)]),
  ];
}

function declaredMembers(
  { alternatives = [], item, places = [], entry, members = {} }: Result,
  at = '',
): readonly string[] {
  return [
    ...alternatives.flatMap((result) => declaredMembers(result, at)),
    ...[...(item ? [item] : []), ...places].flatMap((result) => declaredMembers(result, `${at}[]`)),
    ...(entry ? declaredMembers(entry, `${at}{}`) : []),
    ...Object.entries(members)
      .filter(([, member]) => isInDialect(core, member))
      .flatMap(([name, member]) => [`${at}.${name}`, ...declaredMembers(member, `${at}.${name}`)]),
  ];
}

/** A difference is `method(parameter)` or `method.member`, after `+` if only ours has it, else after `-`. */
const KEPT: readonly { readonly reason: string; readonly differences: RegExp }[] = [
  {
    reason: 'Methods of ours.',
    differences: /^\+(?:reviewpsbt|verifyrawtransaction|droptransaction)$/,
  },
  {
    reason: "Core's document leaves out hidden methods.",
    differences: /^\+(?:getzmqnotifications|invalidateblock|reconsiderblock|setmocktime)$/,
  },
  {
    reason: 'The coins that a node looks up in its chain.',
    differences: /^\+utxoupdatepsbt\(prevtxs\?\)$/,
  },
  {
    reason: 'A node without peers, addresses, indexes and estimates: these lists are empty, and these members absent.',
    differences: /^-(?:getpeerinfo|getnetworkinfo\.localaddresses|getindexinfo|estimatesmartfee)\b.*$/,
  },
  {
    reason: 'A node that is neither synchronizing, pruning by itself nor scanning for longer than a call.',
    differences:
      /^-(?:getblockchaininfo\.(?:background|prune_target)|getwalletinfo\.scanning\.|scantxoutset\.progress).*$/,
  },
  {
    reason: 'No warnings: there are no wallet directories of an old format.',
    differences: /^-(?:unloadwallet\.warnings|listwalletdir\.wallets\[\]\.warnings)$/,
  },
  {
    reason: 'The mempool has no sequence number: with mempool_sequence, getrawmempool refuses.',
    differences: /^-getrawmempool\.(?:txids|mempool_sequence)$/,
  },
  {
    reason: "Core's document repeats the members of the address within, and those of inv_buckets by any name.",
    differences: /^(?:-getaddressinfo\.embedded\.|[+-]getnetworkinfo\.inv_buckets[.{]).*$/,
  },
  {
    reason: 'Never in an answer: Core documents it for the transaction, but lists it for its outputs.',
    differences: /^-gettransaction\.parent_descs$/,
  },
];

const parameters = (params: readonly { readonly name: string; readonly required: boolean }[]): readonly string[] =>
  params.map(({ name, required }) => `(${name}${required ? '' : '?'})`);

function differencesOf(described: ReadonlyMap<string, Described>): readonly string[] {
  return allMethods()
    .filter((method) => isWithin('core-32', method))
    .flatMap(({ name, params, result }) => {
      const theirs = described.get(name);
      if (!theirs) return [`+${name}`];
      const own = params.filter((param) => isInDialect(core, param));
      const ours = new Set([
        ...parameters(own.map((param) => ({ name: param.name, required: param.isOptional !== true }))),
        ...declaredMembers(result),
      ]);
      const cores = new Set([...parameters(theirs.params), ...membersOf(theirs.result.schema)]);
      return [
        ...[...ours].filter((each) => !cores.has(each)).map((each) => `+${name}${each}`),
        ...[...cores].filter((each) => !ours.has(each)).map((each) => `-${name}${each}`),
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
