export { createWorker } from './create-worker.js';
export { type DeliveryJobs, openDeliveryJobs, scheduleStore } from './deliveries/delivery-jobs.js';
export { startDeliverer } from './deliveries/deliverer.js';
export { startPassedMessages } from './messages/send-messages.js';
export {
  type MessageJobs,
  openMessageJobs,
  openPassedJobs,
  type SendingFunctions,
  waitingMessages,
} from './messages/message-jobs.js';
export { basisOf, findDue, findQuietDays, sweepProject } from './sweeps/project-sweep.js';
export type { Deployment, WorkerDeps } from './worker-deps.js';
