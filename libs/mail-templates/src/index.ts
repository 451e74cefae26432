export {
  exampleValues,
  MAIL_KIND_NAMES,
  MAIL_KINDS,
  type MailKind,
  type MailKindRow,
  type MailValues,
  type MailVariable,
  type MailVariables,
  variablesOf,
} from './kinds.js';
export { MAX_TEMPLATE_LENGTH, templateProblem, type TemplateProblem } from './problem.js';
export { type MailTemplate, type RenderedMail, renderMail, type RenderLimits } from './render.js';
