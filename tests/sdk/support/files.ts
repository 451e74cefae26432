// A project whose files our own client uses: on the local disk, or in a real S3 server.
import { createClient, type ClientOptions, type RowhouseClient } from '#libs/sdk';

import { Deployment } from '../../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../../support/project.js';
import { openS3Server, storeEnvironment } from '../../support/s3-server.js';
import { type Gateway, openGateway } from './gateway.js';

export interface FilesUnderTest {
  readonly project: ProjectUnderTest;
  readonly gateway: Gateway;
  readonly user: SignedIn;
  /** A client with the secret key. */
  readonly server: RowhouseClient;
  /** A client of somebody who is not signed in. */
  readonly visitor: RowhouseClient;
  /** A client of the user. */
  asUser(options?: ClientOptions): RowhouseClient;
  close(): Promise<void>;
}

/** Makes a project and a user. Its buckets are `shown`, which is public, and `hidden`. */
export async function openFiles(driver: 'local' | 's3'): Promise<FilesUnderTest> {
  const store = driver === 's3' ? await openStore() : undefined;
  const deployment = store ? await Deployment.open({ env: store.env }) : await Deployment.shared();
  const project = await deployment.createProject();
  const gateway = await openGateway(project);
  const user = await project.signUp('ada@example.org');
  const headers = { authorization: `Bearer ${user.token}` };
  const server = createClient(gateway.url, project.secretKey);
  for (const [slug, isPublic] of [['shown', true] as const, ['hidden', false] as const]) {
    // One after the other: what the first is refused with is told.
    const { error } = await server.storage.createBucket(slug, { public: isPublic });
    if (error) throw error;
  }
  return {
    project,
    gateway,
    user,
    server,
    visitor: createClient(gateway.url, project.publishableKey),
    asUser: (options) => createClient(gateway.url, project.publishableKey, { headers, ...options }),
    async close() {
      await gateway.close();
      await deployment.close();
      await store?.close();
    },
  };
}

async function openStore() {
  const server = await openS3Server();
  const env = storeEnvironment(server, await server.createBucket());
  return { env, close: () => server.close() };
}
