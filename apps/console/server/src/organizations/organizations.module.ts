import { Module } from '@nestjs/common';
import { MembersController } from './members.controller.js';
import { OrganizationsController } from './organizations.controller.js';

@Module({ controllers: [OrganizationsController, MembersController] })
export class OrganizationsModule {}
