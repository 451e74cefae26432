// Whether a caller of a try is looked up in the accounts of the project, and who may try such a caller.
import { type AppError, fail } from '#libs/errors';

import type { TriedCaller } from './try-request.js';

/**
 * Returns CAPABILITY_REQUIRED (403), which names the field, for a caller whose claims are those of an account, unless
 * `seesAccounts`. Code of the project can return the claims of its caller, which have the email address of a user.
 */
export function refusalOfCaller(as: TriedCaller, seesAccounts: boolean): AppError | undefined {
  const field = accountField(as);
  if (field === undefined || seesAccounts) return undefined;
  const hint = `${field} shows the account of a user; use as.kind claims with as.role and as.claims`;
  return fail('CAPABILITY_REQUIRED', { capability: 'secrets.manage' }, { hint });
}

/** Throws what {@link refusalOfCaller} returns. */
export function requireCaller(as: TriedCaller, seesAccounts: boolean): void {
  const refusal = refusalOfCaller(as, seesAccounts);
  if (refusal) throw refusal;
}

/** The field by which a caller is looked up in the accounts of the project; undefined: it is not looked up. */
function accountField({ kind }: TriedCaller): string | undefined {
  switch (kind) {
    case 'user':
      return 'as.userId';
    case 'keyId':
      return 'as.keyId';
    case 'key':
      return 'as.key';
    case 'anon':
    case 'claims':
      return undefined;
  }
}
