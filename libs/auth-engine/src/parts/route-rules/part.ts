// The rules that routes declare about themselves and that hold before an endpoint runs.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { hook } from '../../endpoint.js';
import { currentRoute } from '../../outgoing-messages.js';
import type { AuthPart, Route } from '../../part.js';
import { fieldNames } from '../../route-fields.js';
import { requireSecondFactor } from '../../second-factor.js';
import { checkAddress, checkFields } from '../../sign-up-policy.js';
import { sessionOf } from '../session-policy/session-of.js';

/** Checks what routes need: a way to send mail, the second factor, and the fields of their body. */
export const routeRules: AuthPart = {
  name: 'routeRules',
  routes: {},
  build: (config) => ({ plugins: [rulesPlugin(config)] }),
};

function rulesPlugin(config: AuthConfig): BetterAuthPlugin {
  const check = hook(async (ctx, body) => {
    const route = currentRoute();
    if (!route) return;
    if (needsMail(route, config) && !config.messages.canMail()) throw fail('EMAIL_NOT_CONFIGURED');
    // The endpoint refuses requests without a session.
    const found = route.needsSecondFactor ? await sessionOf(ctx) : undefined;
    if (found) requireSecondFactor(config, found);
    const allowed = fieldNames(route);
    if (!body || !allowed || route.method === 'GET' || route.takesOtherFields) return;
    checkFields(body, allowed);
    checkAddress(body['email']);
  });
  return {
    id: 'platform-route-rules',
    hooks: { before: [{ matcher: () => true, handler: check }] },
  };
}

function needsMail({ needsMail: when }: Route, { settings }: AuthConfig): boolean {
  if (when === undefined) return false;
  const { enabled, requireEmailVerification } = settings['auth.methods.emailPassword'];
  return when === 'always' || (enabled && requireEmailVerification);
}
