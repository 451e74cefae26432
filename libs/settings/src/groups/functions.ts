import { defineGroup } from '../define-group.js';
import { integer } from '../field.js';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

export const functions = defineGroup('functions', {
  title: 'Edge functions',
  help: 'What each version of a function may use. Limits of requests count in each server process.',
  rebuilds: [],
  capability: 'settings.manage',
  fields: {
    memoryMb: integer({
      label: 'Memory of a process, in megabytes',
      default: 128,
      range: [64, 512],
    }),
    cpuSeconds: integer({
      label: 'Processor time without an answer',
      help: 'A process that computes for longer, and completes no request meanwhile, is ended.',
      default: 2,
      range: [1, 60],
      unit: 's',
    }),
    timeoutSeconds: integer({
      label: 'Time of a request, to the end of its answer',
      default: 150,
      range: [1, 300],
      unit: 's',
    }),
    concurrency: integer({
      label: 'Requests that a version answers at the same time',
      default: 16,
      range: [1, 100],
    }),
    queue: integer({
      label: 'Further requests that wait',
      default: 64,
      range: [0, 1000],
    }),
    maxRequestBytes: integer({
      label: 'Maximum size of the body of a request, in bytes',
      default: 10 * mebibyte,
      range: [kibibyte, 100 * mebibyte],
    }),
    maxResponseBytes: integer({
      label: 'Maximum size of the body of an answer, in bytes',
      default: 50 * mebibyte,
      range: [kibibyte, 100 * mebibyte],
    }),
    logDays: integer({
      label: 'Days that logs and invocations are kept',
      default: 7,
      range: [1, 90],
    }),
  },
});
