import { Module } from '@nestjs/common';
import { InvitationsController } from './invitations.controller.js';
import { LoginController } from './login.controller.js';
import { OperatorsController } from './operators.controller.js';
import { SessionsController } from './sessions.controller.js';
import { TwoFactorController } from './two-factor.controller.js';

@Module({
  controllers: [
    LoginController,
    TwoFactorController,
    SessionsController,
    InvitationsController,
    OperatorsController,
  ],
})
export class OperatorsModule {}
