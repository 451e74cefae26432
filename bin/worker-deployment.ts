import type { Deployment } from '#apps/worker';
import { requestLimit } from '#libs/control-plane';

import { deploymentConnections } from './database.js';
import type { Env } from './env.js';
import { mailHostResolver, projectUrl, settingsFallbacks } from './project-address.js';
import { storageDeps } from './storage-access.js';

/** What the environment says to the worker. */
export function workerDeployment(env: Env): Deployment {
  return {
    fallbacksOf: (project) => settingsFallbacks(env, project),
    storageOf: (ref) => storageDeps(env, ref),
    urlOf: (ref) => projectUrl(env, ref),
    mailHostsOf: (project) => mailHostResolver(env, project),
    outboundAllowedHosts: env.outboundAllowedHosts,
    smtp: env.smtp,
    mailInbox: env.mailInbox,
    dnsServers: env.dnsServers,
    projectDatabaseBytes: env.projectDatabaseBytes,
    ownConnections: deploymentConnections(env),
    requestConnections: requestLimit(env),
  };
}
