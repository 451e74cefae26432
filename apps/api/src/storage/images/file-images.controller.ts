import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Access } from '../../http/access.js';
import { renderImage } from './render-image.js';

/** Is parsed by what makes the image. */
type ImageQuery = Readonly<Record<string, unknown>>;

/** Images made out of stored ones below `/api`, where operators reach them through the console. */
@ApiTags('files')
@Controller('api/files')
export class FileImagesController {
  @Get(':id/image')
  @Access('public')
  @ApiQuery({ name: 'width', required: false, description: '1 to 2000 pixels' })
  @ApiQuery({ name: 'height', required: false, description: '1 to 2000 pixels' })
  @ApiQuery({ name: 'resize', required: false, description: 'cover, contain or fill' })
  @ApiQuery({ name: 'quality', required: false, description: '20 to 100' })
  @ApiQuery({ name: 'format', required: false, description: 'origin, webp, avif, jpeg or png' })
  @ApiOperation({ summary: 'The image of a file in another size and format' })
  render(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query() query: ImageQuery,
  ) {
    return renderImage({ request, reply }, { ...query, id });
  }
}
