export { AppError, fail, type ErrorExtras, type MentionedName } from './app-error.js';
export { fromHttpFault, type RequestFacts } from './from-http.js';
export { ERRORS, type ErrorCode } from './codes.js';
export { describeFailure } from './describe-failure.js';
export type { ErrorRow } from './error-row.js';
export { databaseAway, fromOutage, isOutage } from './outage.js';
export { renderError, type ErrorBody, type RenderedError } from './render.js';
export { databaseError, type DatabaseErrorFields, deletionError, isRefusal } from './sqlstate.js';
export { logRules } from './log-rules.js';
