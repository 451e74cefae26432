export type { Compiled, CompiledShape, CompiledStatement, Ending } from './compiled.js';
export { createQueryCompiler, type QueryCompiler } from './compiler.js';
export type { Limits } from './plan/index.js';
export type { BodyFrame } from './shape/frame.js';
export type { ResponseHead, StatementResult } from './shape/respond.js';
export type { Method, RestHeaders, RestInput } from './types.js';
