export {
  compileBatch,
  type BatchPart,
  type BatchText,
  type CompiledBatch,
} from './batch/compile-batch.js';
export { maxOperations } from './batch/read-batch.js';
export {
  adminError,
  type Compiled,
  type CompiledShape,
  type CompiledStatement,
  type Ending,
} from './compiled.js';
export { createQueryCompiler, type QueryCompiler } from './compiler.js';
export { type Body, hasBody, readBody } from './parse/body.js';
export { parseValueList } from './parse/list.js';
export { RESERVED_NAMES } from './parse/query-template.js';
export { parseRowFilter, type RowFilter } from './parse/row-filter.js';
export type { Limits } from './plan/index.js';
export type { BodyFrame } from './shape/frame.js';
export type { ResponseHead, StatementResult } from './shape/respond.js';
export {
  IS_TESTS,
  type BatchPlace,
  type FilterTree,
  type IsKeyword,
  type ParsedCondition,
} from './types/grammar.js';
export type { Method, Resource, RestHeaders, RestInput } from './types/request.js';
