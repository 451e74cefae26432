import { Module } from '@nestjs/common';
import { MembersController } from './members.controller.js';
import { MembershipsController } from './memberships.controller.js';
import { OrganizationsController } from './organizations.controller.js';

@Module({ controllers: [OrganizationsController, MembersController, MembershipsController] })
export class OrganizationsModule {}
