// Trying out how mails and SMS are sent, and what they say.
import { fail } from '#libs/errors';
import {
  exampleValues,
  MAIL_KIND_NAMES,
  MAIL_KINDS,
  type MailKind,
  type RenderedMail,
  renderMail,
  templateProblem,
  variablesOf,
} from '#libs/mail-templates';
import type { MailTransport, ProjectRuntime } from '#libs/project-runtime';

import type { PreviewMailBody } from './messages.dto.js';

/** No real code: it opens nothing. */
const testCode = '123456';

/** Sends the test mail and waits. Throws EMAIL_NOT_CONFIGURED, MAIL_REFUSED, MAIL_UNREACHABLE, HOOK_FAILED. */
export async function sendTestMail(
  project: ProjectRuntime,
  to: string,
): Promise<{ readonly delivered: true; readonly transport: MailTransport }> {
  const transport = await project.messages.sendMail({ kind: 'test', to, values: {} });
  return { delivered: true, transport };
}

/** Sends an SMS and waits. Throws SMS_NOT_CONFIGURED, SMS_REFUSED, SMS_UNREACHABLE, HOOK_FAILED. */
export async function sendTestSms(
  project: ProjectRuntime,
  to: string,
): Promise<{ readonly delivered: true }> {
  await project.messages.sendSms({ kind: 'verifyPhone', to, code: testCode });
  return { delivered: true };
}

/** Every kind of mail: what its template may say, what it says by default, and what is stored. */
export function listTemplates(project: ProjectRuntime) {
  const stored = project.settings.get('email.templates');
  const kinds = MAIL_KIND_NAMES.map((kind) => {
    const { title, help, needs, subject, text, html } = MAIL_KINDS[kind];
    const { subject: ownSubject, text: ownText, html: ownHtml } = stored[kind];
    return {
      kind,
      title,
      help,
      variables: Object.entries(variablesOf(kind)).map(([name, row]) => ({ name, ...row })),
      needs,
      defaults: { subject, text, html },
      template: { subject: ownSubject ?? null, text: ownText ?? null, html: ownHtml ?? null },
    };
  });
  return { kinds };
}

/** A mail with the values of examples. Throws INVALID_INPUT for a template that could not be stored. */
export function previewMail(project: ProjectRuntime, body: PreviewMailBody): RenderedMail {
  const { kind, template = project.settings.get('email.templates')[kind] } = body;
  const problem = templateProblem(kind, template);
  if (problem) {
    throw fail('INVALID_INPUT', { field: `template.${problem.field}`, reason: problem.reason });
  }
  return render(project, kind, template);
}

function render<K extends MailKind>(
  project: ProjectRuntime,
  kind: K,
  template: Parameters<typeof renderMail>[1],
): RenderedMail {
  const { siteUrl } = project.settings.get('auth.urls');
  return renderMail(kind, template, {
    ...exampleValues(kind),
    appName: project.record.name,
    siteUrl: siteUrl ?? project.baseUrl.origin,
  });
}
