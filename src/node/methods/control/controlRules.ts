import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

interface ControlRules {
  /** In the order of the answer. @see Bitcoin Core `LogCategoriesList` */
  readonly logCategories: readonly string[];
  /** Taken, without effect. */
  readonly formerCategories: readonly string[];
}

const CATEGORIES = {
  'core-0.21':
    'net tor mempool http bench zmq walletdb rpc estimatefee addrman selectcoins reindex cmpctblock rand prune proxy mempoolrej libevent coindb qt leveldb validation',
  'core-29':
    'addrman bench blockstorage cmpctblock coindb estimatefee http i2p ipc leveldb libevent mempool mempoolrej net proxy prune qt rand reindex rpc scan selectcoins tor txpackages txreconciliation validation walletdb zmq',
  'core-31':
    'addrman bench blockstorage cmpctblock coindb estimatefee http i2p ipc kernel leveldb libevent mempool mempoolrej net privatebroadcast proxy prune qt rand reindex rpc scan selectcoins tor txpackages txreconciliation validation walletdb zmq',
  'core-32':
    'addrman bench blockstorage cmpctblock coindb estimatefee http i2p ipc kernel leveldb mempool mempoolrej net privatebroadcast proxy prune qt rand reindex rpc scan selectcoins tor txpackages txreconciliation validation walletdb zmq',
};

export const controlRules: ByGeneration<ControlRules> = byGeneration<ControlRules>({
  'core-0.21': { logCategories: CATEGORIES['core-0.21'].split(' '), formerCategories: [] },
  'core-29': { logCategories: CATEGORIES['core-29'].split(' ') },
  'core-31': { logCategories: CATEGORIES['core-31'].split(' ') },
  'core-32': { logCategories: CATEGORIES['core-32'].split(' '), formerCategories: ['libevent'] },
});
