export { jsonText } from './json-text.js';
export { pauses } from './pauses.js';
export { finish, inTurns, STEP_CHARS, type Steps } from './steps.js';
