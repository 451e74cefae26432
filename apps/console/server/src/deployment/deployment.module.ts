import { Module } from '@nestjs/common';
import { DeploymentController } from './deployment.controller.js';

@Module({ controllers: [DeploymentController] })
export class DeploymentModule {}
