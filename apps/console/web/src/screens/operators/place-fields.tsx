import type { ReactNode } from 'react';

import { Choice } from '../../ui/field.js';
import type { Place } from './people.js';
import type { OperatorsWorld } from './world.js';

interface PlaceFieldsProps {
  readonly world: OperatorsWorld;
  readonly place: Place;
  readonly onChange: (place: Place) => void;
}

/** Where a role holds: in an organization, or on one of its projects. */
export function PlaceFields({ world, place, onChange }: PlaceFieldsProps): ReactNode {
  const projects = world.projects.filter(
    ({ organizationId }) => organizationId === place.organizationId,
  );
  return (
    <>
      {world.organizations.length > 1 && (
        <Choice
          label="Organization"
          value={place.organizationId}
          onChange={(event) => onChange({ organizationId: event.currentTarget.value, ref: null })}
        >
          {world.organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <Choice
        label="Where"
        value={place.ref ?? ''}
        onChange={(event) => onChange({ ...place, ref: event.currentTarget.value || null })}
      >
        <option value="">
          The whole organization {world.organizationName(place.organizationId)}
        </option>
        {projects.map(({ ref, name }) => (
          <option key={ref} value={ref}>
            {name} ({ref})
          </option>
        ))}
      </Choice>
    </>
  );
}
