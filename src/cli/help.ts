import { withoutSecrets } from '../encoding/redaction.ts';
import { networkAliases, networks } from '../network/networks.ts';
import type { PolicyAction } from '../review/policy.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';

const ALIASES = Object.entries(networkAliases)
  .map(([alias, name]) => `${alias} is ${name}`)
  .join(', ');

const OVERVIEW = `countersign: Bitcoin Core's answers without Bitcoin Core

Usage:
  countersign review spend.psbt                 show what a PSBT would do
  countersign sign spend.psbt                   show it, ask for confirmation, and sign it
  countersign combine a.psbt b.psbt             merge what several signers added
  countersign finalize spend.psbt               make the transaction of a complete PSBT
  countersign addresses wallet.txt              list the addresses of a wallet
  countersign newseed                           make seed words for a new wallet
  countersign qr spend.psbt                     show a PSBT, transaction or wallet as QR codes

  countersign inspect FILE                      show a PSBT, transaction, descriptor or script as a node decodes it
  countersign <method> [arguments]              answer one call, as bitcoin-cli does
  countersign batch                             answer JSON-RPC requests, one per line
  countersign serve                             answer JSON-RPC requests over HTTP
  countersign sync                              update wallets with the blocks of a node, or of files
  countersign help [command]                    show the options of a command, or the help of a method
  countersign help policy                       list the checks of a review
  countersign --version

A FILE may be binary, base64, hex, the JSON of a command or a node, or pictures of QR codes; "-" reads standard input.

General options:
  --network NAME    ${Object.keys(networks).join(', ')},
                    or a .json file with a network of your own; ${ALIASES}
                    (default: that of --wallet-dir, else COUNTERSIGN_NETWORK, else main)
  --dialect NAME    the node to answer as: documented, core-0.21, litecoin-0.21, core-31
                    (default: that of --wallet-dir, else COUNTERSIGN_DIALECT, else documented)
  --arithmetic NAME native, wasm or noble: the library that computes with keys and signatures
                    (default: the first of these that works here)
  -h, --help        show this text, or the help of the command

Options of methods:
  --file FILE       read the first argument from a file; a PSBT may be base64 or binary
  --wallet-dir DIR  keep wallets and blocks in this directory; without it, they are lost when the process ends
  --wallet-store URL
                    keep them in a PostgreSQL database instead, which several processes may use
  --acceptnonstdtxn let transactions into the mempool that are not standard, as on test networks
  --mempoolreplacement
                    let them replace others also in litecoin-0.21, whose node does not by default
  --rpcwallet NAME  the wallet that a call is for, if several are loaded
  --keys-file FILE, --keys-stdin, --keys-prompt
                    read private keys from here rather than from the command line, where others can read them
  --prevtxs-file FILE, --descriptors-file FILE
                    read these arguments from files
  --bip322          sign or verify a message of any address:
                      signmessage --bip322 ADDRESS MESSAGE, with an option for keys as for sign
                      verifymessage --bip322 ADDRESS SIGNATURE MESSAGE: exit code 1 if invalid, 2 if undecided
                        (the signature may also be one of BIP137, as Trezor, Coldcard, Electrum and Sparrow make them)
                      with --prevtxs-file, a proof of funds
  --review          show what signrawtransactionwithkey would sign, and ask for confirmation
    --policy CHECK=ACTION
                      refuse, warn or allow what a check finds
    --yes             sign without asking; needed if there is no terminal to confirm on
  --named           pass arguments as name=value
  --pretty          indent the answer

PSBTs:
  decodepsbt, createpsbt, converttopsbt, utxoupdatepsbt, descriptorprocesspsbt, combinepsbt, finalizepsbt,
  analyzepsbt, joinpsbts, reviewpsbt, signpsbt
Raw transactions:
  decoderawtransaction, decodescript, createrawtransaction, signrawtransactionwithkey,
  combinerawtransaction, verifyrawtransaction
Descriptors, addresses and messages:
  getdescriptorinfo, deriveaddresses, validateaddress, createmultisig, signmessagewithprivkey, verifymessage
Wallets:
  listunspent, listsinceblock, listtransactions, gettransaction, getbalance, getbalances, getunconfirmedbalance,
  listreceivedbyaddress, listreceivedbylabel, getreceivedbyaddress, getreceivedbylabel, listaddressgroupings,
  getaddressinfo, getaddressesbylabel, listlabels, signrawtransactionwithwallet, walletprocesspsbt, signmessage,
  walletcreatefundedpsbt, fundrawtransaction, send, sendtoaddress, sendmany, sendall, bumpfee, psbtbumpfee,
  simulaterawtransaction, getnewaddress, getrawchangeaddress, keypoolrefill, sethdseed, dumpprivkey, gethdkeys,
  createwalletdescriptor, getwalletinfo, importdescriptors, listdescriptors, importprivkey, importaddress,
  importpubkey, importmulti, rescanblockchain, setlabel, lockunspent, listlockunspent, abandontransaction,
  importprunedfunds, removeprunedfunds, addmultisigaddress, setwalletflag, settxfee, abortrescan, encryptwallet,
  walletpassphrase, walletpassphrasechange, walletlock, createwallet, loadwallet, unloadwallet, backupwallet,
  restorewallet, listwallets, listwalletdir
Chain and mempool:
  submitblock, invalidateblock, reconsiderblock, sendrawtransaction, testmempoolaccept, droptransaction, setmocktime,
  getblockcount, getblockhash, getbestblockhash, getblock, getblockheader, getblockchaininfo, getdifficulty,
  getchaintips, gettxout, gettxoutproof, verifytxoutproof, scantxoutset, getrawtransaction, getrawmempool,
  getmempoolinfo, getmempoolentry, getmempoolancestors, getmempooldescendants
Node:
  getnetworkinfo, getconnectioncount, getpeerinfo, getnettotals, getindexinfo, getzmqnotifications, getrpcinfo,
  uptime, estimatesmartfee

Methods of wallets, the chain and the node need --wallet-dir, batch or serve.

Exit code: 0 for success, the absolute error code (modulo 256) for an RPC error, or 1 for an invalid command line.
`;

