export { freePort } from './free-port.js';
export { describeIf, testIf } from './test-if.js';
