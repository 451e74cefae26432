import type { ReactNode } from 'react';

import { Choice, Tick } from '../../ui/field.js';
import {
  type Capability,
  capabilitiesOf,
  capabilityAbouts,
  capabilityNames,
  type Grant,
  roleAbouts,
  roles,
  roleTitles,
} from './capabilities.js';

interface GrantFieldsProps {
  readonly label: string;
  /** Undefined: no role, which `none` makes possible. */
  readonly grant: Grant | undefined;
  /** The name of the choice without a role. */
  readonly none?: string;
  /** What the one who gives may give. */
  readonly own: readonly Capability[];
  readonly onChange: (grant: Grant | undefined) => void;
}

/** A role, and what it means in plain words. With the role `custom` each capability is a box to tick. */
export function GrantFields({ label, grant, none, own, onChange }: GrantFieldsProps): ReactNode {
  const given = grant ? capabilitiesOf(grant) : [];
  const isCustom = grant?.role === 'custom';
  const choose = (value: string): void => {
    const role = roles.find((each) => each === value);
    // The boxes begin with what the role before has given.
    onChange(role && { role, capabilities: role === 'custom' ? given : [] });
  };
  const mayGive = (role: (typeof roles)[number]): boolean =>
    capabilitiesOf({ role, capabilities: [] }).every((each) => own.includes(each));
  return (
    <div className="grid gap-3">
      <Choice
        label={label}
        value={grant?.role ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
        hint={grant ? roleAbouts[grant.role] : 'Gives nothing here.'}
      >
        {none !== undefined && <option value="">{none}</option>}
        {roles.map((role) => (
          <option key={role} value={role} disabled={!mayGive(role)}>
            {roleTitles[role]}
            {mayGive(role) ? '' : ' (more than you have)'}
          </option>
        ))}
      </Choice>
      {grant && (
        <fieldset className="grid gap-2.5">
          <legend className="pb-1.5 text-[13px] font-semibold">Capabilities</legend>
          {capabilityNames.map((name) => (
            <Tick
              key={name}
              label={name}
              className="mt-0.5 size-4 shrink-0 accent-accent"
              hint={capabilityAbouts[name]}
              checked={given.includes(name)}
              disabled={!isCustom || !own.includes(name)}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                const rest = given.filter((each) => each !== name);
                onChange({ role: 'custom', capabilities: checked ? [...rest, name] : rest });
              }}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
