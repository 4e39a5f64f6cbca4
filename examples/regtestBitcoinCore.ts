// Gives a regtest in this process to the npm client `bitcoin-core`, over HTTP as a node of its own would have.
import BitcoinCore from 'bitcoin-core';
import { startRegtest } from 'countersign/regtest';

const chain = startRegtest();
const { url, user, password, close } = await chain.listen();
const client = new BitcoinCore({ host: url, username: user, password });

await client.command('createwallet', 'alice');
const address = String(await client.command('getnewaddress'));
await client.command('generatetoaddress', 101, address);

/** The reward of the first block, in coins. */
export const balance = Number(await client.command('getbalance'));
await close();
