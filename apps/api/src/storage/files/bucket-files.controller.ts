import { Controller, Delete, Get, Head, Options, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { noBody } from '#libs/web';

import { Access } from '../../http/access.js';
import { scopeOf } from '../../http/request-scope.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import type { FileView } from '../core/file-view.js';
import { objectPathOf } from '../core/object-path.js';
import { type BucketRequest, deleteBucketFile, findBucketFile } from './bucket-files.js';
import { askedDisposition } from './file-headers.js';
import { serveFile } from './serve-file.js';

/** Pages name public files in their markup; a bucket has its own CORS rules. */
const ofBucket = { projectKey: 'unneeded', cors: 'bucket' } as const;

/**
 * Files of a bucket by its tokens, and public files for every caller (spec: Storage routes). The route of HEAD is
 * registered before that of GET: otherwise the server would add its own, which does not know the length.
 */
@ApiTags('storage')
@Controller('api/storage/:slug/files')
export class BucketFilesController {
  @Head('*')
  @Access('public', ofBucket)
  @ApiOperation({ summary: 'The headers of a file of a bucket' })
  readHead(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param() at: Address) {
    return serve(request, reply, at);
  }

  @Get('*')
  @Access('public', ofBucket)
  @ApiOperation({ summary: 'A file of a bucket; a private one needs a read token of the bucket' })
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param() at: Address) {
    return serve(request, reply, at);
  }

  /** Lets preflights match a route with the rules of the bucket; the hooks answer them. */
  @Options('*')
  @Access('public', { ...ofBucket, body: noBody })
  @ApiExcludeEndpoint()
  preflight(): never {
    const headers = { allow: 'GET, HEAD, DELETE, OPTIONS' };
    throw fail('METHOD_NOT_ALLOWED', { method: 'OPTIONS' }, { headers });
  }

  @Delete('*')
  @Access('public', ofBucket)
  @ApiOperation({ summary: 'Delete a file with a delete token of its bucket' })
  async delete(
    @Req() request: FastifyRequest,
    @Param() at: Address,
  ): Promise<DataEnvelope<FileView>> {
    const { lease, credential } = scopeOf(request);
    return ok(await deleteBucketFile(lease.value, bucketRequest(at, request, credential)));
  }
}

/** The part before the path. */
interface Address {
  readonly slug: string;
}

async function serve(request: FastifyRequest, reply: FastifyReply, at: Address): Promise<void> {
  const { lease, credential, client } = scopeOf(request);
  const file = await findBucketFile(lease.value, bucketRequest(at, request, credential));
  const asked = askedDisposition(request.query);
  await serveFile(lease.value, file, { request, reply, client, asked });
}

function bucketRequest(
  { slug }: Address,
  request: FastifyRequest,
  credential: BucketRequest['credential'],
): BucketRequest {
  return { slug, path: objectPathOf(request), headers: request.headers, credential };
}
