import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Access } from '../../http/access.js';
import { imagePath } from '../files/links.js';
import { renderImage } from './render-image.js';

/** Is parsed by what makes the image. */
type ImageQuery = Readonly<Record<string, unknown>>;

/** Images made out of stored ones (spec: Storage routes). Who may read the source may read them. */
@ApiTags('storage')
@Controller(imagePath)
export class ImagesController {
  @Get()
  @Access('public', { projectKey: 'unneeded' })
  @ApiQuery({ name: 'bucket', required: false, description: 'With path; or id instead' })
  @ApiQuery({ name: 'path', required: false, description: 'A key of the bucket, or an id' })
  @ApiQuery({ name: 'id', required: false })
  @ApiQuery({ name: 'width', required: false, description: '1 to 2000 pixels' })
  @ApiQuery({ name: 'height', required: false, description: '1 to 2000 pixels' })
  @ApiQuery({ name: 'resize', required: false, description: 'cover, contain or fill' })
  @ApiQuery({ name: 'quality', required: false, description: '20 to 100' })
  @ApiQuery({ name: 'format', required: false, description: 'origin, webp, avif, jpeg or png' })
  @ApiOperation({ summary: 'A stored image in another size and format' })
  render(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: ImageQuery) {
    return renderImage({ request, reply }, query);
  }
}
