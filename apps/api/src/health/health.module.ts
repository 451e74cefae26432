import { Module } from '@nestjs/common';

import { HealthController } from './health.controller.js';
import { ServerController } from './server.controller.js';

@Module({ controllers: [HealthController, ServerController] })
export class HealthModule {}
