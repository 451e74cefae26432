// The pages name the roles and capabilities of operators themselves; they are those of the server.
import { expect, test } from 'vitest';

import { CAPABILITIES } from '#libs/wire';

import {
  capabilitiesByRole,
  capabilityNames,
} from '../../apps/console/web/src/screens/operators/capabilities.js';
import { ROLES } from '../../libs/control-plane/src/organizations/roles.js';

test('the capabilities are those of the server', () => {
  expect(capabilityNames.toSorted()).toEqual(CAPABILITIES.toSorted());
});

test('each role has the capabilities that the server gives it', () => {
  const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(table).map(([role, given]) => [role, given.toSorted()]));
  expect(sorted(capabilitiesByRole)).toEqual(sorted(ROLES));
});
