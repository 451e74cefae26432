import { Module } from '@nestjs/common';

import { SchemaController } from './schema.controller.js';

@Module({ controllers: [SchemaController] })
export class SchemaModule {}
