import { Module } from '@nestjs/common';

import { AuthStatusController } from './auth-status.controller.js';
import { AuthController } from './auth.controller.js';

@Module({ controllers: [AuthStatusController, AuthController] })
export class AuthModule {}
