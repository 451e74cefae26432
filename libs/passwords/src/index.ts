export {
  createBreachCheck,
  type BreachCheck,
  type BreachCheckOptions,
  type BreachLogEntry,
} from './breach-check.js';
export { passwordProblem, type PasswordRules } from './password-rules.js';
export {
  hashInVain,
  hashPassword,
  matchingForm,
  needsRehash,
  verifyPassword,
} from './passwords.js';
export { normalizePassword } from './normal-form.js';
