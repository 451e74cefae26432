export { jsonText } from './json-text.js';
export { createPause } from './pauses.js';
export { finish, inTurns, STEP_CHARS, type Steps } from './steps.js';
