import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import { fail } from '#libs/errors';

import { Access } from '../http/access.js';

/** Where sockets are served: requests that ask for a WebSocket do not come here. */
@ApiTags('realtime')
@Controller()
export class SocketController {
  @Get('ws')
  @Access('public', { servedBy: 'server' })
  @ApiOperation({ summary: 'Connect to channels with a client of Socket.IO' })
  open(): never {
    throw fail('UPGRADE_REQUIRED', {}, { headers: { upgrade: 'websocket' } });
  }
}
