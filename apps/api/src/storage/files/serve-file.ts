// Answers with the bytes of a file: conditions and range of the request first, then the bytes from their
// driver to the socket. Who may read the file was decided before.
import { buffer } from 'node:stream/consumers';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { type AppError, fail } from '#libs/errors';
import { type ProjectRuntime, shortBytes } from '#libs/project-runtime';
import type { OpenObject, StorageDriver } from '#libs/storage-driver';
import {
  type AskedDisposition,
  type ConditionalAnswer,
  contentRange,
  entityTag,
  evaluateConditions,
  notModifiedHeaders,
} from '#libs/storage-rules';

import type { ClientGone } from '../../http/client-gone.js';
import { objectAddress, type StoredFile } from '../core/stored-file.js';
import { preconditionError } from '../core/write-condition.js';
import { fileHeaders } from './file-headers.js';

/** A request for the bytes of a file, GET or HEAD. */
export interface FileRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly client: ClientGone;
  readonly asked: AskedDisposition | undefined;
}

/**
 * Sends the file, or the range of it that is asked for. Resolves when the answer is on its way.
 * Throws PRECONDITION_FAILED (412), INVALID_RANGE (416), STORAGE_OBJECT_MISSING (404).
 */
export async function serveFile(
  project: ProjectRuntime,
  file: StoredFile,
  asking: FileRequest,
): Promise<void> {
  const { request, reply } = asking;
  const headers = fileHeaders(file, asking.asked);
  const current = {
    etag: entityTag(file.version),
    lastModified: new Date(file.updatedAt),
    // A file that has never changed has had one content only.
    isDateStrong: file.updatedAt === file.createdAt,
    size: file.size,
  };
  const answer = evaluateConditions(request, current);
  switch (answer.status) {
    case 304:
      reply.code(304).headers(notModifiedHeaders(headers)).send();
      return;
    case 412:
      throw preconditionError(request, current);
    case 416:
      reply.header('content-range', contentRange(undefined, file.size));
      throw fail('INVALID_RANGE');
    case 200:
    case 206:
      await sendBytes(project, { ...asking, file, answer, headers });
  }
}

interface Sending extends FileRequest {
  readonly file: StoredFile;
  readonly answer: Extract<ConditionalAnswer, { status: 200 | 206 }>;
  readonly headers: Readonly<Record<string, string>>;
}

async function sendBytes(project: ProjectRuntime, sending: Sending): Promise<void> {
  const { request, reply, file } = sending;
  if (request.method === 'HEAD') {
    await requireObject(project, file);
    beginAnswer(sending).send();
  } else if (file.size <= shortBytes) {
    const content = await readShort(project, sending);
    const part = partOf(sending);
    beginAnswer(sending).send(part ? content.subarray(part.start, part.end + 1) : content);
  } else {
    const object = await openLong(project, sending);
    beginAnswer(sending);
    if (object.sendTo) sendDirectly(reply, object.sendTo);
    else reply.send(object.body);
  }
}

/** Both ends are included. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** The range that is asked for; undefined for the whole file. */
function partOf({ answer }: Sending): Part | undefined {
  return answer.status === 206 ? { start: answer.start, end: answer.end } : undefined;
}

/** Sets status and headers. */
function beginAnswer(sending: Sending): FastifyReply {
  const { reply, file, answer, headers } = sending;
  const part = partOf(sending);
  const length = part === undefined ? file.size : part.end - part.start + 1;
  reply.code(answer.status).headers({ ...headers, 'content-length': String(length) });
  if (part) reply.header('content-range', contentRange(part, file.size));
  return reply;
}

async function requireObject(project: ProjectRuntime, file: StoredFile): Promise<void> {
  using lease = await project.files.acquire();
  const found = await lease.value.driverOf(file.driver).stat(objectAddress(file));
  if (found?.size !== file.size) throw notWhole(file, found?.size);
}

function readShort(project: ProjectRuntime, sending: Sending): Promise<Buffer> {
  const { file } = sending;
  return project.files.readKept(file.version, async () => {
    using lease = await project.files.acquire();
    const driver = lease.value.driverOf(file.driver);
    // One byte more than there should be shows an object that is too long.
    const content = driver.readSmall
      ? await driver.readSmall(objectAddress(file), file.size + 1)
      : await buffer((await openObject(driver, sending, undefined)).body);
    if (content?.length !== file.size) throw notWhole(file, content?.length);
    return content;
  });
}

/** The driver closes the body, with whichever of the two ways it goes. */
async function openLong(project: ProjectRuntime, sending: Sending): Promise<OpenObject> {
  const lease = await project.files.acquire();
  try {
    const driver = lease.value.driverOf(sending.file.driver);
    const opened = await openObject(driver, sending, partOf(sending));
    opened.body.once('close', () => lease.release());
    return opened;
  } catch (error) {
    lease.release();
    throw error;
  }
}

async function openObject(
  driver: StorageDriver,
  { file, client }: Sending,
  part: Part | undefined,
): Promise<OpenObject> {
  const opened = await driver.read(objectAddress(file), { ...part, signal: client.signal });
  if (opened?.size === file.size) return opened;
  opened?.body.destroy();
  throw notWhole(file, opened?.size);
}

/** Past the framework, which would read a stream. Whatever fails now can only end the connection. */
function sendDirectly(reply: FastifyReply, sendTo: NonNullable<OpenObject['sendTo']>): void {
  const { raw } = reply;
  reply.hijack();
  raw.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  sendTo(raw).then(
    () => raw.end(),
    (error: Error) => raw.destroy(error),
  );
}

/** The row says how long the answer is, so that an object of another length cannot be sent. */
function notWhole(file: StoredFile, size: number | undefined): AppError {
  const found = size === undefined ? 'is not there' : `has ${size}`;
  const cause = new Error(`version ${file.version} has ${file.size} bytes, its object ${found}`);
  return fail('STORAGE_OBJECT_MISSING', {}, { cause });
}