/** Lists the checks of a review by their default action. */
function policyHelp(defaults: Readonly<Record<string, PolicyAction>>): string {
  const listed = (['refuse', 'warn', 'allow'] as const).flatMap((action) => {
    const names = Object.keys(defaults).filter((name) => defaults[name] === action);
    return names.length > 0 ? [`\n${action}:\n${names.map((name) => `  ${name}\n`).join('')}`] : [];
  });
  return `policy

A review names each finding by its check: [fee-high]. A check refuses to sign, warns, or allows what it finds:
--policy CHECK=ACTION sets this for one check, and may be given more than once. By default they
${listed.join('')}
> countersign sign spend.psbt --policy fee-high=refuse
`;
}

/** Matches the names of a node's methods, and no 12 seed words that are written as one. */
const METHOD_NAME = /^[a-z]{1,28}$/;

/** Returns the overview, or the help of one command or method. @throws UsageError for an unknown command */
export async function helpText(command?: string): Promise<string> {
  if (command === undefined) return OVERVIEW;
  const own = commands.get(command);
  if (own) return own.help;
  if (command === 'policy') return policyHelp((await import('../review/policy.ts')).POLICY_DEFAULTS);
  // The overview, and the help of a command of our own, start without the code of the methods.
  const { methodHelp } = await import('../rpc/help.ts');
  const { allMethods, findMethod } = await import('../rpc/registry.ts');
  const method = findMethod(command);
  if (method) return `${methodHelp(method)}\n`;
  const known = [...allMethods().map(({ name }) => name), ...commands.keys(), 'policy'];
  const shown = METHOD_NAME.test(command) ? command : withoutSecrets(command, 'name');
  throw new UsageError(`help: unknown command: ${shown}${nearestAdvice(command, known)}`);
}
