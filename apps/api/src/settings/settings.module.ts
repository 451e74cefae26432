import { Module } from '@nestjs/common';

import { MessagesController } from './messages.controller.js';
import { HistoryController } from './history.controller.js';
import { SettingsController } from './settings.controller.js';

@Module({ controllers: [HistoryController, MessagesController, SettingsController] })
export class SettingsModule {}
