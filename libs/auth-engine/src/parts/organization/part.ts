// Organizations of a project's users: the engine's plugin, with every request checked field by field, every
// endpoint one transaction, and the rules that hold for every writer kept by the database (migration 0015).
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { organization as enginePlugin } from 'better-auth/plugins/organization';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { currentRoute } from '../../outgoing-messages.js';
import type { AuthPart } from '../../part.js';
import { bodyCheck } from './bodies.js';
import { deleteOrganization } from './delete-organization.js';
import { translating, inTransaction, mapEndpoints } from './guarded-endpoints.js';
import { invitationMails } from './invitation-mails.js';
import { listEndpoints } from './list-endpoints.js';
import { memberEndpoints } from './member-endpoints.js';
import { organizationView } from './organization-views.js';
import { listUserInvitations } from './own-invitations.js';
import { isQuery, queryCheck } from './queries.js';
import { organizationRoutes } from './routes.js';
import { teamRoutes } from './team-routes.js';
import { teamEndpoints } from './team-endpoints.js';

/** Organizations with their members and invitations. */
export const organization: AuthPart = {
  name: 'organization',
  neededSettings: ['auth.organization.enabled'],
  routes: organizationRoutes,
  build: (config) => {
    const { enabled } = config.settings['auth.organization'];
    return enabled ? { plugins: [organizationPlugin(config)] } : undefined;
  },
};

/** Teams inside organizations. What they need of the engine comes with the part `organization`. */
export const teams: AuthPart = {
  name: 'teams',
  neededSettings: ['auth.organization.enabled', 'auth.organization.teamsEnabled'],
  routes: teamRoutes,
  build: ({ settings }) => {
    const { enabled, teamsEnabled } = settings['auth.organization'];
    return enabled && teamsEnabled ? {} : undefined;
  },
};

function organizationPlugin(config: AuthConfig): BetterAuthPlugin {
  const { settings, pool } = config;
  const group = settings['auth.organization'];
  const mails = invitationMails(config);
  const { sendInvitationEmail } = mails;
  const plugin: BetterAuthPlugin = enginePlugin({ ...engineOptions(group), sendInvitationEmail });
  const endpoints = mapEndpoints(plugin.endpoints ?? {}, (endpoint, name) => {
    // The engine takes an acceptance back by itself, which it could not do in a transaction that has failed.
    if (name === 'acceptInvitation') return endpoint;
    return inTransaction(endpoint, name === 'createInvitation' ? mails.refuseUnsent : undefined);
  });
  const own = {
    ...memberEndpoints(pool),
    ...listEndpoints(pool),
    ...(group.teamsEnabled && teamEndpoints(pool)),
    deleteOrganization: deleteOrganization(pool),
    listUserInvitations: listUserInvitations(pool, group.requireVerifiedEmail),
  };
  return {
    ...plugin,
    endpoints: mapEndpoints({ ...endpoints, ...own }, translating),
    hooks: {
      before: [{ matcher: isAboutOrganizations, handler: checkRequest(config) }],
      after: [{ matcher: isAboutOrganizations, handler: shapeAnswer }],
    },
  };
}

function checkRequest({ settings, idType }: AuthConfig) {
  const hasTeams = settings['auth.organization'].teamsEnabled;
  const routes = { ...organizationRoutes, ...teamRoutes };
  const checkBody = bodyCheck(routes, { idType, hasTeams, signup: settings['auth.signup'] });
  const checkQuery = queryCheck(idType);
  return hook(async (ctx, body) => {
    checkBody(ctx.path, body);
    const query: unknown = ctx.query;
    if (!isQuery(query)) return undefined;
    return { context: { query: checkQuery(query) } };
  });
}

const shapeAnswer = hook(async (ctx) => {
  const { returned } = ctx.context;
  const isAnswer = typeof returned === 'object' && returned !== null && !isAPIError(returned);
  return isAnswer ? ctx.json(organizationView(returned)) : undefined;
});

function isAboutOrganizations(): boolean {
  const part = currentRoute()?.part;
  return part === organization.name || part === teams.name;
}

/**
 * The engine's options. Limits are the database's business: the engine counts before it writes, at most a
 * hundred rows, and takes 0 for a hundred.
 */
function engineOptions(group: AuthConfig['settings']['auth.organization']) {
  return {
    allowUserToCreateOrganization: group.allowUserToCreateOrganization,
    membershipLimit: () => Number.MAX_SAFE_INTEGER,
    invitationExpiresIn: group.invitationExpiresIn,
    requireEmailVerificationOnInvitation: group.requireVerifiedEmail,
    // An organization begins without teams, whether or not there were teams when it was made.
    teams: {
      enabled: group.teamsEnabled,
      defaultTeam: { enabled: false },
      allowRemovingAllTeams: true,
    },
    schema: {
      organization: {
        additionalFields: {
          creatorId: { type: 'string', required: false, input: false, returned: false },
        },
      },
    },
    organizationHooks: {
      beforeCreateOrganization: async ({ organization: created, user }: Creation) => ({
        data: { ...created, creatorId: user.id },
      }),
    },
  } as const;
}

interface Creation {
  readonly organization: Readonly<Record<string, unknown>>;
  readonly user: { readonly id: string };
}
