import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

interface ControlRules {
  /** In the order of the answer. @see Bitcoin Core `LogCategoriesList` */
  readonly logCategories: readonly string[];
  /** Taken, without effect. */
  readonly formerCategories: readonly string[];
}

const OLD =
  'net tor mempool http bench zmq walletdb rpc estimatefee addrman selectcoins reindex cmpctblock rand prune proxy mempoolrej libevent coindb qt leveldb validation';
const MODERN =
  'addrman bench blockstorage cmpctblock coindb estimatefee http i2p ipc leveldb libevent mempool mempoolrej net proxy prune qt rand reindex rpc scan selectcoins tor txpackages txreconciliation validation walletdb zmq'.split(
    ' ',
  );
const SINCE_31 = [...MODERN, 'kernel', 'privatebroadcast'].sort();

export const controlRules: ByGeneration<ControlRules> = byGeneration<ControlRules>({
  'core-0.21': { logCategories: OLD.split(' '), formerCategories: [] },
  'core-29': { logCategories: MODERN },
  'core-31': { logCategories: SINCE_31 },
  'core-32': { logCategories: SINCE_31.filter((name) => name !== 'libevent'), formerCategories: ['libevent'] },
});
