/** The types of `client.storage`. */
export type { BucketClient } from './bucket.js';
export type { StorageClient } from './client.js';
export type { StoreOptions } from './signed.js';
export type * from './types.js';
