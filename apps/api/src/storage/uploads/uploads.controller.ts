import { Controller, Options, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { noBody, streamedBody } from '#libs/web';

import { Access } from '../../http/access.js';
import { scopeOf } from '../../http/request-scope.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { type FileView, fileView } from '../core/file-view.js';
import { objectPathOf } from '../core/object-path.js';
import { checkContentHeaders } from './content-headers.js';
import { answeringEarly } from './answer-early.js';
import type { UploadRequest } from './read-upload.js';
import { RunningUploads } from './running-uploads.js';
import { storeUpload } from './store-upload.js';
import { bucketUpload, callerUpload } from './upload-request.js';
import { UploadBody } from './uploads.dto.js';

const streamed = { body: streamedBody };
const toBucket = { ...streamed, projectKey: 'unneeded', cors: 'bucket' } as const;

/** Uploads through the server. Routes are public because the reservation finds out who calls. */
@ApiTags('files')
@Controller('api')
export class UploadsController {
  constructor(private readonly running: RunningUploads) {}

  @Post('files')
  @Access('public', streamed)
  @ApiOperation({ summary: 'Upload a file as a form' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadBody })
  upload(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DataEnvelope<FileView>> {
    return this.store(request, reply, () => callerUpload(request, { takes: 'form' }));
  }

  @Put('files/object/:bucket/*')
  @Access('public', streamed)
  @ApiOperation({ summary: 'Upload a file as the body of the request, for large ones' })
  @ApiConsumes('application/octet-stream')
  async put(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('bucket') bucket: string,
  ): Promise<DataEnvelope<FileView>> {
    return this.store(request, reply, () =>
      callerUpload(request, { takes: 'bytes', bucket, path: objectPathOf(request) }),
    );
  }

  @Post('storage/:slug/upload')
  @Access('public', toBucket)
  @ApiOperation({ summary: 'Upload a file with a write token of the bucket' })
  @ApiConsumes('multipart/form-data', 'application/octet-stream')
  @ApiBody({ type: UploadBody })
  uploadToBucket(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<FileView>> {
    return this.store(request, reply, () => bucketUpload(request, slug));
  }

  /** Lets preflights match a route with the rules of the bucket; the hooks answer them. */
  @Options('storage/:slug/upload')
  @Access('public', { ...toBucket, body: noBody })
  @ApiExcludeEndpoint()
  preflight(): never {
    const headers = { allow: 'POST, OPTIONS' };
    throw fail('METHOD_NOT_ALLOWED', { method: 'OPTIONS' }, { headers });
  }

  private async store(
    request: FastifyRequest,
    reply: FastifyReply,
    open: () => UploadRequest | Promise<UploadRequest>,
  ): Promise<DataEnvelope<FileView>> {
    const { client } = scopeOf(request);
    const ends = { client: client.signal, ending: this.running.ending };
    return answeringEarly(request, reply, async () => {
      checkContentHeaders(request.headers, reply);
      const upload = await open();
      const { outcome, file } = await storeUpload(upload, ends);
      const isReplaced = outcome === 'replaced' && request.method === 'PUT';
      reply.code(isReplaced ? 200 : 201);
      return ok(fileView(upload.project, file));
    });
  }
}
