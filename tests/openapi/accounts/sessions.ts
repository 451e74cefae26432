// Sessions, passwords, addresses and the own account.
import { mailedCode, mailedLink } from '../../http/complete-project.js';
import { type AccountWorld, textAt } from './world.js';

export async function trySessions(world: AccountWorld): Promise<void> {
  await world.try('GET /get-session');
  await world.try('GET /jwks');
  await world.try('POST /sign-up/email');
  await world.try('POST /sign-in/email');
  const person = await world.newPerson();
  await person.try('GET /get-session');
  await person.try('GET /token');
  await person.try('POST /update-user');
  for (const route of ['change-email', 'email-otp/request-email-change', 'email-otp/change-email'])
    await person.try(`POST /${route}`, { status: 400 });
  const list = await person.try('GET /list-sessions');
  const [session] = Array.isArray(list.body) ? list.body : [];
  await person.try('POST /revoke-other-sessions');
  await person.try('POST /revoke-session', { live: { id: session.id } });
  await (await world.newPerson()).try('POST /revoke-sessions');
  await (await world.newPerson()).try('POST /sign-out');
  await (await world.newPerson()).try('POST /delete-user');
}

export async function tryPasswords(world: AccountWorld): Promise<void> {
  const person = await world.newPerson();
  await person.try('POST /verify-password');
  await person.try('POST /reauthenticate');
  await person.try('POST /update-password');
  await (await world.newPerson()).try('POST /change-password');
  const { email } = await world.newPerson();
  await world.try('POST /request-password-reset', { live: { email } });
  const link = await mailedLink(world.project, email);
  const token = link.pathname.split('/').at(-1) ?? '';
  await world.try('GET /reset-password/{token}', {
    path: { token },
    query: Object.fromEntries(link.searchParams),
    headers: { accept: 'text/html' },
  });
  await world.try('POST /reset-password', { live: { token } });
  const { email: other } = await world.newPerson();
  await world.try('POST /email-otp/request-password-reset', { live: { email: other } });
  const otp = await mailedCode(world.project, other);
  await world.try('POST /email-otp/reset-password', { live: { email: other, otp } });
}

export async function tryAddresses(world: AccountWorld): Promise<void> {
  const { project } = world;
  const { email } = await world.newPerson({ emailVerified: false });
  await world.try('POST /send-verification-email', { live: { email } });
  const token = (await mailedLink(project, email)).searchParams.get('token') ?? '';
  await world.try('GET /verify-email', { query: { token } });
  await world.try('POST /verify-email', { live: { token } });
  const other = await world.newPerson({ emailVerified: false });
  const mail = async (type: string) => {
    await world.try('POST /email-otp/send-verification-otp', {
      live: { email: other.email, type },
    });
    return mailedCode(project, other.email);
  };
  await world.try('POST /email-otp/verify-email', {
    live: { email: other.email, otp: await mail('email-verification') },
  });
  const otp = await mail('sign-in');
  await world.try('POST /email-otp/check-verification-otp', { live: { email: other.email, otp } });
  await world.try('POST /sign-in/email-otp', { live: { email: other.email, otp } });
}

export async function tryLinks(world: AccountWorld): Promise<void> {
  const { project } = world;
  const { email } = await world.newPerson();
  await world.try('POST /sign-in/magic-link', { live: { email } });
  const link = await mailedLink(project, email);
  const token = link.searchParams.get('token') ?? '';
  await world.try('GET /magic-link/verify', { query: { token } });
  await world.try('POST /magic-link/verify', { live: { token } });
  const made = await project.asService({
    method: 'POST',
    path: '/api/admin/users/generate-link',
    body: { email, type: 'magiclink' },
  });
  const adminLink = new URL(textAt(made, 'properties', 'action_link'));
  const adminToken = adminLink.searchParams.get('token') ?? '';
  await world.try('GET /admin-link/verify', { query: { token: adminToken } });
  await world.try('POST /admin-link/verify', { live: { token: adminToken } });
}
