export { findDeno } from './find-deno.js';
export { type FunctionsHostOptions, openFunctionsHost } from './host.js';
export { isReservedVariable } from './sandbox.js';
export type {
  FunctionInvocation,
  FunctionLimits,
  FunctionLogLine,
  FunctionReply,
  FunctionRequest,
  FunctionsHost,
  FunctionsProject,
  FunctionVersion,
  Prepared,
  ProjectFunctions,
} from './types.js';
