export { maskSql } from './mask-sql.js';
export { mayRunAsOwner, requireRunAsOwner } from './run-as-owner.js';
export { RunAsBody } from './sql.dto.js';
