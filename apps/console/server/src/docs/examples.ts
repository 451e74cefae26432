// Examples of bodies of the console. A test sends each of them.

/** By the name of the field, where neither its schema nor the table below gives one. */
export const fieldExamples: Readonly<Record<string, unknown>> = {
  email: 'ada@example.org',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'another good password',
  code: '123456',
  name: 'Acme',
  organizationId: 'tz4a98xxat96iws9zmbrgj3a',
  token: 'Qm9X4cT0hWv2kZrL8sYpJd5nEaUgFb1i',
  role: 'viewer',
  operatorId: 'k2v8q0c1r7m4x5t9w3z6b8n2',
};

/** By `Controller.method`. */
export const examples: Readonly<Record<string, unknown>> = {
  'InvitationsController.accept': {
    token: fieldExamples['token'],
    name: 'Ada Lovelace',
    password: fieldExamples['password'],
  },
  'TwoFactorController.verifyTotp': { code: '123456', trustDevice: true },
  'OperatorsController.update': { status: 'disabled' },
  'OperatorsController.reset': { removeSecondFactor: true },
  'ProjectLimitsController.set': {
    storageBytes: 10_000_000_000,
    databaseBytes: null,
    sharedMailServer: true,
  },
  'ProjectsController.create': {
    name: 'Shop',
    ref: 'shop',
    idType: 'uuid',
    organizationId: fieldExamples['organizationId'],
  },
  'ProjectsController.rename': { name: 'Bookshop' },
  'ProjectsController.delete': { ref: 'shop' },
};
