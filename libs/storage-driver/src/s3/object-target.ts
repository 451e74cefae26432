import type { S3Client } from '@aws-sdk/client-s3';

/** An object in the store. */
export interface ObjectTarget {
  readonly Bucket: string;
  readonly Key: string;
}

/** The common input of all ways to write an object. */
export interface ObjectWrite {
  readonly client: S3Client;
  readonly target: ObjectTarget;
  readonly mediaType: string;
  readonly signal: AbortSignal;
}
