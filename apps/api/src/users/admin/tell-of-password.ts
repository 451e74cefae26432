import { isStandInAddress } from '#libs/auth-engine';
import { AppError } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

/** Tells the owner of an account that its password is another one now, where there is a way to tell. */
export async function tellOfNewPassword(
  project: ProjectRuntime,
  user: { readonly email: string },
): Promise<void> {
  const { messages, settings } = project;
  if (messages.transport === undefined || isStandInAddress(user.email)) return;
  try {
    const mail = { kind: 'passwordChanged', to: user.email, values: {} } as const;
    await messages.forEngine(settings.values).mail(mail);
  } catch (error) {
    // The password is changed already; too many mails on their way must not make that look undone.
    if (!(error instanceof AppError)) throw error;
  }
}
