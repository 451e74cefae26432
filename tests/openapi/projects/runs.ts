// Every route of a project but those of accounts, tried in this order.
import {
  tryHooks,
  tryMessages,
  tryOrganizations,
  tryPolicies,
  tryRealtime,
  tryRest,
  trySchema,
  tryServer,
  trySettings,
  trySsoProviders,
  tryUsers,
} from './administration.js';
import {
  tryBuckets,
  tryEmptying,
  tryFiles,
  tryImages,
  tryResumable,
  tryTokens,
  tryWebhooks,
} from './files.js';
import { tryCallsByTheProject, tryFunctions, tryFunctionSecrets } from './functions.js';
import { tryOwnAccount, tryStudio } from './own-account.js';
import type { ProjectWorld } from './world.js';

interface ProjectRun {
  readonly name: string;
  readonly run: (world: ProjectWorld) => Promise<void>;
}

export const projectRuns: readonly ProjectRun[] = [
  { name: 'tables and functions', run: tryRest },
  { name: 'the server', run: tryServer },
  { name: 'the own account', run: tryOwnAccount },
  { name: 'the studio', run: tryStudio },
  { name: 'users', run: tryUsers },
  { name: 'organizations', run: tryOrganizations },
  { name: 'settings', run: trySettings },
  { name: 'messages', run: tryMessages },
  { name: 'hooks', run: tryHooks },
  { name: 'policies', run: tryPolicies },
  { name: 'captured tables', run: tryRealtime },
  { name: 'the schema', run: trySchema },
  { name: 'SSO providers', run: trySsoProviders },
  { name: 'buckets', run: tryBuckets },
  { name: 'files', run: tryFiles },
  { name: 'uploads in parts', run: tryResumable },
  { name: 'tokens of buckets', run: tryTokens },
  { name: 'webhooks', run: tryWebhooks },
  { name: 'images', run: tryImages },
  { name: 'the emptying of a bucket', run: tryEmptying },
  { name: 'edge functions', run: tryFunctions },
  { name: 'secrets and tokens of edge functions', run: tryFunctionSecrets },
  { name: 'schedules and triggers of edge functions', run: tryCallsByTheProject },
];

/** Files that the deployment hands out only when it was built. */
const ofClient = new Set(['GET /client.tgz', 'GET /client.js', 'GET /client-channels.js']);

/** Whether the runs try an operation, as `GET /path`. */
export const isOfProject = (where: string): boolean =>
  !where.includes(' /api/auth/') && !ofClient.has(where);
