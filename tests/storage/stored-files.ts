// Files of a project put in place beside its routes, bytes and row, so that tests of reading need no upload; and
// requests whose answers are bytes.
import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { openLocalStorage, openS3Storage, type StorageDriver } from '#libs/storage-driver';

import { type Deployment, asRecord } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { canRunS3, openOwnS3Server, openS3Server, storeEnvironment } from '../support/s3-server.js';
import { rowsIn } from './bucket-rows.js';

/** A file as a test wants it. */
export interface WantedFile {
  readonly bucket: string;
  readonly key: string;
  readonly content?: string | Buffer;
  readonly mediaType?: string;
  readonly visibility?: 'public' | 'private';
  readonly ownerId?: string;
  readonly upsert?: boolean;
  readonly cacheControl?: string;
  /** Of its bytes; one of its own by default. */
  readonly version?: string;
}

export interface PlacedFile {
  readonly id: string;
  readonly version: string;
  readonly bucket: string;
  readonly key: string;
}

/** Puts bytes and rows of files into a project. */
export class FilePlace {
  constructor(
    readonly project: ProjectUnderTest,
    readonly driver: StorageDriver,
  ) {}

  async put(wanted: WantedFile): Promise<PlacedFile> {
    const { bucket, key, mediaType = 'text/plain', visibility = 'private' } = wanted;
    const content = Buffer.from(wanted.content ?? `content of ${key}`);
    const { version = randomUUID() } = wanted;
    const uploadId = randomUUID();
    const { ownerId = null, upsert = false, cacheControl = null } = wanted;
    await rowsIn(
      this.project,
      `select storage.reserve_upload($1, $2, $3, $4, $5, 'stream', $6, $7, $8, $9, $10,
        now() + interval '1 hour', null, $11)`,
      [
        uploadId,
        bucket,
        key,
        version,
        this.driver.kind,
        content.length,
        mediaType,
        visibility,
        ownerId,
        upsert,
        cacheControl,
      ],
    );
    await this.driver.write({ bucket, key, version }, Readable.from([content]), {
      maxBytes: content.length,
      size: content.length,
      mediaType,
      signal: new AbortController().signal,
    });
    const [row] = await rowsIn(
      this.project,
      `select (file).id, (file).version from storage.commit_upload($1, $2)`,
      [uploadId, content.length],
    );
    return { id: String(row?.['id']), version: String(row?.['version']), bucket, key };
  }

  /** Takes the bytes away and leaves the row. */
  async loseBytes({ bucket, key, version }: PlacedFile): Promise<void> {
    await this.driver.remove({ bucket, key, version });
  }

  /** The bytes of a file whose view the API has shown. */
  async bytesOf(view: unknown): Promise<string> {
    const { id } = asRecord(view);
    const [row] = await rowsIn(
      this.project,
      'select bucket, stored_key, version from storage.stored_files where id = $1',
      [id],
    );
    const found = await this.driver.read({
      bucket: String(row?.['bucket']),
      key: String(row?.['stored_key']),
      version: String(row?.['version']),
    });
    if (!found) throw new Error('the bytes are not there');
    return (await buffer(found.body)).toString('utf8');
  }
}

/** The folder of a deployment in which a project keeps its files. */
export function localFolder(deployment: Deployment, { ref }: ProjectUnderTest): string {
  return join(deployment.ground.dataDir, 'projects', ref, 'files');
}

/** The files of a project of a deployment whose store is its folder. */
export function localPlace(deployment: Deployment, project: ProjectUnderTest): FilePlace {
  return new FilePlace(project, openLocalStorage({ root: localFolder(deployment, project) }));
}

/** One kind of store that deployments can be opened with. */
export interface StoreUnderTest {
  readonly env: Readonly<Record<string, string>>;
  placeOf(deployment: Deployment, project: ProjectUnderTest): Promise<FilePlace>;
  close(): Promise<void>;
}

async function openLocalStore(): Promise<StoreUnderTest> {
  return {
    env: {},
    placeOf: async (deployment, project) => localPlace(deployment, project),
    close: async () => undefined,
  };
}

async function openS3Store(openServer: typeof openS3Server): Promise<StoreUnderTest> {
  const server = await openServer();
  const { endpoint, region, credentials } = server;
  const bucket = await server.createBucket();
  const drivers: StorageDriver[] = [];
  return {
    env: storeEnvironment(server, bucket),
    async placeOf(_deployment, project) {
      const { ref } = project;
      const options = { endpoint, region, bucket, credentials, forcePathStyle: true, ref };
      const driver = await openS3Storage(options);
      drivers.push(driver);
      return new FilePlace(project, driver);
    },
    async close() {
      await Promise.all(drivers.map((driver) => driver.close()));
      await server.close();
    },
  };
}

/** The stores that this machine can run; says which it cannot. Where `mayDie` says so, closing one stops its server. */
export function storesHere({ mayDie = false } = {}): readonly {
  readonly kind: 'local' | 's3';
  readonly open: () => Promise<StoreUnderTest>;
}[] {
  const local = { kind: 'local', open: openLocalStore } as const;
  const openServer = mayDie ? openOwnS3Server : openS3Server;
  return canRunS3() ? [local, { kind: 's3', open: () => openS3Store(openServer) }] : [local];
}

export interface ByteReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A request whose answer is bytes. The path is sent as it is given. */
export function fetchBytes(
  { apiOrigin, host }: ProjectUnderTest,
  call: {
    readonly path: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<ByteReply> {
  const { hostname, port } = new URL(apiOrigin);
  const { path, method = 'GET', headers = {} } = call;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, path, method, headers: { host, ...headers }, agent: false },
      (response) => {
        buffer(response).then(
          (bytes) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Path and query of an address that the API has shown. */
export function pathOf(url: unknown): string {
  const { pathname, search } = new URL(String(url));
  return pathname + search;
}
