import { Module } from '@nestjs/common';

import { SentMessagesController } from './messages.controller.js';

@Module({ controllers: [SentMessagesController] })
export class MessagesModule {}
