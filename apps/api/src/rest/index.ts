export { answerRequest } from './answer-request.js';
export type { RestProject } from './execute.js';
export type { RestAnswer } from './work.js';
