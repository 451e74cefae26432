import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';

import { AuthStatusController } from './auth-status.controller.js';
import { serveEngine } from './serve-engine.js';
import { StudioController } from './studio.controller.js';

@Module({ controllers: [AuthStatusController, StudioController] })
export class AuthModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  onModuleInit(): void {
    serveEngine(this.host.httpAdapter.getInstance());
  }
}
