import { activeTip } from '../chain/chainState.ts';
import type { Node } from '../state/node.ts';

/** In seconds. @see Bitcoin Core `DEFAULT_MAX_TIP_AGE` */
const MAX_TIP_AGE = 86_400;

/** Tells whether the last block is too old to be the last of the network. @see Bitcoin Core `IsInitialBlockDownload` */
export const isCatchingUp = ({ chain, now }: Node): boolean => activeTip(chain).time < now() - MAX_TIP_AGE;
