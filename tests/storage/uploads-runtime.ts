// The verb of uploads behind a plain HTTP server, on the runtime of a project: with it a test says how long senders
// may be silent.
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { pino } from 'pino';
import { AppError } from '#libs/errors';
import { openControlPlane, projectsContext } from '#libs/control-plane';
import { openFunctionsHost } from '#libs/functions';
import type { ProjectRuntime } from '#libs/project-runtime';

import { storeUpload } from '../../apps/api/src/storage/uploads/store-upload.js';
import { openDataPlane } from '../../bin/data-plane.js';
import { parseEnv } from '../../bin/env.js';
import { type Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

export interface UploadServer {
  /** The project as this server serves it: every request is an upload into its bucket `docs`. */
  readonly project: ProjectUnderTest;
  readonly runtime: ProjectRuntime;
  /** Codes of the uploads that have failed. */
  readonly failures: readonly string[];
  /** Tells the uploads that the server stops. */
  stop(): void;
  close(): Promise<void>;
}

export async function openUploadServer(
  deployment: Deployment,
  project: ProjectUnderTest,
  stalledMs: number,
  storeEnv: Readonly<Record<string, string>> = {},
): Promise<UploadServer> {
  const { databaseName, masterKey, dataDir } = deployment.ground;
  const controlPlane = await openControlPlane({
    databaseUrl: testDatabaseUrl(),
    masterKey,
    databaseName,
    dataDir,
    reservedRefs: [],
  });
  const log = pino({ level: 'silent' });
  const silent = {
    publish: async () => undefined,
    announce: async () => undefined,
    subscribe: async () => undefined,
    close: async () => undefined,
  };
  const jobs = {
    add: async () => undefined,
    repeat: async () => undefined,
    schedule: async () => undefined,
    unschedule: async () => undefined,
    close: async () => undefined,
  };
  const env = parseEnv({
    DATA_DIR: dataDir,
    DEFAULT_PROJECT: 'none',
    LOG_LEVEL: 'silent',
    ...storeEnv,
  });
  const projects = projectsContext(controlPlane, silent.publish);
  const jobStore = { kind: 'postgres', url: testDatabaseUrl() } as const;
  const functionsHost = openFunctionsHost({
    folder: join(dataDir, 'functions'),
    maxProcesses: 1,
    log,
    now: Date.now,
  });
  const serveLocally = () => undefined;
  const functions = { functionsHost, serveLocally };
  const queues = { messageJobs: jobs, deliveryJobs: jobs };
  const parts = { projects, jobStore, bus: silent, ...queues, ...functions, log };
  const dataPlane = await openDataPlane(env, parts);
  const lease = await dataPlane.registry.acquire(project.host);
  const runtime = lease.value;
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const failures: string[] = [];
  const server = createServer((request, response) => {
    const client = new AbortController();
    response.once('close', () => client.abort());
    storeUpload(
      {
        project: runtime,
        uploader: { kind: 'caller', credential: { kind: 'secret-key' } },
        raw: request,
        query: {},
        named: new Map([['bucket', 'docs']]),
        takes: 'form or bytes',
        onError: (error) => failures.push(String(error)),
      },
      { client: client.signal, ending: ending.signal, stalledMs },
    ).then(
      () => response.writeHead(201).end(),
      (error: unknown) => {
        const isKnown = error instanceof AppError;
        failures.push(isKnown ? error.code : String(error));
        response.writeHead(isKnown && error.status !== 499 ? error.status : 500).end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    project: project.through(`http://127.0.0.1:${port}`),
    runtime,
    failures,
    stop: () => ending.abort(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      lease.release();
      await dataPlane.close();
      await controlPlane.close();
    },
  };
}
