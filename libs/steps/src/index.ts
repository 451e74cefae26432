export { jsonText } from './json-text.js';
export { finish, inTurns, STEP_CHARS, type Steps } from './steps.js';
