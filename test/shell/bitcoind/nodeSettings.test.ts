import { describe, expect, test } from 'vitest';
import { dialects } from '../../../src/answers/dialect/dialect.ts';
import { parseCommandLine } from '../../../src/shell/bitcoind/commandLine.ts';
import { readNodeSettings } from '../../../src/shell/bitcoind/nodeSettings.ts';
import { readOptions } from '../../../src/shell/bitcoind/options.ts';
import { optionsOf } from '../../../src/shell/bitcoind/optionTable.ts';

function read(...argv: readonly string[]) {
  const dialect = dialects['core-31'];
  const find = optionsOf(dialect.generation);
  const settings = { forced: new Map(), commandLine: parseCommandLine(argv, find).values };
  return readNodeSettings(
    readOptions({ ...settings, saved: new Map(), configured: new Map() }, 'regtest', find),
    dialect,
  );
}

describe("the node's own options", () => {
  test('are amounts in satoshi, numbers, flags and types', () => {
    const argv = [
      '-fallbackfee=0.0002',
      '-maxapsfee=-1',
      '-keypool=0',
      '-nodatacarrier',
      '-walletrbf',
      '-addresstype=legacy',
      '-coinstatsindex',
      '-deprecatedrpc=settxfee',
    ];
    expect(read(...argv, '-assumevalid=0x0')).toEqual({
      fallbackfee: 20_000,
      maxapsfee: -1,
      keypool: 1,
      datacarrier: false,
      walletrbf: true,
      addresstype: 'legacy',
      coinstatsindex: true,
      deprecatedrpc: ['settxfee'],
      assumevalid: '0',
    });
    expect(read()).toEqual({});
  });

  test('restore older answers', () => {
    expect(read('-deprecatedrpc=bumpfee')).toEqual({ deprecatedrpc: ['bumpfee'] });
  });

  test('a number beyond 64 bits is cut', () => {
    expect(read('-maxtipage=9223372036854775807')).toEqual({ maxtipage: Number.MAX_SAFE_INTEGER });
  });

  test('-blocksonly keeps the mempool small, and payments out of it, unless other options say so', () => {
    expect(read('-blocksonly')).toEqual({ maxmempool: 5, walletbroadcast: false });
    expect(read('-blocksonly', '-maxmempool=6', '-walletbroadcast')).toEqual({ maxmempool: 6, walletbroadcast: true });
    expect(read('-blocksonly=0')).toEqual({});
  });

  test('a higher fee for replacements raises that of all transactions', () => {
    expect(read('-incrementalrelayfee=0.00002')).toEqual({ incrementalrelayfee: 2000, minrelaytxfee: 2000 });
    expect(read('-incrementalrelayfee=0.00000001')).toEqual({ incrementalrelayfee: 1 });
  });

  test.each([
    ['-fallbackfee=x', "Invalid amount for -fallbackfee=<amount>: 'x'"],
    ['-mintxfee=0.000000001', "Invalid amount for -mintxfee=<amount>: '0.000000001'"],
    ['-minrelaytxfee=', "Invalid amount for -minrelaytxfee=<amount>: ''"],
    ['-addresstype=moon', "Unknown address type 'moon'"],
    ['-changetype=moon', "Unknown change type 'moon'"],
    ['-assumevalid=x', 'Invalid assumevalid block hash specified (x), must be up to 64 hex digits (or 0 to disable)'],
    ['-limitclustercount=65', 'limitclustercount must be less than or equal to 64'],
    ['-maxmempool=4', '-maxmempool must be at least 5 MB'],
    ['-limitclustersize=10000', '-maxmempool must be at least 400 MB'],
    ['-blockmaxweight=4000001', 'Specified -blockmaxweight (4000001) exceeds consensus maximum block weight (4000000)'],
    ['-blockreservedweight=1999', 'Specified -blockreservedweight (1999) is lower than minimum safety value of (2000)'],
  ])('refuse %s', (option, said) => {
    expect(() => read(option)).toThrow(said);
  });
});
