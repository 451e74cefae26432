import { Module } from '@nestjs/common';

import { ClientController } from './client.controller.js';

@Module({ controllers: [ClientController] })
export class ClientModule {}
