/** A number or a string is in coins, a bigint in satoshi. A number may be inexact. */
export type Amount = number | string | bigint;
