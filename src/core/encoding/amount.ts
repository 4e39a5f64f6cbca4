const COIN_DIGITS = 8;

/** Formats satoshis as coins with exactly 8 decimals. */
export function formatAmount(sats: bigint): string {
  const sign = sats < 0n ? '-' : '';
  const digits = (sats < 0n ? -sats : sats).toString().padStart(COIN_DIGITS + 1, '0');
  return `${sign}${digits.slice(0, -COIN_DIGITS)}.${digits.slice(-COIN_DIGITS)}`;
}

/** Formats an amount with at least two decimals. @see Core `FormatMoney` */
export const formatMoney = (sats: bigint): string => formatAmount(sats).replace(/0{1,6}$/, '');

/** Parses coins with at most 8 decimals into satoshis. Returns `undefined` for anything else. @see Core `ParseMoney` */
export function parseMoney(text: string): bigint | undefined {
  const [, coins = '', decimals = ''] = /^(\d{0,10})(?:\.(\d{0,8}))?$/.exec(text) ?? [];
  return coins + decimals === '' ? undefined : BigInt(coins + decimals.padEnd(COIN_DIGITS, '0'));
}
