import { randomBytes, randomUUID } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';

/** A new id of a user: a UUID where the project's ids are, else a cuid. */
export function newUserId(idType: 'text' | 'uuid'): string {
  return idType === 'uuid' ? randomUUID() : createId();
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const cuidLength = 24;

/** A new id of any other row, in the shape of a user's; making it takes a hundredth of the time of a cuid. */
export function newRowId(idType: 'text' | 'uuid'): string {
  if (idType === 'uuid') return randomUUID();
  const alphabet = `${letters}0123456789`;
  return Array.from(randomBytes(cuidLength), (byte, index) => {
    const allowed = index === 0 ? letters : alphabet;
    return allowed[byte % allowed.length];
  }).join('');
}
