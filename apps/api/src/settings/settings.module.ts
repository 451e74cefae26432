import { Module } from '@nestjs/common';

import { MessagesController } from './messages.controller.js';
import { SettingsController } from './settings.controller.js';

@Module({ controllers: [MessagesController, SettingsController] })
export class SettingsModule {}
