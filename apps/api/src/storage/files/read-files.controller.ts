import { Controller, Get, Head, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Access } from '../../http/access.js';
import { scopeOf } from '../../http/request-scope.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { type FileView, fileView } from '../core/file-view.js';
import { getFile, type Locator, parseFileId, parseLocator } from '../core/locate.js';
import { objectPathOf } from '../core/object-path.js';
import { callingReader } from './calling-reader.js';
import { askedDisposition } from './file-headers.js';
import { type FileUrl, parseExpiresIn, parseLinkView, urlOfFile } from './file-url.js';
import { ListFilesQuery } from './files.dto.js';
import { findLinkedFile, readLink } from './links.js';
import { type FilePage, listFiles } from './list-files.js';
import { firstText } from './query-text.js';
import { serveFile } from './serve-file.js';

/**
 * Reading files as a caller, under the policies (spec: Storage routes). Callers are looked up with the file, in one
 * round trip, so the guard does not look them up. Routes of HEAD are registered before those of GET: otherwise the
 * server would add its own, which do not know the length.
 */
@ApiTags('files')
@Controller('api/files')
export class ReadFilesController {
  @Get('list/:bucket')
  @Access('public')
  @ApiOperation({ summary: 'The folders and files of a bucket that you may see' })
  list(
    @Req() request: FastifyRequest,
    @Param('bucket') bucket: string,
    @Query() query: ListFilesQuery,
  ): Promise<FilePage> {
    const { prefix = '', recursive, ...rest } = query;
    const listing = { bucket, prefix, recursive: recursive === 'true', ...rest };
    return listFiles(scopeOf(request).lease.value, callingReader(request, 'content.read'), listing);
  }

  @Head('object/:bucket/*')
  @Access('public')
  objectHead(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param() at: Address) {
    return serve(request, reply, locatorOf(request, at));
  }

  @Get('object/:bucket/*')
  @Access('public')
  @ApiQuery({ name: 'download', required: false, description: 'Saves the file, under this name' })
  @ApiOperation({ summary: 'The bytes of a file' })
  object(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param() at: Address) {
    return serve(request, reply, locatorOf(request, at));
  }

  @Get('object-info/:bucket/*')
  @Access('public')
  @ApiOperation({ summary: 'What is known of a file' })
  objectInfo(
    @Req() request: FastifyRequest,
    @Param() at: Address,
  ): Promise<DataEnvelope<FileView>> {
    return describe(request, locatorOf(request, at));
  }

  @Get('object-url/:bucket/*')
  @Access('public')
  @ApiQuery({ name: 'expiresIn', required: false, description: 'Seconds, 1 to 604800' })
  @ApiOperation({ summary: 'An address at which a file can be read' })
  objectUrl(@Req() request: FastifyRequest, @Param() at: Address): Promise<DataEnvelope<FileUrl>> {
    return locate(request, locatorOf(request, at));
  }

  @Get(':id')
  @Access('public')
  @ApiOperation({ summary: 'What is known of a file' })
  info(@Req() request: FastifyRequest, @Param('id') id: string): Promise<DataEnvelope<FileView>> {
    return describe(request, parseFileId(id));
  }

  @Get(':id/url')
  @Access('public')
  @ApiQuery({ name: 'expiresIn', required: false, description: 'Seconds, 1 to 604800' })
  @ApiOperation({ summary: 'An address at which a file can be read' })
  url(@Req() request: FastifyRequest, @Param('id') id: string): Promise<DataEnvelope<FileUrl>> {
    return locate(request, parseFileId(id));
  }

  @Head(':id/raw')
  @Access('public', { projectKey: 'unless-signed' })
  rawHead(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string) {
    return serveById(request, reply, id);
  }

  @Get(':id/raw')
  @Access('public', { projectKey: 'unless-signed' })
  @ApiQuery({ name: 'download', required: false, description: 'Saves the file, under this name' })
  @ApiOperation({ summary: 'Download a file, with a credential or a signed link' })
  raw(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string) {
    return serveById(request, reply, id);
  }
}

/** For a route by key: the part before the path. */
interface Address {
  readonly bucket: string;
}

function locatorOf(request: FastifyRequest, { bucket }: Address): Locator {
  return parseLocator(bucket, objectPathOf(request));
}

async function describe(
  request: FastifyRequest,
  locator: Locator,
): Promise<DataEnvelope<FileView>> {
  const project = scopeOf(request).lease.value;
  return ok(
    fileView(project, await getFile(project, callingReader(request, 'content.read'), locator)),
  );
}

async function locate(request: FastifyRequest, locator: Locator): Promise<DataEnvelope<FileUrl>> {
  const project = scopeOf(request).lease.value;
  const expiresInSeconds = parseExpiresIn(firstText(request.query, 'expiresIn'));
  const view = parseLinkView(request.query);
  const file = await getFile(project, callingReader(request, 'content.read'), locator);
  return ok(await urlOfFile(project, file, { expiresInSeconds, view }));
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  locator: Locator,
): Promise<void> {
  const { lease, client } = scopeOf(request);
  const file = await getFile(lease.value, callingReader(request, 'content.read'), locator);
  const asked = askedDisposition(request.query);
  await serveFile(lease.value, file, { request, reply, client, asked });
}

async function serveById(request: FastifyRequest, reply: FastifyReply, id: string): Promise<void> {
  const link = readLink(request.query);
  if (!link) {
    await serve(request, reply, parseFileId(id));
    return;
  }
  const { lease, client } = scopeOf(request);
  const file = await findLinkedFile(lease.value, id, link);
  await serveFile(lease.value, file, {
    request,
    reply,
    client,
    asked: link.view.kind === 'bytes' ? link.view.asked : undefined,
  });
}
