export { type SqlToken, sqlTokens } from './sql-tokens.js';
export { now, type SweepValues } from './sweep-values.js';
