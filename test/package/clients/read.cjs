// Makes the calls of `calls.json` with each client, and prints the answers by client: as a program does that talks to a node.
const { readFileSync } = require('node:fs');
const Core = require('bitcoin-core');
const Bitcoind = require('bitcoind-rpc');
const { RPCClient } = require('rpc-bitcoin');

const [port, user, pass] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(`${__dirname}/calls.json`, 'utf8'));

/** Finds the method that a client names in its own letter case. */
const methodOf = (client, name) => client[Object.keys(Bitcoind.callspec).find((known) => known.toLowerCase() === name)];

function callsOfBitcoind() {
  const client = new Bitcoind({ protocol: 'http', host: '127.0.0.1', port, user, pass });
  return (name, params) =>
    new Promise((resolve) => {
      methodOf(client, name).call(client, ...params, (error, answer) =>
        resolve(error ? { code: error.code } : answer.result),
      );
    });
}

async function callsOfFetch(name, params) {
  const reply = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${user}:${pass}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'read', method: name, params }),
  });
  const { result, error } = await reply.json();
  return error ? { code: error.code } : result;
}

/** Turns an error into its code. */
const coded = (call) => async (name, params) => {
  try {
    return await call(name, params);
  } catch (error) {
    return { code: error.code };
  }
};

const core = new Core({ host: `http://127.0.0.1:${port}`, username: user, password: pass });
const rpc = new RPCClient({ url: 'http://127.0.0.1', port: Number(port), user, pass });
const clients = {
  fetch: callsOfFetch,
  'bitcoin-core': coded((name, params) => core.command(name, ...params)),
  'bitcoind-rpc': callsOfBitcoind(),
  'rpc-bitcoin': coded((name, params) => rpc.rpc(name, params)),
};

(async () => {
  const answers = {};
  for (const [client, call] of Object.entries(clients)) {
    answers[client] = [];
    for (const [name, ...params] of calls) answers[client].push(await call(name, params));
  }
  process.stdout.write(JSON.stringify(answers));
})();
