import { Module } from '@nestjs/common';

import { AdminRestDocsController } from './admin-rest-docs.controller.js';
import { RestDocsController } from './rest-docs.controller.js';

@Module({ controllers: [RestDocsController, AdminRestDocsController] })
export class RestDocsModule {}
