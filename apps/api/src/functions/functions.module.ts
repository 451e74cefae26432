import { Module } from '@nestjs/common';

import { FunctionRecordsController } from './records.controller.js';
import { FunctionSecretsController } from './secrets.controller.js';
import { FunctionTokensController } from './tokens.controller.js';
import { FunctionsController } from './functions.controller.js';
import { InvokeController } from './invoke.controller.js';
import { FunctionSchedulesController } from './schedules/schedules.controller.js';
import { FunctionTriggersController } from './triggers/triggers.controller.js';

/** Fixed paths come before the one of a function. */
@Module({
  controllers: [
    InvokeController,
    FunctionSecretsController,
    FunctionTokensController,
    FunctionRecordsController,
    FunctionTriggersController,
    FunctionSchedulesController,
    FunctionsController,
  ],
})
export class FunctionsModule {}
