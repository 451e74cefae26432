import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

import { isStudio, studioRef } from '../api/place.js';
import { useProjectActions } from '../screens/projects/actions.js';
import {
  type Organization,
  organizationsQuery,
  type Project,
  projectQuery,
  projectsQuery,
} from '../screens/projects/queries.js';
import { useOperator } from '../session/operator.js';
import { closeOnEscape } from '../ui/dialog.js';
import {
  changeableProjects,
  type CommandGroup,
  commandsFor,
  maxCommands,
  type OpenProject,
  studioCommandsFor,
} from './commands.js';

interface PaletteProps {
  readonly onClose: () => void;
}

/** Goes to a project or a screen, or acts on a project, by typing. */
export default function Palette({ onClose }: PaletteProps): ReactNode {
  return isStudio() ? <OfStudio onClose={onClose} /> : <OfConsole onClose={onClose} />;
}

function OfConsole({ onClose }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('');
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const navigate = useNavigate();
  const actions = useProjectActions();
  const isDeploymentAdmin = useOperator().data?.operator.isDeploymentAdmin === true;
  const manageable = useManageable(typed, projects, organizations);
  const groups = commandsFor(typed, {
    open: useOpenProject(),
    projects,
    organizations,
    manageable,
    isDeploymentAdmin,
    navigate,
    actions,
  });
  return (
    <CommandDialog
      name="Find a project, a screen or an action"
      hint="Type the name of a project or a screen, or what to do…"
      {...{ typed, groups, onClose }}
      onType={setTyped}
    />
  );
}

function OfStudio({ onClose }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const groups = studioCommandsFor(typed, useOpenProject(), navigate);
  return (
    <CommandDialog
      name="Find a screen or an action"
      hint="Type the name of a screen, or what to do…"
      {...{ typed, groups, onClose }}
      onType={setTyped}
    />
  );
}

/** The project of the address, once it is read; in the studio always the only one. */
function useOpenProject(): OpenProject | undefined {
  const params = useParams({ strict: false });
  const ref = isStudio() ? studioRef : params.ref;
  const { data } = useQuery({ ...projectQuery(ref ?? ''), enabled: ref !== undefined });
  return ref !== undefined && data ? { ref, capabilities: data.capabilities } : undefined;
}

interface CommandDialogProps extends PaletteProps {
  readonly name: string;
  readonly hint: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly groups: readonly CommandGroup[];
}

function CommandDialog(props: CommandDialogProps): ReactNode {
  const { name, hint, typed, onType, groups, onClose } = props;
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-20 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={closeOnEscape(onClose)}
          className="appear fixed top-[12vh] left-1/2 z-30 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-surface shadow-float focus:outline-none"
        >
          <Radix.Title className="sr-only">{name}</Radix.Title>
          <Command label={name} shouldFilter={false} loop>
            <Command.Input
              autoFocus
              value={typed}
              onValueChange={onType}
              placeholder={hint}
              className="h-12 w-full border-b border-line bg-transparent px-4 focus:outline-none"
            />
            <Command.List className="max-h-[55vh] overflow-y-auto p-1.5" aria-label="Results">
              {groups.length === 0 && (
                <p className="px-3 py-8 text-center text-soft">Nothing has this name.</p>
              )}
              {groups.map(({ title, commands }) => (
                <Command.Group
                  key={title}
                  heading={title}
                  className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-[13px] [&_[cmdk-group-heading]]:text-soft"
                >
                  {commands.map(({ id, name, about, run }) => (
                    <Command.Item
                      key={id}
                      value={id}
                      onSelect={() => {
                        onClose();
                        run();
                      }}
                      className="flex h-9 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-accent-soft"
                    >
                      <span className="min-w-0 truncate">{name}</span>
                      <span className="ml-auto truncate font-mono text-[12px] text-soft">
                        {about}
                      </span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * The refs of the projects that fit what is typed and that the operator may manage. A membership in the organization
 * holds for its projects; one in a project alone is read from the project.
 */
function useManageable(
  typed: string,
  projects: readonly Project[],
  organizations: readonly Organization[],
): ReadonlySet<string> {
  const managed = new Set(
    organizations
      .filter(({ capabilities }) => capabilities.includes('projects.manage'))
      .map(({ id }) => id),
  );
  const found = changeableProjects(typed, projects);
  const others = found.filter(({ organizationId }) => !managed.has(organizationId));
  const read = useQueries({
    queries: others.slice(0, maxCommands).map(({ ref }) => projectQuery(ref)),
  });
  return new Set([
    ...found.filter(({ organizationId }) => managed.has(organizationId)).map(({ ref }) => ref),
    ...read.flatMap(({ data }) => (data?.capabilities.includes('projects.manage') ? data.ref : [])),
  ]);
}
