/** Methods of ours that no node has. */
export const OWN_METHODS = ['droptransaction', 'reviewpsbt', 'verifyrawtransaction'] as const;
