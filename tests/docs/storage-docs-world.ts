// The counterparts of a page of docs/storage: a project, a folder with the files of the page, and a store if the page
// needs one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';

import { freePort } from '#libs/testing';

import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import type { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openS3Server, type S3Server } from '../support/s3-server.js';

interface Store {
  readonly server: S3Server;
  readonly bucket: string;
}

export interface StorageWorld extends AsyncDisposable {
  readonly project: ProjectUnderTest;
  /** An address of the project that every program can reach. */
  readonly gateway: Gateway;
  /** Where the commands of the page run; an absolute path. */
  readonly folder: string;
  readonly store: Store | undefined;
  /** For the server that the program opens, which webhooks call. */
  readonly freePort: number;
}

/** Opens the world of a page; `deployment.close()` deletes its project. */
export async function openStorageWorld(
  deployment: Deployment,
  options: { readonly withStore: boolean },
): Promise<StorageWorld> {
  const store = options.withStore ? await openStore() : undefined;
  const project = await deployment.createProject();
  const gateway = await openGateway(project);
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-page-'));
  await takePhotograph(join(folder, 'photo.jpg'));
  return {
    project,
    gateway,
    folder,
    store,
    freePort: await freePort(),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await store?.server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A text of the page with the addresses and keys of this run. */
export function storageHereOf(world: StorageWorld): (text: string) => string {
  const { project, gateway, store } = world;
  const words: readonly (readonly [string, string])[] = [
    ['http://shop.localhost:8000', gateway.url],
    ['svc_publishable_…', project.publishableKey],
    ['svc_secret_…', project.secretKey],
    ['8787', String(world.freePort)],
    ...(store ? wordsOf(store) : []),
  ];
  return (text) => words.reduce((changed, [word, value]) => changed.replaceAll(word, value), text);
}

function wordsOf({ server, bucket }: Store): readonly (readonly [string, string])[] {
  const { endpoint, region, credentials } = server;
  return [
    ['https://s3.example.com', endpoint],
    ['"region":"us-east-1"', `"region":"${region}"`],
    ['shop-files', bucket],
    ['shop-key', credentials.accessKeyId],
    ['shop-secret', credentials.secretAccessKey],
  ];
}

async function openStore(): Promise<Store> {
  const server = await openS3Server();
  return { server, bucket: await server.createBucket() };
}

async function takePhotograph(path: string): Promise<void> {
  const create = { width: 800, height: 600, channels: 3, background: '#c08040' } as const;
  await sharp({ create }).jpeg().toFile(path);
}
