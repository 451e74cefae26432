import { Module } from '@nestjs/common';

import { AdminUsersController } from './admin/admin-users.controller.js';
import { AdminOrganizationsController } from './admin/organizations.controller.js';
import { UserAccessController } from './admin/user-access.controller.js';
import { UserActionsController } from './admin/user-actions.controller.js';
import { MeController } from './me.controller.js';

@Module({
  controllers: [
    MeController,
    UserAccessController,
    UserActionsController,
    AdminUsersController,
    AdminOrganizationsController,
  ],
})
export class UsersModule {}
