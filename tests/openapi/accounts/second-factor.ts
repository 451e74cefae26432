// The second factor: enrolment, the second step of a sign-in, and devices that skip it.
import { mailedCode } from '../../http/complete-project.js';
import { codeFor } from '../../support/authenticator.js';
import { userPassword } from '../../support/project.js';
import { textsAt } from '../contract.js';
import { type AccountWorld, forgetCodes, type Person, textAt } from './world.js';

export async function trySecondFactor(world: AccountWorld): Promise<void> {
  const person = await world.newPerson();
  await person.try('GET /two-factor/status');
  const enrolled = await person.try('POST /two-factor/enable');
  const uri = textAt(enrolled, 'totpURI');
  await person.try('POST /two-factor/verify-totp', { live: { code: codeFor(uri) } });
  await person.try('GET /two-factor/status');
  const renewed = await person.try('POST /two-factor/generate-backup-codes');
  const backupCodes = textsAt(renewed, 'backupCodes');
  await forgetCodes(world.project);
  await trySecondSteps(world, person, { uri, backupCode: backupCodes[0] ?? '' });
  await person.try('POST /two-factor/disable');
}

interface Proofs {
  readonly uri: string;
  readonly backupCode: string;
}

async function trySecondSteps(
  world: AccountWorld,
  person: Person,
  { uri, backupCode }: Proofs,
): Promise<void> {
  const challenge = async () => {
    const { email } = person;
    const reply = await world.try('POST /sign-in/email', {
      live: { email, password: userPassword },
    });
    return { headers: { 'x-mfa-token': textAt(reply, 'mfaToken') } };
  };
  const byMail = await challenge();
  await world.try('POST /two-factor/send-otp', byMail);
  const code = await mailedCode(world.project, person.email);
  await world.try('POST /two-factor/verify-otp', { ...byMail, live: { code } });
  await world.try('POST /two-factor/verify-backup-code', {
    ...(await challenge()),
    live: { code: backupCode },
  });
  await world.try('POST /two-factor/verify-totp', {
    ...(await challenge()),
    live: { code: codeFor(uri) },
  });
  const devices = await person.try('GET /two-factor/trusted-devices');
  const [device] = devices.body as readonly { readonly id: string }[];
  await person.try('POST /two-factor/revoke-trusted-device', { live: { id: device?.id } });
}
