import { Module } from '@nestjs/common';

import { TypesController } from './types.controller.js';

@Module({ controllers: [TypesController] })
export class TypesModule {}
