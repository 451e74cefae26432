// A real S3-compatible server that checks signatures, for tests. Buckets have names of their own, so that all files
// of a run share one server.
import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findMissingProgram, openSwift, owner, stranger } from './swift.js';

const region = 'us-east-1';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Server {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  /** Credentials that are right and may do nothing. */
  readonly stranger: Credentials;
  /** A client of the SDK, to look at the store from outside. Destroyed with the server. */
  readonly client: S3Client;
  /** Makes an empty bucket and answers with its name. */
  createBucket(): Promise<string>;
  /** What `createBucket` has made. */
  readonly buckets: readonly string[];
  close(): Promise<void>;
}

/** The environment of a deployment that keeps its files in this bucket. */
export function storeEnvironment(
  { endpoint, region, credentials }: S3Server,
  bucket: string,
): Record<string, string> {
  return {
    STORAGE_DRIVER: 's3',
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
}

/** Whether Swift is installed here; says on standard error why not. */
export function canRunS3(): boolean {
  const missing = findMissingProgram();
  if (missing === undefined) return true;
  process.stderr.write(
    `skipped: ${missing} is not installed (apt-get install swift-proxy swift-account swift-container swift-object)\n`,
  );
  return false;
}

/**
 * The server that all files of the run share (tests/global-setup.js), started for the first of them; closing it
 * leaves it to the others. One of its own where the run has none.
 */
export async function openS3Server(): Promise<S3Server> {
  const shared = process.env['TEST_S3_SERVER'];
  if (shared === undefined) return openOwnS3Server();
  const answer = await fetch(shared, { headers: { connection: 'close' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return describeServer(Number(text), () => Promise.resolve());
}

/** A server for tests that need it to go away: `close` ends it. */
export async function openOwnS3Server(): Promise<S3Server> {
  const swift = await openSwift();
  return describeServer(swift.port, () => swift.close());
}

function describeServer(port: number, stopServer: () => Promise<void>): S3Server {
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({ endpoint, region, credentials: owner, forcePathStyle: true });
  const buckets: string[] = [];
  return {
    endpoint,
    region,
    credentials: owner,
    stranger,
    client,
    buckets,
    async createBucket() {
      const name = `bucket-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: name }));
      buckets.push(name);
      return name;
    },
    async close() {
      client.destroy();
      await stopServer();
    },
  };
}
