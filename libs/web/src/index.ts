export { completeDocument, type Json, type Openness, type Paths } from './api-document.js';
export { answerBroken } from './broken-request.js';
export {
  type ClientFileName,
  type ClientFiles,
  prepareClientFiles,
  sendClientFile,
} from './client-files.js';
export { inputValidation } from './input-validation.js';
export { pathOf, sendError, shownError, type ShownError } from './shown-error.js';
