/**
 * Tells whether leaves of these depths, in depth-first order, make one whole binary tree.
 * @see BIP371 PSBT_OUT_TAP_TREE; Bitcoin Core `TaprootBuilder`
 */
export function isCompleteTree(depths: readonly number[]): boolean {
  // open[d]: whether a finished subtree at depth d waits for its sibling on the right.
  const open: boolean[] = [];
  for (const depth of depths) {
    if (depth + 1 < open.length) return false;
    let at = depth;
    while (open.length > at && open[at]) {
      open.length = at;
      if (at === 0) return false;
      at -= 1;
    }
    while (open.length < at) open.push(false);
    open[at] = true;
  }
  return open.length === 1 && open[0] === true;
}
