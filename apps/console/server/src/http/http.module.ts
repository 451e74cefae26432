import { inputValidation } from '#libs/web';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { ConsoleDeps } from './console-deps.js';
import { ErrorFilter } from './error.filter.js';
import { HealthController } from './health.controller.js';

/** What all routes share: the one guard, the one filter, the validation and what the process handed in. */
@Module({})
export class HttpModule {
  static forRoot(deps: ConsoleDeps): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      controllers: [HealthController],
      providers: [
        { provide: ConsoleDeps, useValue: deps },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useFactory: inputValidation },
      ],
      exports: [ConsoleDeps],
    };
  }
}
