import { randomUUID } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';

/** A new id of a row of accounts: a UUID where the project's ids are, else a cuid. */
export function newUserId(idType: 'text' | 'uuid'): string {
  return idType === 'uuid' ? randomUUID() : createId();
}
