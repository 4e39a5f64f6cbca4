import { BtcError } from '../../core/errors.ts';

/** @throws `qr/invalid` */
export function refuse(option: string, reason: string): never {
  const subject = option === 'content' ? 'The content' : `The option ${option}`;
  throw new BtcError('qr/invalid', { option, reason }, `${subject} ${reason}`);
}

/** @throws `qr/invalid` */
export function assertSize(
  option: string,
  size: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (!Number.isInteger(size) || size < least || size > most) {
    refuse(option, `must be a whole number from ${least} to ${most}`);
  }
}
