import { Module } from '@nestjs/common';

import { SqlController } from './sql.controller.js';

@Module({ controllers: [SqlController] })
export class SqlModule {}
