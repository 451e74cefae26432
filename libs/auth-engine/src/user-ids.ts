import { randomUUID } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';

/** A new id of a user: a UUID where the project's ids are, else a cuid. */
export function newUserId(idType: 'text' | 'uuid'): string {
  return idType === 'uuid' ? randomUUID() : createId();
}

/** A new id of any other row, which is made in a thousandth of the time that a cuid takes. */
export function newRowId(idType: 'text' | 'uuid'): string {
  const id = randomUUID();
  return idType === 'uuid' ? id : id.replaceAll('-', '');
}
