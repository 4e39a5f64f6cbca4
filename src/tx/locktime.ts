/** Lock times from here on are UNIX times, below are heights. @see BIP65; Bitcoin Core `LOCKTIME_THRESHOLD` */
export const LOCKTIME_THRESHOLD = 500_000_000;

/** An input with this sequence does not let the lock time count. @see Bitcoin Core `CTxIn::SEQUENCE_FINAL` */
export const SEQUENCE_FINAL = 0xffff_ffff;
