export {
  createBreachCheck,
  type BreachCheck,
  type BreachCheckOptions,
  type BreachLogEntry,
} from './breach-check.js';
export { passwordProblem, type PasswordRules } from './password-rules.js';
export { hashPassword, needsRehash, verifyPassword } from './passwords.js';
