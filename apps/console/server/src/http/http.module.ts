import { inputValidation } from '#libs/web';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { ConsoleDeps } from './console-deps.js';
import { ErrorFilter } from './error.filter.js';
import { HealthController } from './health.controller.js';

/** Shared by all routes: the guard, the filter, the validation and the dependencies of the process. */
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
