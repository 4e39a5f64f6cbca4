import type { Descriptor } from '../../../core/descriptors/types.ts';
import type { Settings } from './settings.ts';

export type OutputKind = 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m';

/**
 * Why a wallet has no new address: it has no active descriptor, it needs a locked private key to derive more, or it is at
 * the end of a range and has no private keys.
 */
export type NoAddress = 'lacking' | 'used up' | 'at its end';

/** `external` for receiving, `internal` for change. */
export const SIDES = ['external', 'internal'] as const;
export type Side = (typeof SIDES)[number];

/** The descriptors that new addresses come from, by their numbers: at most one per output type and side. */
export type DescriptorRoles = Readonly<Record<Side, { readonly [K in OutputKind]?: number }>>;

/** The roles, and those in the wallet file. */
export interface SavedRoles {
  readonly roles: DescriptorRoles;
  /** Keeps a role that a descriptor lost by moving sides. */
  readonly savedRoles: DescriptorRoles;
}

type RoleSettings = Settings<SavedRoles>;

export const NO_ROLES: DescriptorRoles = { external: {}, internal: {} };

const OTHER_SIDE: Readonly<Record<Side, Side>> = { external: 'internal', internal: 'external' };

const withRole = (roles: DescriptorRoles, side: Side, role: DescriptorRoles[Side]): DescriptorRoles => ({
  ...roles,
  [side]: { ...roles[side], ...role },
});

function withoutRole(roles: DescriptorRoles, side: Side, kind: OutputKind): DescriptorRoles {
  const { [kind]: _, ...others } = roles[side];
  return { ...roles, [side]: others };
}

/** Makes a descriptor active, and inactive on the other side. */
function assign(roles: DescriptorRoles, { number, kind, side }: Role): DescriptorRoles {
  const assigned = withRole(roles, side, { [kind]: number });
  const other = OTHER_SIDE[side];
  return assigned[other][kind] === number ? withoutRole(assigned, other, kind) : assigned;
}

interface Role {
  readonly number: number;
  readonly kind: OutputKind;
  readonly side: Side;
}

/** @see Bitcoin Core 31 `CWallet::LoadActiveScriptPubKeyMan` */
export function activate(settings: RoleSettings, role: Role): void {
  const { roles, savedRoles } = settings.row;
  settings.change({
    savedRoles: withRole(savedRoles, role.side, { [role.kind]: role.number }),
    roles: assign(roles, role),
  });
}

export function deactivate(settings: RoleSettings, { number, kind, side }: Role): void {
  const { roles, savedRoles } = settings.row;
  if (roles[side][kind] !== number) return;
  settings.change({ roles: withoutRole(roles, side, kind), savedRoles: withoutRole(savedRoles, side, kind) });
}

/** Restores the roles from the wallet file, as loading does, which reads internal roles last. */
export function reloadRoles(settings: RoleSettings): void {
  let roles = NO_ROLES;
  for (const side of SIDES) {
    for (const [kind, number] of Object.entries(settings.row.savedRoles[side]) as [OutputKind, number][]) {
      roles = assign(roles, { number, kind, side });
    }
  }
  settings.change({ roles });
}

/** Returns `undefined` for no or several address types. @see Bitcoin Core `GetOutputType` */
export function outputKind(descriptor: Descriptor): OutputKind | undefined {
  switch (descriptor.kind) {
    case 'pkh':
      return 'legacy';
    case 'sh':
      return ['wpkh', 'wsh'].includes(descriptor.inner.kind) ? 'p2sh-segwit' : 'legacy';
    case 'wpkh':
    case 'wsh':
      return 'bech32';
    case 'tr':
    case 'rawtr':
      return 'bech32m';
    default:
      return undefined;
  }
}
