import type { S3Client } from '@aws-sdk/client-s3';

/** An object in the store. */
export interface ObjectTarget {
  readonly Bucket: string;
  readonly Key: string;
}

/** What every way of writing an object needs. */
export interface ObjectWrite {
  readonly client: S3Client;
  readonly target: ObjectTarget;
  readonly mediaType: string;
  readonly signal: AbortSignal;
}
