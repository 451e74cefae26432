// API keys of users: long-lived bearer tokens for their programs. Where data is, the lookup of a request
// recognizes them; here they are made, listed, changed and deleted.
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows } from '../../engine-pool.js';
import { loadPackage } from '../../load-package.js';
import { type AuthPart, read, write } from '../../part.js';
import { createKey, createKeyPath } from './create-key.js';
import { keyCallers } from './key-callers.js';
import { checkChange, longestLife } from './key-input.js';
import { keyAnswer } from './key-views.js';
import { sessionOf } from '../session-policy/session-of.js';
import { currentRoute } from '../../outgoing-messages.js';
import { fieldNames } from '../../route-fields.js';

const updatePath = '/api-key/update';

/** Keys with which programs act for a user. The part comes first, to refuse keys everywhere else. */
export const apiKeys: AuthPart = {
  name: 'apiKeys',
  neededSettings: ['auth.apiKey.enabled'],
  routes: {
    [createKeyPath]: {
      ...write,
      summary: 'Create an API key; it is shown once',
      fields:
        'name+ expiresIn:number metadata:object permissions:object remaining:number refillAmount:number refillInterval:number',
      answer: 'NewApiKey',
      needsSession: true,
      addsAccess: true,
      needsSecondFactor: true,
    },
    '/api-key/list': {
      ...read,
      summary: 'List your API keys',
      fields: 'limit:number offset:number sortBy sortDirection',
      answer: 'ApiKeyList',
      needsSession: true,
    },
    '/api-key/get': {
      ...read,
      summary: 'Read one of your API keys',
      fields: 'id!',
      answer: 'ApiKey',
      needsSession: true,
    },
    [updatePath]: {
      ...write,
      summary: 'Change an API key',
      fields: 'keyId! name+ enabled:boolean expiresIn:number metadata:object',
      answer: 'ApiKey',
      needsSession: true,
      needsSecondFactor: true,
    },
    '/api-key/delete': {
      ...write,
      summary: 'Delete an API key',
      fields: 'keyId!',
      answer: 'Success',
      needsSession: true,
    },
  },
  build: async (config) => {
    const { enabled } = config.settings['auth.apiKey'];
    return enabled ? { plugins: [await keyPlugin(config)] } : undefined;
  },
};

async function keyPlugin(config: AuthConfig): Promise<BetterAuthPlugin> {
  const { apiKey: enginePlugin } = await loadPackage(() => import('@better-auth/api-key'));
  const { schema, endpoints, $ERROR_CODES } = enginePlugin({
    enableMetadata: true,
    maximumNameLength: 100,
    // The limits of the settings are checked here.
    keyExpiration: { minExpiresIn: 0, maxExpiresIn: 1_000_000 },
    rateLimit: { enabled: false },
  });
  const { getApiKey, listApiKeys, updateApiKey, deleteApiKey } = endpoints;
  return {
    id: 'api-key',
    schema,
    $ERROR_CODES,
    endpoints: {
      getApiKey,
      listApiKeys,
      updateApiKey,
      deleteApiKey,
      createApiKey: createKey(config),
    },
    hooks: {
      before: [
        keyCallers(config),
        { matcher: ({ path }) => path === updatePath, handler: checkUpdate(config) },
        { matcher: isRead, handler: checkQuery },
      ],
      after: [
        {
          matcher: ({ path }) => currentRoute()?.part === apiKeys.name && path !== createKeyPath,
          handler: hook(async (ctx) => {
            const { returned } = ctx.context;
            return isRecord(returned) && !isAPIError(returned)
              ? ctx.json(keyAnswer(returned))
              : undefined;
          }),
        },
      ],
    },
  };
}

function isRead(): boolean {
  const route = currentRoute();
  return route?.part === apiKeys.name && route.method === 'GET';
}

const SORTABLE: ReadonlySet<unknown> = new Set([
  undefined,
  'name',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'lastRequest',
]);

const checkQuery = hook(async (ctx) => {
  const query: unknown = ctx.query;
  if (!isRecord(query)) return;
  const route = currentRoute();
  const known = route && fieldNames(route);
  for (const [name, value] of Object.entries(query)) {
    if (!known?.has(name)) throw fail('FIELD_NOT_ALLOWED', { field: name });
    if (typeof value !== 'string' || value.includes('\0')) throw invalid(name, 'must be a text');
  }
  if (!SORTABLE.has(query['sortBy'])) throw invalid('sortBy', 'cannot be sorted by');
});

function checkUpdate({ settings, pool }: AuthConfig) {
  const group = settings['auth.apiKey'];
  return hook(async (ctx, body) => {
    if (!body) return;
    checkChange(body, group);
    const expiresIn: unknown = body['expiresIn'];
    const longest = longestLife(group);
    const session = await sessionOf(ctx);
    if (typeof expiresIn !== 'number' || longest === undefined || !session) return;
    // Otherwise a key that is prolonged again and again would live for ever.
    const over = await queryRows(
      pool,
      `select from auth.apikey where id = $1 and "referenceId" = $2
       and pg_catalog.now() + pg_catalog.make_interval(secs => $3) > "createdAt" + pg_catalog.make_interval(secs => $4)`,
      [body['keyId'], session.user['id'], expiresIn, longest],
    );
    if (over.length > 0) throw invalid('expiresIn', 'is beyond the longest life of a key');
  });
}

function invalid(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}
