// The address of an account cannot be changed (specification: updateUser). The routes by which the engine
// would do it exist to say so.
import type { BetterAuthPlugin } from 'better-auth';
import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { endpoint, hook } from '../../endpoint.js';
import { type AuthPart, write } from '../../part.js';
import { currentRoute } from '../../outgoing-messages.js';

const refused = {
  ...write,
  takesOtherFields: true,
  answer: 'Refused',
  needsSession: true,
} as const;

/** The routes by the names of the endpoints whose places they take. */
const REFUSED = {
  changeEmail: {
    ...refused,
    path: '/change-email',
    summary: 'Always refused: the address of an account stays',
    fields: 'newEmail+ callbackURL',
  },
  requestEmailChangeEmailOTP: {
    ...refused,
    path: '/email-otp/request-email-change',
    summary: 'Always refused, as change-email',
    fields: 'newEmail+',
  },
  changeEmailEmailOTP: {
    ...refused,
    path: '/email-otp/change-email',
    summary: 'Always refused, as change-email by code',
    fields: 'newEmail+ otp+',
  },
};

/** Refuses every change of an address. */
export const fixedEmail: AuthPart = {
  name: 'fixedEmail',
  routes: Object.fromEntries(Object.values(REFUSED).map(({ path, ...route }) => [path, route])),
  build: () => ({ plugins: [fixedEmailPlugin] }),
};

const fixedEmailPlugin: BetterAuthPlugin = {
  id: 'platform-fixed-email',
  endpoints: Object.fromEntries(
    Object.entries(REFUSED).map(([name, { path }]) => [name, refusing(path)]),
  ),
  hooks: {
    before: [
      {
        matcher: ({ body }) => currentRoute()?.keepsAddress === true && names(body, 'email'),
        handler: hook(async () => {
          throw fail('CHANGE_EMAIL_DISABLED');
        }),
      },
    ],
  },
};

function refusing(path: string) {
  return endpoint(path, { method: 'POST', use: [sessionMiddleware] }, async () => {
    throw fail('CHANGE_EMAIL_DISABLED');
  });
}

function names(body: unknown, field: string): boolean {
  return isRecord(body) && Object.hasOwn(body, field);
}
