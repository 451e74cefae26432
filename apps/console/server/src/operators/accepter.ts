import type { Accepter } from '#libs/control-plane';
import { fail } from '#libs/errors';
import type { CurrentOperator, Visitor } from '../http/current-operator.js';
import type { AcceptBody } from './invitations.dto.js';

/** Who accepts an invitation: the operator of the session, else a new person with a password. */
export function accepterOf(
  { name = '', password }: AcceptBody,
  operator: CurrentOperator | undefined,
  { ip, requestId }: Visitor,
): Accepter {
  if (operator) return { kind: 'operator', actor: operator };
  if (password === undefined) {
    throw fail('INVALID_INPUT', { field: 'password', reason: 'it is needed unless you sign in' });
  }
  return { kind: 'new', name, password, ip, requestId };
}
