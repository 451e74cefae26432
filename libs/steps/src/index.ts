export { FairTurns } from './fair-turns.js';
export { jsonText } from './json-text.js';
export { createPause } from './pauses.js';
export { finish, inTurns, stepChars, type Steps } from './steps.js';
export { checkUtf8, decodeUtf8, stepBytes } from './utf8.js';
