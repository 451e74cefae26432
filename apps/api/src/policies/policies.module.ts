import { Module } from '@nestjs/common';

import { PoliciesController } from './policies.controller.js';
import { PolicyTestsController } from './policy-tests.controller.js';

@Module({ controllers: [PoliciesController, PolicyTestsController] })
export class PoliciesModule {}
