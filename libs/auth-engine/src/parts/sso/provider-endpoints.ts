import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { endpoint } from '../../endpoint.js';
import { requiredText } from '../../fields.js';
import type { AuthConfig } from '../../auth-config.js';
import { requireSecondFactor } from '../../second-factor.js';
import type { SsoProviders } from './manage-providers.js';
import type { SsoProviderView } from './note-change.js';
import type { SsoActor } from './provider-rights.js';
import { ssoRoutes } from './routes.js';

/** The routes by which users manage providers. */
export function providerEndpoints(config: AuthConfig, providers: SsoProviders) {
  const route = routeUnder(config);
  return {
    registerSSOProvider: route('/sso/register', (actor, body) => providers.register(actor, body)),
    listSSOProviders: route('/sso/providers', async (actor) => ({
      providers: await providers.list(actor),
    })),
    getSSOProvider: route('/sso/get-provider', (actor, query) =>
      providers.get(actor, requiredText(query, 'providerId')),
    ),
    updateSSOProvider: route('/sso/update-provider', (actor, body) =>
      updateBy(providers, actor, body),
    ),
    deleteSSOProvider: route('/sso/delete-provider', async (actor, body) => {
      await providers.remove(actor, providerIdIn(body));
      return { success: true };
    }),
    verifySSODomain: route('/sso/verify-domain', (actor, body) =>
      providers.verifyDomains(actor, providerIdIn(body)),
    ),
  };
}

/** What a route does with its body, or with its query when it has no body. */
type Work = (actor: SsoActor, input: unknown) => Promise<Readonly<Record<string, unknown>>>;

const routeUnder = (config: AuthConfig) => (path: keyof typeof ssoRoutes, work: Work) => {
  const { method } = ssoRoutes[path];
  const options = { method, use: [sessionMiddleware], requireHeaders: true };
  return endpoint(path, options, async (ctx, body) => {
    const { user } = ctx.context.session;
    const kind = user['role'] === 'ADMIN' ? 'administrator' : 'user';
    // Who manages a provider decides who signs in.
    requireSecondFactor(config, ctx.context.session);
    const input: unknown = method === 'GET' ? ctx.query : body;
    return ctx.json(await work({ kind, userId: user.id }, input));
  });
};

/** A body that names its provider beside what changes. */
async function updateBy(
  providers: SsoProviders,
  actor: SsoActor,
  body: unknown,
): Promise<SsoProviderView> {
  const id = requiredText(body, 'providerId');
  const changes = Object.entries(isRecord(body) ? body : {}).filter(
    ([name]) => name !== 'providerId',
  );
  return providers.update(actor, id, Object.fromEntries(changes));
}

/** The body of a route that takes the id of a provider and nothing else. */
function providerIdIn(body: unknown): string {
  const extra = isRecord(body)
    ? Object.keys(body).find((name) => name !== 'providerId')
    : undefined;
  if (extra !== undefined) throw fail('FIELD_NOT_ALLOWED', { field: extra });
  return requiredText(body, 'providerId');
}
