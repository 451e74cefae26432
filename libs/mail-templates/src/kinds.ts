// The table of mails that a project sends: the purpose of each, the variables of its template, and its default text. A
// new kind is one entry here and one call that sends it.
import { type Block, button, code, htmlPage, paragraph, plainText } from './layout.js';

/** A variable that a template may use. */
export interface MailVariable {
  /** What the variable contains, for the editor of a template. */
  readonly holds: string;
  /** Whether every mail of the kind has a value for it. */
  readonly required: boolean;
  readonly form: 'text' | 'link';
  /** Its value in a preview. */
  readonly example: string;
}

export type MailVariables = Readonly<Record<string, MailVariable>>;

/** One kind of mail. */
export interface MailKindRow<V extends MailVariables = MailVariables> {
  readonly title: string;
  readonly help: string;
  /** Besides {@link COMMON_VARIABLES}. */
  readonly variables: V;
  /**
   * For each list, every text and HTML of a template must contain one of its variables; without it the mail is useless.
   */
  readonly needs: readonly (readonly string[])[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Variables that every template may use. */
export const COMMON_VARIABLES = {
  appName: {
    holds: 'The name of the application',
    required: true,
    form: 'text',
    example: 'Example App',
  },
  siteUrl: {
    holds: 'The address of the application',
    required: true,
    form: 'link',
    example: 'https://app.example.com',
  },
  email: {
    holds: 'The address that the mail goes to',
    required: true,
    form: 'text',
    example: 'ada@example.com',
  },
  expiresInMinutes: {
    holds: 'How long the link or code works, in minutes',
    required: false,
    form: 'text',
    example: '10',
  },
  expiresIn: {
    holds: 'How long the link or code works, in words such as "2 hours"',
    required: false,
    form: 'text',
    example: '10 minutes',
  },
} as const satisfies MailVariables;

const always = <const E extends string>(holds: string, example: E) =>
  ({ holds, required: true, form: 'text', example }) as const;
const sometimes = <const E extends string>(holds: string, example: E) =>
  ({ holds, required: false, form: 'text', example }) as const;

const url = {
  holds: 'The link to open',
  required: true,
  form: 'link',
  example: 'https://app.example.com/open?token=example',
} as const;
const oneTimeCode = always('The code to type in', '123456');
const lifetime = paragraph('It works for {{ expiresIn }} and only once.', 'expiresIn');
const notYou = paragraph('If you did not ask for this, you can ignore this mail.');
const keepSecret = paragraph(
  '{{ appName }} will never ask you for this code. If you did not request it, you can ignore this mail.',
);

function mailKind<const V extends MailVariables>(
  row: Omit<MailKindRow<V>, 'text' | 'html'> & { readonly body: readonly Block[] },
): MailKindRow<V> {
  const { body, ...rest } = row;
  return { ...rest, text: plainText(body), html: htmlPage(body) };
}

/** A mail whose purpose is its code. */
function codeMail(row: {
  readonly title: string;
  readonly help: string;
  readonly subject: string;
  readonly ask: string;
}) {
  const { ask, ...rest } = row;
  return mailKind({
    ...rest,
    variables: { code: oneTimeCode },
    needs: [['code']],
    body: [paragraph(ask), code('code'), lifetime, keepSecret],
  });
}

export const MAIL_KINDS = {
  verifyEmail: mailKind({
    title: 'Verify an address by link',
    help: 'Sent after sign-up, to prove that the address belongs to the user.',
    variables: { url, code: sometimes('A code that does the same as the link', '123456') },
    needs: [['url']],
    subject: 'Confirm your email address for {{ appName }}',
    body: [
      paragraph('Please confirm that {{ email }} is your email address.'),
      button('Confirm email address', 'url'),
      paragraph('Or enter this code:', 'code'),
      code('code', 'code'),
      lifetime,
      paragraph('If you have no account at {{ appName }}, you can ignore this mail.'),
    ],
  }),
  magicLink: mailKind({
    title: 'Sign-in link',
    help: 'Sent when a user signs in without a password. The code does the same as the link.',
    variables: { url, code: sometimes('A code that does the same as the link', '123456') },
    needs: [['url']],
    subject: 'Sign in to {{ appName }}',
    body: [
      paragraph('Open this link to sign in as {{ email }}.'),
      button('Sign in', 'url'),
      paragraph('Or enter this code where you asked to sign in:', 'code'),
      code('code', 'code'),
      lifetime,
      notYou,
    ],
  }),
  emailOtp: codeMail({
    title: 'Sign-in code',
    help: 'Sent when a user signs in with a code.',
    subject: '{{ code }} is your code for {{ appName }}',
    ask: 'Enter this code to sign in as {{ email }}:',
  }),
  verifyEmailOtp: codeMail({
    title: 'Verify an address by code',
    help: 'Sent to verify an address by a code.',
    subject: '{{ code }} confirms your address for {{ appName }}',
    ask: 'Enter this code to confirm that {{ email }} is your email address:',
  }),
  resetPassword: codeMail({
    title: 'Reset a password by code',
    help: 'Sent when a user resets a forgotten password and the application asks for a code.',
    subject: 'Reset your password for {{ appName }}',
    ask: 'Enter this code to choose a new password for {{ email }}:',
  }),
  resetPasswordLink: mailKind({
    title: 'Reset a password by link',
    help: 'Sent when a user resets a forgotten password and the application uses links.',
    variables: { url },
    needs: [['url']],
    subject: 'Reset your password for {{ appName }}',
    body: [
      paragraph('Open this link to choose a new password for {{ email }}.'),
      button('Choose a new password', 'url'),
      lifetime,
      paragraph('If you did not ask for this, ignore this mail: your password stays as it is.'),
    ],
  }),
  reauthenticate: codeMail({
    title: 'Confirm a change',
    help: 'Sent to users who are signed in and want to change something that needs proof, such as their password.',
    subject: 'Confirm a change to your account at {{ appName }}',
    ask: 'Enter this code to confirm the change to your account:',
  }),
  secondFactor: codeMail({
    title: 'Second factor',
    help: 'Sent as the second step of a sign-in.',
    subject: '{{ code }} completes your sign-in to {{ appName }}',
    ask: 'Enter this code to complete your sign-in:',
  }),
  inviteUser: mailKind({
    title: 'Invitation to the application',
    help: 'Sent when an administrator invites a user.',
    variables: { url },
    needs: [['url']],
    subject: 'You are invited to {{ appName }}',
    body: [
      paragraph('You have been invited to {{ appName }}. Open this link to set up your account.'),
      button('Accept the invitation', 'url'),
      lifetime,
      paragraph('If you did not expect this invitation, you can ignore this mail.'),
    ],
  }),
  inviteMember: mailKind({
    title: 'Invitation to an organization',
    help: 'Sent when a member invites a user to an organization.',
    variables: {
      invitationId: always('The id of the invitation, with which it is accepted', 'inv_example'),
      organizationName: always('The organization', 'Example Ltd'),
      inviterName: always('Who invites: name or address', 'Grace'),
      role: always('The role that the invited person gets', 'member'),
      url: {
        ...url,
        holds: 'A page of the application that accepts the invitation',
        required: false,
      },
    },
    needs: [['invitationId']],
    subject: '{{ inviterName }} invites you to {{ organizationName }}',
    body: [
      paragraph(
        '{{ inviterName }} invites you to join {{ organizationName }} at {{ appName }} as {{ role }}.',
      ),
      button('See the invitation', 'url', 'url'),
      paragraph(
        'Sign in as {{ email }} to accept. The id of the invitation is {{ invitationId }}.',
      ),
      paragraph('The invitation expires in {{ expiresIn }}.', 'expiresIn'),
      paragraph('If you did not expect this invitation, you can ignore this mail.'),
    ],
  }),
  passwordChanged: mailKind({
    title: 'Password changed',
    help: 'Sent after a password was changed or reset, so that the owner learns of it.',
    variables: {},
    needs: [],
    subject: 'Your password for {{ appName }} was changed',
    body: [
      paragraph('The password of your account {{ email }} was changed just now.'),
      paragraph('If this was not you, reset your password at once and check your account.'),
    ],
  }),
  test: mailKind({
    title: 'Test mail',
    help: 'Sent from the settings to test the mail server.',
    variables: {},
    needs: [],
    subject: 'A test mail from {{ appName }}',
    body: [paragraph('This mail has arrived, so {{ appName }} can send mails to {{ email }}.')],
  }),
} as const;

export type MailKind = keyof typeof MAIL_KINDS;

/** The names of all kinds, in the order of the table. */
// Object.keys of a constant table returns exactly its keys.
export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as readonly MailKind[];

type Own<K extends MailKind> = (typeof MAIL_KINDS)[K]['variables'];
type Given<V extends MailVariables> = {
  readonly [N in keyof V as V[N]['required'] extends true ? N : never]: string;
} & {
  readonly [N in keyof V as V[N]['required'] extends true ? never : N]?: string | undefined;
};

/** The values of a mail. `expiresIn` follows from `expiresInMinutes`. */
export type MailValues<K extends MailKind> = Given<Own<K>> & {
  readonly appName: string;
  readonly siteUrl: string;
  readonly email: string;
  readonly expiresInMinutes?: number | undefined;
};

/** Every variable that a template of the kind may use, by name. */
export function variablesOf(kind: MailKind): MailVariables {
  return { ...MAIL_KINDS[kind].variables, ...COMMON_VARIABLES };
}

/** Values for a preview of the kind. */
export function exampleValues<K extends MailKind>(kind: K): MailValues<K> {
  const entries = Object.entries(variablesOf(kind)).map(([name, { example }]) => [name, example]);
  // Every variable of the kind is an entry; only this one is not a text.
  return { ...Object.fromEntries(entries), expiresInMinutes: 10 } as MailValues<K>;
}
