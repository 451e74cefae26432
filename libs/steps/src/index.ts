export { jsonText } from './json-text.js';
export { createPause } from './pauses.js';
export { finish, inTurns, stepChars, type Steps } from './steps.js';
