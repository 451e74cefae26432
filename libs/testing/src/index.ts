export { acceptedAddresses, refusedAddresses } from './email-addresses.js';
export { CLIENT_TYPES, compileErrors } from './compile-types.js';
export { freePort } from './free-port.js';
export { describeIf, testIf } from './test-if.js';
export { speedFactor } from './speed-factor.js';
export { timeUntil, waitFor } from './wait-for.js';
