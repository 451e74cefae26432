import { sensitiveSessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText } from '../../fields.js';
import { listTrustedDevices, revokeTrustedDevice } from './trusted-devices.js';

/** The devices that the signed-in user has trusted. */
export function trustedDevices({ pool }: AuthConfig) {
  return endpoint(
    '/two-factor/trusted-devices',
    { method: 'GET', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx) => ctx.json(await listTrustedDevices(pool, ctx, ctx.context.session.user.id)),
  );
}

/** Trusts a device no more. It is asked for a second factor at its next sign-in. */
export function revokeDevice({ pool }: AuthConfig) {
  return endpoint(
    '/two-factor/revoke-trusted-device',
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const deviceId = requiredText(body, 'id');
      const { user } = ctx.context.session;
      if (!(await revokeTrustedDevice(pool, { userId: user.id, deviceId }))) {
        throw fail('TRUSTED_DEVICE_NOT_FOUND');
      }
      return ctx.json({ status: true });
    },
  );
}
