import { Module } from '@nestjs/common';

import { BroadcastController } from './broadcast.controller.js';
import { CapturedTablesController } from './captured-tables.controller.js';
import { FiguresController } from './figures.controller.js';
import { InspectorController } from './inspector/inspector.controller.js';
import { SocketController } from './socket.controller.js';

@Module({
  controllers: [
    CapturedTablesController,
    FiguresController,
    InspectorController,
    BroadcastController,
    SocketController,
  ],
})
export class RealtimeModule {}
