export const CHOICE_HELP = `The choice of coins is countersign's own: like a node, it takes confirmed coins first, and of several selections the one that
wastes least; but nodes choose at random, too, so that no two choose alike.`;

export const FUNDING_HELP = `     { "fee_rate": n         the fee rate in sat/vB; or "feeRate", in coins per 1000 virtual bytes
       "add_inputs": b       whether to add coins of the wallet to given inputs
       "change_address": "address", "change_position": n, "change_type": "type"
                             in methods that know them also as changeAddress and changePosition
       "lock_unspents": b    whether to lock the coins; also as lockUnspents
       "replaceable": b      whether the inputs signal replaceability (BIP125)
       "subtract_fee_from_outputs": [n, ...]
                             the outputs that bear the fee, by index; also as subtractFeeFromOutputs
       "include_watching": b whether to spend watch-only coins; 0.21 only
       "include_unsafe": b, "minconf": n, "maxconf": n, "max_tx_weight": n, "solving_data": {...},
       "input_weights": [...] since core-29
       "conf_target": n, "estimate_mode": "mode"
                             are checked; there are no estimates here, so give a fee rate }`;
