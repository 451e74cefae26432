import { Module } from '@nestjs/common';

import { AuthStatusController } from './auth-status.controller.js';
import { AuthController } from './auth.controller.js';
import { StudioController } from './studio.controller.js';

@Module({ controllers: [AuthStatusController, StudioController, AuthController] })
export class AuthModule {}
