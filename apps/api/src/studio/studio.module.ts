import { Module } from '@nestjs/common';

import { StudioPagesController } from './studio-pages.controller.js';

@Module({ controllers: [StudioPagesController] })
export class StudioModule {}
