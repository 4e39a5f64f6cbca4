// Passes connections on to a server's socket, and cuts one at its first commit of a change, when asked by the second
// argument: "before" the commit reaches the server, "after" it without its answer, or "after and stay away". It says its
// port. The first argument is the path of the server's socket.
import { connect, createServer } from 'node:net';

const [path, when] = process.argv.slice(2);
let isCut = false;
const server = createServer((client) => {
  if (isCut && when === 'after and stay away') {
    client.destroy();
    return;
  }
  const upstream = connect(path);
  let isAdvanced = false;
  let isAfter = false;
  const cut = () => {
    isCut = true;
    client.destroy();
    upstream.destroy();
  };
  client.on('data', (data) => {
    // The statement "advance" precedes the commit of a change.
    isAdvanced ||= !isCut && data.includes('advance');
    if (isAdvanced && when === 'before') return cut();
    isAfter ||= isAdvanced && data.includes('COMMIT');
    upstream.write(data);
  });
  upstream.on('data', (data) => {
    if (!isAfter) client.write(data);
    else if (data.includes('COMMIT')) cut();
  });
  for (const socket of [client, upstream]) {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      client.destroy();
      upstream.destroy();
    });
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
