import { createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText } from '../../body-rules.js';
import { listTrustedDevices, revokeTrustedDevice } from './trusted-devices.js';

/** The devices that the signed-in user has trusted. */
export function trustedDevices({ pool }: AuthConfig) {
  return createAuthEndpoint(
    '/two-factor/trusted-devices',
    { method: 'GET', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx) => ctx.json(await listTrustedDevices(pool, ctx, ctx.context.session.user.id)),
  );
}

/** Trusts a device no more. It is asked for a second factor at its next sign-in. */
export function revokeDevice({ pool }: AuthConfig) {
  return createAuthEndpoint(
    '/two-factor/revoke-trusted-device',
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx) => {
      const deviceId = requiredText(ctx.body, 'id');
      const { user } = ctx.context.session;
      if (!(await revokeTrustedDevice(pool, { userId: user.id, deviceId }))) {
        throw fail('TRUSTED_DEVICE_NOT_FOUND');
      }
      return ctx.json({ status: true });
    },
  );
}
