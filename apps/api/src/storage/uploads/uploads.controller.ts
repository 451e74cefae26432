import { Controller, Param, Post, Put, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Access } from '../../http/access.js';
import { streamedBody } from '../../http/content.js';
import { scopeOf } from '../../http/request-scope.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { type FileView, fileView } from '../core/file-view.js';
import { objectPathOf } from '../core/object-path.js';
import { checkContentHeaders } from './content-headers.js';
import { answeringEarly } from './linger.js';
import type { UploadRequest } from './read-upload.js';
import { RunningUploads } from './running-uploads.js';
import { storeUpload } from './store-upload.js';
import { bucketUpload, callerUpload } from './upload-request.js';
import { UploadBody } from './uploads.dto.js';

/** Uploads through the server. Routes are public because the reservation finds out who calls. */
@ApiTags('files')
@Controller('api')
export class UploadsController {
  constructor(private readonly running: RunningUploads) {}

  @Post('files')
  @Access('public')
  @RouteConfig(streamedBody)
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
  @Access('public')
  @RouteConfig(streamedBody)
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
  @Access('public')
  @RouteConfig(streamedBody)
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
