import { Module } from '@nestjs/common';

import { SsoProvidersController } from './sso-providers.controller.js';

@Module({ controllers: [SsoProvidersController] })
export class SsoModule {}
