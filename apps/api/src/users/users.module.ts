import { Module } from '@nestjs/common';

import { AdminUsersController } from './admin/admin-users.controller.js';
import { UserAccessController } from './admin/user-access.controller.js';
import { MeController } from './me.controller.js';

@Module({ controllers: [MeController, UserAccessController, AdminUsersController] })
export class UsersModule {}
