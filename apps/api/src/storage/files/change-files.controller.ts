import { Body, Controller, Delete, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';

import { Access } from '../../http/access.js';
import { Project } from '../../http/decorators.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import type { FileView } from '../core/file-view.js';
import { parseFileId, parseLocator } from '../core/locate.js';
import { objectPathOf } from '../core/object-path.js';
import { refuseConditions, writeConditionOf } from '../core/write-condition.js';
import { callingReader } from './calling-reader.js';
import { changeFile } from './change-file.js';
import { copyFile } from './copy-file.js';
import { deleteFile, removeFiles } from './delete-files.js';
import { ChangeFileBody, RelocateFileBody, RemoveFilesBody } from './files.dto.js';
import { moveFile } from './move-file.js';

const writerOf = (request: FastifyRequest) => callingReader(request, 'content.write');

/** Changing stored files as a caller, under the policies (spec: Storage routes). */
@ApiTags('files')
@Controller('api/files')
export class ChangeFilesController {
  @Post('copy')
  @Access('known')
  @ApiOperation({ summary: 'Copy a file within its bucket' })
  copy(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Body() { upsert = false, ...body }: RelocateFileBody,
  ): Promise<DataEnvelope<FileView>> {
    const condition = writeConditionOf(request.headers);
    return copyFile(project, writerOf(request), { ...body, upsert, condition }).then(ok);
  }

  @Post('move')
  @HttpCode(200)
  @Access('known')
  @ApiOperation({ summary: 'Give a file another key in its bucket' })
  move(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Body() { upsert = false, ...body }: RelocateFileBody,
  ): Promise<DataEnvelope<FileView>> {
    refuseConditions(
      request.headers,
      'a move has no conditions; without upsert it replaces no file',
    );
    return moveFile(project, writerOf(request), { ...body, upsert }).then(ok);
  }

  @Post('remove')
  @HttpCode(200)
  @Access('known', { body: largeJson })
  @ApiOperation({ summary: 'Delete several files; answers with those that were deleted' })
  remove(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Body() body: RemoveFilesBody,
  ): Promise<DataEnvelope<readonly FileView[]>> {
    refuseConditions(request.headers, 'a removal of several files has no conditions');
    return removeFiles(project, writerOf(request), body).then(ok);
  }

  @Delete('object/:bucket/*')
  @Access('known')
  @ApiOperation({ summary: 'Delete a file by its key' })
  deleteObject(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('bucket') bucket: string,
  ): Promise<DataEnvelope<FileView>> {
    const locator = parseLocator(bucket, objectPathOf(request));
    const condition = writeConditionOf(request.headers);
    return deleteFile(project, writerOf(request), locator, condition).then(ok);
  }

  @Delete(':id')
  @Access('known')
  @ApiOperation({ summary: 'Delete a file' })
  delete(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
  ): Promise<DataEnvelope<FileView>> {
    const condition = writeConditionOf(request.headers);
    return deleteFile(project, writerOf(request), parseFileId(id), condition).then(ok);
  }

  @Patch(':id')
  @Access('known')
  @ApiOperation({ summary: 'Change visibility, caching or metadata of a file; the rest stays' })
  change(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() { visibility, cacheControl, metadata }: ChangeFileBody,
  ): Promise<DataEnvelope<FileView>> {
    const change = { visibility, cacheControl, metadata };
    const condition = writeConditionOf(request.headers);
    const locator = parseFileId(id);
    return changeFile(project, writerOf(request), { locator, change, condition }).then(ok);
  }
}
