import { expect, test } from 'vitest';

import { reservedRefs } from './project-address.js';

test.each([
  {
    name: 'the default project',
    env: { smtpProjects: 'all', defaultProject: 'demo' },
    refs: ['demo'],
  },
  { name: 'projects that may send mails', env: { smtpProjects: ['shop'] }, refs: ['shop'] },
  { name: 'nothing else', env: { smtpProjects: 'administered' }, refs: [] },
] as const)('$name: reserved for administrators of the deployment', ({ env, refs }) => {
  expect(reservedRefs(env)).toEqual(refs);
});
