import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCommand, encodeFrame, encodeGreeting, encodeProperty } from '../../../src/shell/zmq/frames.ts';
import { createSubscriber, MOST_SUBSCRIPTIONS, type Subscriber } from '../../../src/shell/zmq/subscriber.ts';
import { concatBytes, parseHex } from '../../support/library.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const message = (text: string, hasMore = false): Uint8Array =>
  encodeFrame({ isCommand: false, hasMore, body: bytes(text) });
const ready = (type: string): Uint8Array => encodeCommand('READY', encodeProperty('Socket-Type', type));
const PONG = encodeCommand('PONG', bytes('now'));

function connected(): Subscriber {
  const subscriber = createSubscriber();
  expect(subscriber.receive(encodeGreeting())).toEqual({ replies: [ready('PUB')] });
  expect(subscriber.receive(ready('SUB'))).toEqual({ replies: [] });
  return subscriber;
}

describe('a subscriber', () => {
  test('is ready after both handshakes, and wants nothing at first', () => {
    const subscriber = createSubscriber();
    expect(subscriber.isReady()).toBe(false);
    subscriber.receive(encodeGreeting());
    expect(subscriber.isReady()).toBe(false);
    subscriber.receive(ready('XSUB'));
    expect(subscriber.isReady()).toBe(true);
    expect(subscriber.wants('hashtx')).toBe(false);
  });

  test.each([
    ['messages of 3.0', message('\x01hash'), message('\x00hash')],
    ['commands of 3.1', encodeCommand('SUBSCRIBE', bytes('hash')), encodeCommand('CANCEL', bytes('hash'))],
  ])('subscribes to prefixes by %s', (_, subscribe, cancel) => {
    const subscriber = connected();
    // The second time changes nothing.
    subscriber.receive(concatBytes(subscribe, subscribe));
    expect(['hashtx', 'hashblock', 'hash', 'has', 'rawtx'].map(subscriber.wants)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    subscriber.receive(message('\x01'));
    expect(subscriber.wants('rawtx')).toBe(true);
    subscriber.receive(concatBytes(cancel, message('\x00'), message('\x00unknown')));
    expect(subscriber.wants('hashtx')).toBe(false);
  });

  test('subscribes by messages of one part only', () => {
    const subscriber = connected();
    subscriber.receive(concatBytes(message('\x01a', true), message('\x01b', true), message('\x01c'), message('\x01d')));
    expect(['a', 'b', 'c', 'd'].map(subscriber.wants)).toEqual([false, false, false, true]);
  });

  test('gets an answer to PING', () => {
    expect(connected().receive(encodeCommand('PING', bytes('\x00\x0anow')))).toEqual({ replies: [PONG] });
  });

  test('may send what it likes besides', () => {
    const subscriber = connected();
    expect(subscriber.receive(concatBytes(message('hello'), message(''), encodeCommand('LATER', bytes('x'))))).toEqual({
      replies: [],
    });
    expect(subscriber.isReady()).toBe(true);
  });

  test.each([
    ['another socket', ready('SUB').map((byte) => (byte === 0x53 ? 0x50 : byte)), 'it does not subscribe'],
    ['another type', ready('PULL'), 'it does not subscribe'],
    ['no type', encodeCommand('READY', new Uint8Array()), 'it does not subscribe'],
    ['a message', message('\x01'), 'its handshake is malformed'],
    ['another command', encodeCommand('HELLO', new Uint8Array()), 'its handshake is malformed'],
    ['properties that are cut', encodeCommand('READY', bytes('\x0bSocket')), 'its handshake is malformed'],
  ])('is refused after a handshake with %s', (_, sent, fault) => {
    const subscriber = createSubscriber();
    subscriber.receive(encodeGreeting());
    expect(subscriber.receive(sent)).toEqual({ replies: [], fault });
    expect(subscriber.receive(ready('SUB'))).toEqual({ replies: [] });
    expect(subscriber.isReady()).toBe(false);
  });

  test.each([
    ['a PING without its time', encodeCommand('PING', bytes('\x00')), 'a PING is malformed'],
    ['a PING that is too long', encodeCommand('PING', new Uint8Array(19)), 'a PING is malformed'],
    ['READY again', ready('SUB'), 'it sent READY after the handshake'],
    ['a command without a name', parseHex('0400'), 'a command has no name'],
    ['a long frame', parseHex('020000000000100000'), 'a frame is longer than 4096 bytes'],
  ])('is refused for %s', (_, sent, fault) => {
    expect(connected().receive(sent).fault).toBe(fault);
  });

  test('has a bounded number of subscriptions', () => {
    const subscriber = connected();
    for (let i = 0; i < MOST_SUBSCRIPTIONS; i += 1)
      expect(subscriber.receive(message(`\x01${i}`)).fault).toBeUndefined();
    expect(subscriber.receive(message('\x01one more')).fault).toBe('it has more than 1000 subscriptions');
  });

  test('may cut its bytes anywhere', () => {
    const sent = concatBytes(
      encodeGreeting(),
      ready('SUB'),
      message('\x01raw'),
      encodeCommand('PING', bytes('\x00\x00now')),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(sent.length), { maxLength: 8 }), (cuts) => {
        const subscriber = createSubscriber();
        const places = [0, ...cuts.sort((a, b) => a - b), sent.length];
        const replies = places.slice(1).flatMap((end, i) => subscriber.receive(sent.slice(places[i], end)).replies);
        expect(replies).toEqual([ready('PUB'), PONG]);
        expect(subscriber.wants('rawtx')).toBe(true);
      }),
    );
  });

  test('may send anything', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const subscriber = connected();
        for (const chunk of chunks) subscriber.receive(chunk);
      }),
    );
  });
});
