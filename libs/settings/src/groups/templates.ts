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

export const templates = defineGroup('email.templates', {
  title: 'Mails',
  help: 'The texts of the project’s mails. An empty text is replaced by the default.',
  rebuilds: [],
  fields: {
    verifyEmail: template('verifyEmail'),
    magicLink: template('magicLink'),
    emailOtp: template('emailOtp'),
    verifyEmailOtp: template('verifyEmailOtp'),
    resetPassword: template('resetPassword'),
    resetPasswordLink: template('resetPasswordLink'),
    reauthenticate: template('reauthenticate'),
    secondFactor: template('secondFactor'),
    inviteUser: template('inviteUser'),
    inviteMember: template('inviteMember'),
    passwordChanged: template('passwordChanged'),
    test: template('test'),
  },
  conflict: (values) => {
    for (const kind of MAIL_KIND_NAMES) {
      const problem = templateProblem(kind, values[kind]);
      if (problem) return { field: `${kind}.${problem.field}`, reason: problem.reason };
    }
    return undefined;
  },
});
