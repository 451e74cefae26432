import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Time } from '../../ui/time.js';
import { Nothing, RemoveButton, Row, Rows } from '../users/rows.js';
import { useOperatorActions } from './actions.js';
import { capabilitiesOf, roleAbouts, roleTitles } from './capabilities.js';
import { membershipsAt, type Person, type Place } from './people.js';
import { PlaceFields } from './place-fields.js';
import type { Membership } from './queries.js';
import { Refusal } from './refusal.js';
import { canGiveBack, type OperatorsWorld } from './world.js';

interface AccessPartProps {
  readonly world: OperatorsWorld;
  readonly person: Person;
  readonly onRole: (place: Place) => void;
}

const placeOf = ({ organizationId, projectRef }: Membership): Place => ({
  organizationId,
  ref: projectRef,
});

/** The roles of an operator, each to change or remove, and a new one. */
export function AccessPart({ world, person, onRole }: AccessPartProps): ReactNode {
  const actions = useOperatorActions();
  const removing = useMutation({
    mutationFn: (membership: Membership) => {
      const place = placeOf(membership);
      const placeName = world.placeName(place);
      return actions.setRole({
        person,
        place,
        placeName,
        membership,
        grant: undefined,
        canGiveBack: canGiveBack(world, person, place),
      });
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Refusal of={removing.error} />
      {person.memberships.length === 0 && (
        <Nothing>
          {person.isDeploymentAdmin
            ? 'No roles in organizations or on projects.'
            : 'No roles yet: the operator can sign in and sees no project.'}
        </Nothing>
      )}
      {person.memberships.length > 0 && (
        <Rows label="Roles">
          {person.memberships.map((membership) => {
            const place = placeOf(membership);
            const name = `${roleTitles[membership.role]} on ${world.placeName(place)}`;
            return (
              <Row
                key={membership.id}
                title={name}
                about={
                  <>
                    {membership.projectRef !== null && (
                      <>in {world.organizationName(membership.organizationId)} · </>
                    )}
                    since <Time at={membership.createdAt} /> ·{' '}
                    {membership.role === 'custom'
                      ? capabilitiesOf(membership).join(', ')
                      : roleAbouts[membership.role]}
                  </>
                }
                action={
                  <span className="flex gap-1.5">
                    <Button
                      size="small"
                      aria-label={`Change ${name}`}
                      onClick={() => onRole(place)}
                    >
                      Change
                    </Button>
                    <RemoveButton
                      name="Remove"
                      what={name}
                      busy={removing.isPending && removing.variables.id === membership.id}
                      onRemove={() => removing.mutate(membership)}
                    />
                  </span>
                }
              />
            );
          })}
        </Rows>
      )}
      <NewRole world={world} person={person} onRole={onRole} />
    </div>
  );
}

function NewRole({ world, person, onRole }: AccessPartProps): ReactNode {
  const [first] = world.organizations;
  const [place, setPlace] = useState<Place>({ organizationId: first?.id ?? '', ref: null });
  if (!first) return null;
  const hasOne = membershipsAt(person, place).own !== undefined;
  return (
    <section
      aria-label="Give a role"
      className="grid gap-3 rounded-lg border border-dashed border-line p-4"
    >
      <h3 className="text-[14px] font-semibold">Give a role</h3>
      <PlaceFields world={world} place={place} onChange={setPlace} />
      <div>
        <Button onClick={() => onRole(place)}>
          {hasOne ? 'Change the role there' : 'Choose a role'}
        </Button>
      </div>
    </section>
  );
}
