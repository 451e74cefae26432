import 'reflect-metadata';

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import type { WorkerDeps } from './worker-deps.js';
import { WorkerModule } from './worker.module.js';

/** Starts the worker. Closing it waits for the work that runs. Rejects when the store of jobs cannot be reached. */
export async function createWorker(deps: WorkerDeps): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(WorkerModule.with(deps), {
    abortOnError: false,
    logger: false,
  });
}
