// Tests the settings of an S3 store in the order of use: connect, list, write, read, delete. The result of a failure
// names the setting to look at.
import { randomUUID } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { AppError } from '#libs/errors';
import type { S3Check, S3CheckStep, S3StorageOptions } from '../s3-options.js';
import { objectName } from './object-name.js';
import { connectS3 } from './s3-client.js';
import { faultOf } from './s3-errors.js';
import type { ObjectTarget } from './object-target.js';

const mark = 'Written to check the settings of the file storage; may be removed.';

/** Answers that do not say whether the object exists. Stores refuse unknown conditions with 501, among others. */
const passingStatuses: readonly number[] = [429, 502, 503, 504];

/** Tests the settings with an object of its own, which it removes. Throws nothing. */
export async function checkS3(options: S3StorageOptions): Promise<S3Check> {
  const { client, checkHost } = connectS3(options);
  const { bucket: Bucket } = options;
  const target = checkTarget(options);
  const steps: readonly { readonly step: S3CheckStep; readonly run: () => Promise<unknown> }[] = [
    { step: 'connect', run: checkHost },
    { step: 'list', run: () => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 })) },
    { step: 'write', run: () => client.send(new PutObjectCommand({ ...target, Body: mark })) },
    { step: 'read', run: () => readMark(client, target) },
    { step: 'delete', run: () => client.send(new DeleteObjectCommand(target)) },
  ];
  try {
    for (const { step, run } of steps) {
      try {
        await run();
      } catch (error) {
        return { isOk: false, step: stepOf(step, error), reason: reasonOf(step, error, options) };
      }
    }
    return { isOk: true, conditionalWrites: (await knowsConditions(client, target)) ?? false };
  } finally {
    client.destroy();
  }
}

/** An object name that is used for nothing else. */
export function checkTarget({ bucket: Bucket, ref }: S3StorageOptions): ObjectTarget {
  const address = { bucket: '_check', key: 'check', version: randomUUID() };
  return { Bucket, Key: objectName(ref, address) };
}

async function readMark(client: S3Client, target: ObjectTarget): Promise<void> {
  const { Body } = await client.send(new GetObjectCommand(target));
  const found = await Body?.transformToString();
  if (found !== mark) throw new Error('it returned other bytes than were written');
}

/**
 * Returns whether the store supports conditional writes: a second write that requires the object to be absent must be
 * refused. Undefined if the store was not reached or has no time. Writes an object and removes it again.
 */
export async function knowsConditions(
  client: S3Client,
  target: ObjectTarget,
): Promise<boolean | undefined> {
  const put = new PutObjectCommand({ ...target, Body: mark, IfNoneMatch: '*' });
  try {
    await client.send(put);
    await client.send(put);
    return false;
  } catch (error) {
    const { status } = faultOf(error);
    return status === undefined || passingStatuses.includes(status) ? undefined : status === 412;
  } finally {
    // The store allowed the same request a moment ago; a small object left behind does not make the settings wrong.
    await client.send(new DeleteObjectCommand(target)).catch(() => undefined);
  }
}

/** If the store did not answer at all, it was not reached, whatever the step was. */
function stepOf(step: S3CheckStep, error: unknown): S3CheckStep {
  return faultOf(error).status === undefined && step === 'list' ? 'connect' : step;
}

const VERBS = {
  connect: 'reach the store',
  list: 'list the bucket',
  write: 'write objects',
  read: 'read objects',
  delete: 'delete objects',
} as const satisfies Record<S3CheckStep, string>;

function reasonOf(step: S3CheckStep, error: unknown, options: S3StorageOptions): string {
  if (error instanceof AppError) {
    // Our own error means that the host could not be looked up or must not be called; its cause contains the reason.
    return error.cause === undefined ? error.message : reasonOf(step, error.cause, options);
  }
  const { code, status } = faultOf(error);
  const known = KNOWN_FAULTS.find(({ codes }) => codes.includes(code));
  if (known) return known.say(options);
  if (code.includes('CERT') || code.includes('SELF_SIGNED') || code.startsWith('ERR_TLS')) {
    return `The TLS certificate of the store is not valid (${code})`;
  }
  if (code === 'AccessDenied' || status === 403)
    return `The credentials are not allowed to ${VERBS[step]}`;
  const answered = status === undefined ? '' : ` (status ${status})`;
  const text = error instanceof Error ? error.message : code;
  return `The store could not ${VERBS[step]}: ${code}${answered}, ${text}`;
}

type Say = (options: S3StorageOptions) => string;

const KNOWN_FAULTS: readonly { readonly codes: readonly string[]; readonly say: Say }[] = [
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    say: ({ endpoint }) => `The host of the endpoint${named(endpoint)} was not found`,
  },
  {
    codes: ['ECONNREFUSED'],
    say: ({ endpoint }) => `No server listens at the endpoint${named(endpoint)}`,
  },
  {
    codes: ['ETIMEDOUT', 'TimeoutError', 'EHOSTUNREACH', 'ENETUNREACH'],
    say: ({ endpoint }) => `The endpoint${named(endpoint)} did not answer in time`,
  },
  {
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    say: ({ endpoint }) =>
      `The endpoint${named(endpoint)} does not speak TLS; begin it with http://`,
  },
  {
    codes: ['InvalidAccessKeyId'],
    say: ({ credentials }) => `The store does not know the access key ${credentials.accessKeyId}`,
  },
  { codes: ['SignatureDoesNotMatch'], say: () => 'The access key or the secret key is wrong' },
  { codes: ['NoSuchBucket'], say: ({ bucket }) => `The store has no bucket ${bucket}` },
  {
    codes: [
      'PermanentRedirect',
      'AuthorizationHeaderMalformed',
      'IllegalLocationConstraintException',
    ],
    say: ({ bucket, region }) => `The bucket ${bucket} is not in the region ${region}`,
  },
  {
    codes: ['RequestTimeTooSkewed', 'RequestExpired'],
    say: () => 'The clocks of this server and of the store differ by too much',
  },
];

function named(endpoint: string | undefined): string {
  return endpoint === undefined ? '' : ` ${endpoint}`;
}
