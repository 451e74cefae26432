import 'reflect-metadata';

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { DutyRunner } from './duties.js';
import { MessageSender } from './messages/message-sender.js';
import { OperationRunner } from './operations/operation-runner.js';
import type { WorkerDeps } from './worker-deps.js';
import { WorkerModule } from './worker.module.js';

/** Starts the worker. Closing it waits for the work that runs. Rejects when the store of jobs cannot be reached. */
export async function createWorker(deps: WorkerDeps): Promise<INestApplicationContext> {
  const worker = await NestFactory.createApplicationContext(WorkerModule.with(deps), {
    abortOnError: false,
    logger: false,
  });
  try {
    await worker.get(OperationRunner).start();
    worker.get(MessageSender).start();
    // Duties add jobs to the queues of the others.
    await worker.get(DutyRunner).start();
    return worker;
  } catch (error) {
    await worker.close(); // The start is tried again, and opens another one.
    throw error;
  }
}
