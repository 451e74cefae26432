export { completeDocument, type Json, type Openness, type Paths } from './api-document.js';
export { answerBroken } from './broken-request.js';
export { BodyBudget, type FindCaller, type HeldBody } from './body-budget.js';
export { type BodyRule, largeJson, noBody, smallJson, streamedBody } from './body-rule.js';
export { clientNetworks, connectionTimeouts, limitConnections } from './connections.js';
export {
  type ClientFileName,
  type ClientFiles,
  prepareClientFiles,
  sendClientFile,
} from './client-files.js';
export {
  type ConsoleFile,
  type ConsoleFiles,
  consolePages,
  isNavigation,
  projectScreens,
  sendConsoleAsset,
  sendConsolePage,
  studioBase,
} from './console-files.js';
export { Drain } from './drain.js';
export { inputValidation, refuseUnstorable } from './input-validation.js';
export { IsEmailAddress } from './is-email-address.js';
export { recordMethods } from './known-methods.js';
export { type LoopWatch, watchLoop } from './loop-watch.js';
export { keepMatchedRoutes } from './matched-route.js';
export { limitPipelining } from './pipelining.js';
export { requirePlainTarget } from './plain-target.js';
export { Nested, NestedList } from './nested.js';
export { readBodies } from './read-bodies.js';
export { readBytes } from './read-bytes.js';
export { readControllers } from './read-controllers.js';
export { closeIfUnread, logRequest } from './request-log.js';
export { serveDescription } from './serve-description.js';
export { type ReaderLimits, type ReaderWatch, watchReaders } from './reader-watch.js';
export { sendSlices } from './send-slices.js';
export { sendError, shownError, type ShownError } from './shown-error.js';
