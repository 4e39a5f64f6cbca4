export const CHOICE_HELP = `The choice of coins is countersign's own: like a node, it takes confirmed coins first, and of several selections the one that
wastes least; but nodes choose at random, too, so that no two choose alike.`;
