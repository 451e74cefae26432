import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../../http/access.js';
import { CurrentCaller, Project } from '../../http/decorators.js';
import { scopeOf } from '../../http/request-scope.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { type FileView, fileView } from '../core/file-view.js';
import { refuseConditions, writeConditionOf } from '../core/write-condition.js';
import { finalizeUpload } from './finalize.js';
import { type PresignedUpload, presignUpload } from './presign.js';
import { errorLogOf, uploaderOf } from './upload-request.js';
import { PresignBody } from './uploads.dto.js';

/** Uploads past the server, straight to the store. */
@ApiTags('files')
@Controller('api/files')
export class PresignController {
  @Post('presign')
  @Access('known')
  @ApiOperation({ summary: 'Reserve room for a file and get a URL to upload it to' })
  presign(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Body() body: PresignBody,
  ): Promise<DataEnvelope<PresignedUpload>> {
    const condition = writeConditionOf(request.headers);
    return presignUpload(project, uploaderOf(request), { body, condition }).then(ok);
  }

  @Post(':id/finalize')
  @HttpCode(200)
  @Access('known')
  @ApiOperation({ summary: 'Make a file of what was uploaded to a presigned URL' })
  async finalize(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
  ): Promise<DataEnvelope<FileView>> {
    refuseConditions(request.headers, 'send it with the request that presigns the upload');
    const { credential } = scopeOf(request);
    const finalizer = { caller, credential, onError: errorLogOf(request) };
    const file = await finalizeUpload(project, finalizer, id);
    return ok(fileView(project, file));
  }
}
