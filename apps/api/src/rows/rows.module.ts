import { Module } from '@nestjs/common';

import { RowsController } from './rows.controller.js';

@Module({ controllers: [RowsController] })
export class RowsModule {}
