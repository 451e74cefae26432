// The connection to one S3-compatible store: its time limits, its retries, and the hosts that it may call.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { fail } from '#libs/errors';
import type { ResolveStorageHost, S3StorageOptions } from '../s3-options.js';

const connectMs = 5000;
/** For the headers of an answer, from the moment a request begins. */
export const answerMs = 30_000;
/** For a request that carries one part of an upload: 8 MiB over a slow line. */
export const partMs = 120_000;
/** For a copy inside the store, which answers when it is complete. */
export const copyMs = 600_000;
/** A transfer is aborted if the store has moved no byte for this time. */
export const stallMs = 30_000;
const attempts = 3;
/** The check of a name does not depend on the port. */
const anyPort = 443;
/** A download holds a connection until its reader has all bytes; more requests than this wait. */
const maxConnections = 256;

/** Errors are thrown; without a logger the SDK would also write to the console. */
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface S3Connection {
  readonly client: S3Client;
  /** Throws if the host of the store is an address that must not be called. Called before every request. */
  readonly checkHost: () => Promise<void>;
}

/** Opens no connection before the first request. Destroy the client to close its idle connections. */
export function connectS3(options: S3StorageOptions): S3Connection {
  const { endpoint, region, credentials, forcePathStyle, resolveHost } = options;
  const agentOptions = {
    keepAlive: true,
    maxSockets: maxConnections,
    ...(resolveHost && { lookup: lookupBy(resolveHost) }),
  };
  const client = new S3Client({
    region,
    credentials: { ...credentials },
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    // Other vendors refuse the checksum trailers that AWS accepts.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Otherwise a body waits for a `100 Continue` that some vendors never send.
    expectContinueHeader: false,
    logger: silent,
    maxAttempts: attempts,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: new HttpAgent(agentOptions),
      httpsAgent: new HttpsAgent(agentOptions),
    },
  });
  return { client, checkHost: hostCheck(endpoint, resolveHost) };
}

/** An IP address in the endpoint is never looked up, so it is checked here. */
function hostCheck(
  endpoint: string | undefined,
  resolveHost: ResolveStorageHost | undefined,
): () => Promise<void> {
  if (endpoint === undefined || resolveHost === undefined) return async () => undefined;
  const { hostname, port, protocol } = new URL(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return async () => undefined;
  const portNumber = Number(port || (protocol === 'https:' ? 443 : 80));
  return async () => {
    try {
      await resolveHost(host, portNumber);
    } catch (error) {
      throw fail('STORAGE_UNAVAILABLE', {}, { cause: error });
    }
  };
}

/** Connects to the address that was checked; a second lookup could return another address. */
function lookupBy(resolveHost: ResolveStorageHost): LookupFunction {
  return (hostname, options, done) => {
    resolveHost(hostname, anyPort).then(
      (address) => {
        const family = isIP(address);
        if (options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
      (error: unknown) => done(fail('STORAGE_UNAVAILABLE', {}, { cause: error }), '', 0),
    );
  };
}
