import type { Target } from './target.ts';
import { AROUND_TARGETS } from './targets/around.ts';
import { CHAIN_TARGETS } from './targets/chains.ts';
import { CODE_TARGETS } from './targets/codes.ts';
import { DESCRIPTOR_TARGETS } from './targets/descriptors.ts';
import { MESSAGE_TARGETS } from './targets/messages.ts';
import { PROGRAM_TARGETS } from './targets/programs.ts';
import { ROLE_TARGETS } from './targets/psbtRoles.ts';
import { PSBT_TARGETS } from './targets/psbts.ts';
import { REQUEST_TARGETS } from './targets/requests.ts';
import { SCRIPT_TARGETS } from './targets/scripts.ts';
import { SIGHASH_TARGETS } from './targets/sighashes.ts';
import { TEXT_TARGETS } from './targets/texts.ts';
import { TRANSACTION_TARGETS } from './targets/transactions.ts';
import { WALLET_TARGETS } from './targets/wallets.ts';

/** Every target: one for each decoder, parser and role. */
export const TARGETS: readonly Target[] = [
  ...TRANSACTION_TARGETS,
  ...SCRIPT_TARGETS,
  ...SIGHASH_TARGETS,
  ...TEXT_TARGETS,
  ...DESCRIPTOR_TARGETS,
  ...PSBT_TARGETS,
  ...ROLE_TARGETS,
  ...WALLET_TARGETS,
  ...MESSAGE_TARGETS,
  ...AROUND_TARGETS,
  ...CODE_TARGETS,
  ...REQUEST_TARGETS,
  ...CHAIN_TARGETS,
  ...PROGRAM_TARGETS,
];
