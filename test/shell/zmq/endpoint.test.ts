import { expect, test } from 'vitest';
import { parseEndpoint } from '../../../src/shell/zmq/endpoint.ts';

test.each([
  ['tcp://127.0.0.1:28332', { host: '127.0.0.1', port: 28_332 }],
  ['tcp://[::1]:28332', { host: '::1', port: 28_332 }],
  ['tcp://::1:28332', { host: '::1', port: 28_332 }],
  ['tcp://*:28332', { host: '0.0.0.0', port: 28_332 }],
  ['tcp://127.0.0.1:*', { host: '127.0.0.1', port: 0 }],
  ['tcp://lo:1', { host: '127.0.0.1', port: 1 }],
  ['ipc:///tmp/node', { path: '/tmp/node' }],
])('%s is an address', (address, endpoint) => {
  expect(parseEndpoint(address)).toEqual(endpoint);
});

test.each([
  ['foo', 'Invalid argument'],
  ['tcp://', 'Invalid argument'],
  ['tcp://127.0.0.1', 'Invalid argument'],
  ['tcp://127.0.0.1:', 'Invalid argument'],
  ['tcp://127.0.0.1:65536', 'Invalid argument'],
  ['tcp://127.0.0.1:-1', 'Invalid argument'],
  ['tcp://localhost:28332', 'No such device'],
  ['udp://127.0.0.1:1', 'Protocol not supported'],
  ['ipc://', 'Invalid argument'],
  ['ipc://*', 'Invalid argument'],
  ['ipc://@hidden', 'Invalid argument'],
  [`ipc://${'/a'.repeat(54)}`, 'File name too long'],
])('%s cannot be bound', (address, fault) => {
  expect(parseEndpoint(address)).toEqual({ fault });
});
