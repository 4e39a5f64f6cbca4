import { assertShape, isObject } from '../bytes/knownOptions.ts';
import type { Descriptor } from './types.ts';

/** Refuses a text, which may be a private key and is not quoted. @throws `argument/invalid` */
export function assertDescriptor(descriptor: Descriptor, argument = 'descriptor'): void {
  const isShaped = isObject(descriptor) && typeof descriptor.kind === 'string';
  assertShape(argument, isShaped, 'a descriptor: pass parseDescriptor(text, network)');
}
