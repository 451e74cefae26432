import type { Logger } from 'pino';

import { createWorker, openDeliveryJobs, openMessageJobs } from '#apps/worker';
import type { ProjectsContext } from '#libs/control-plane';
import type { JobStore } from '#libs/jobs';

import { parseEnv } from '../../bin/env.js';
import { workerDeployment } from '../../bin/worker-deployment.js';

/** Starts a worker for the control plane of a test. The returned function stops it. */
export async function startTestWorker({
  projects,
  jobStore,
  dataDir,
  log,
}: {
  readonly projects: ProjectsContext;
  readonly jobStore: JobStore;
  readonly dataDir: string;
  readonly log: Logger;
}): Promise<() => Promise<void>> {
  const messageJobs = await openMessageJobs(jobStore, log);
  const deliveryJobs = await openDeliveryJobs(jobStore, log);
  const deployment = workerDeployment(parseEnv({ DATA_DIR: dataDir }));
  const functions = { kind: 'elsewhere', jobs: messageJobs } as const;
  const deps = { deployment, projects, jobStore, messageJobs, deliveryJobs, functions, log };
  const worker = await createWorker(deps);
  return async () => {
    await worker.close();
    await Promise.all([messageJobs.close(), deliveryJobs.close()]);
  };
}
