// The connection to one S3-compatible store: how long anything may take, how often it is tried, which hosts
// may be called.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { fail } from '#libs/errors';
import type { ResolveStorageHost, S3StorageOptions } from '../s3-options.js';

const connectMs = 5000;
/** For the headers of an answer, from the moment a request begins. */
export const answerMs = 30_000;
/** For a request that carries one part of an upload: 8 MiB at less than the speed of a telephone line. */
export const partMs = 120_000;
/** For a copy inside the store, which answers when it is done. */
export const copyMs = 600_000;
/** A transfer ends when the store has moved no byte for so long. */
export const stallMs = 30_000;
const attempts = 3;
/** The check of a name does not depend on the port. */
const anyPort = 443;
/** Downloads hold a connection as long as their slowest reader; more than this wait in line. */
const maxConnections = 256;

/** What fails is thrown; without a logger the SDK writes to the console as well. */
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface S3Connection {
  readonly client: S3Client;
  /** Throws when the host of the store is an address that may not be called. Asked before every request. */
  readonly admit: () => Promise<void>;
}

/** Opens nothing yet: the first request does. Destroy the client to end its idle connections. */
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
    // Other vendors refuse the checksum trailers that AWS takes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without it a body waits for an answer that some vendors never give.
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
  return { client, admit: admission(endpoint, resolveHost) };
}

/** An address in the endpoint is never looked up, so that it is checked by itself. */
function admission(
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

/** Connections go to the address that was checked, not to what the name means a moment later. */
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
