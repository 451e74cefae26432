export { type Job, type JobQueue, openJobQueue, runJobs, type WorkerOptions } from './job-queue.js';
export type { JobStore } from './job-store.js';
export { openSignalBus, type SignalBus, type SignalListener } from './signal-bus.js';
export { openProcessExchange, type ProcessExchange } from './process-exchange.js';
