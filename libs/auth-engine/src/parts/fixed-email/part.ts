// The address of an account cannot be changed (specification: updateUser). The routes by which the engine
// would do it exist to say so.
import type { BetterAuthPlugin } from 'better-auth';
import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { endpoint, hook } from '../../endpoint.js';
import { type AuthPart, write } from '../../part.js';
import { isObject } from '../../fields.js';

/** Refuses every change of an address. */
export const fixedEmail: AuthPart = {
  name: 'fixedEmail',
  routes: {
    '/change-email': {
      ...write,
      summary: 'Always refused: the address of an account stays',
      fields: 'newEmail+ callbackURL',
      takesOtherFields: true,
      answer: 'Refused',
      needsSession: true,
    },
    '/email-otp/request-email-change': {
      ...write,
      summary: 'Always refused, as change-email',
      fields: 'newEmail+',
      takesOtherFields: true,
      answer: 'Refused',
      needsSession: true,
    },
    '/email-otp/change-email': {
      ...write,
      summary: 'Always refused, as change-email by code',
      fields: 'newEmail+ otp+',
      takesOtherFields: true,
      answer: 'Refused',
      needsSession: true,
    },
  },
  build: () => ({ plugins: [fixedEmailPlugin] }),
};

const fixedEmailPlugin: BetterAuthPlugin = {
  id: 'platform-fixed-email',
  endpoints: {
    changeEmail: refusing('/change-email'),
    requestEmailChangeEmailOTP: refusing('/email-otp/request-email-change'),
    changeEmailEmailOTP: refusing('/email-otp/change-email'),
  },
  hooks: {
    before: [
      {
        matcher: ({ path, body }) => path === '/update-user' && names(body, 'email'),
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
  return isObject(body) && Object.hasOwn(body, field);
}
