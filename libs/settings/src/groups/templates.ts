import {
  MAIL_KIND_NAMES,
  MAIL_KINDS,
  MAX_TEMPLATE_LENGTH,
  type MailKind,
  templateProblem,
} from '#libs/mail-templates';
import { defineGroup } from '../define-group.js';
import { object, text } from '../field.js';

const template = (kind: MailKind) =>
  object({
    label: MAIL_KINDS[kind].title,
    help: MAIL_KINDS[kind].help,
    fields: {
      subject: text({ label: 'Subject', maxLength: MAX_TEMPLATE_LENGTH.subject }),
      text: text({ label: 'Text', multiline: true, maxLength: MAX_TEMPLATE_LENGTH.text }),
      html: text({ label: 'HTML', multiline: true, maxLength: MAX_TEMPLATE_LENGTH.html }),
    },
  });

// One entry for each name of the table, and no other.
const templateByKind = Object.fromEntries(
  MAIL_KIND_NAMES.map((kind) => [kind, template(kind)]),
) as Readonly<Record<MailKind, ReturnType<typeof template>>>;

export const templates = defineGroup('email.templates', {
  title: 'Mails',
  help: 'The texts of the project’s mails. An empty text is replaced by the default.',
  rebuilds: [],
  fields: templateByKind,
  conflict: (values) => {
    for (const kind of MAIL_KIND_NAMES) {
      const problem = templateProblem(kind, values[kind]);
      if (problem) return { field: `${kind}.${problem.field}`, reason: problem.reason };
    }
    return undefined;
  },
});
