import { fail } from '#libs/errors';
import type { Caller } from '#libs/wire';

/** Throws CAPABILITY_REQUIRED (403) for an operator who may not change contents, such as what apps show of a channel. */
export function requireWriting(caller: Caller): void {
  if (caller.via !== 'operator' || caller.operator.capabilities.includes('content.write')) return;
  throw fail('CAPABILITY_REQUIRED', { capability: 'content.write' });
}
