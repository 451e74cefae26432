// What the palette offers for what is typed.
import type { useNavigate } from '@tanstack/react-router';

import type { ProjectActions } from '../screens/projects/actions.js';
import type { Organization, Project } from '../screens/projects/queries.js';
import { offeredSections } from '../screens/project/sections.js';
import { signOut } from '../session/sign-out.js';
import { setTheme } from '../ui/theme.js';

export interface PaletteCommand {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly PaletteCommand[];
}

interface OfferedGroup extends CommandGroup {
  /** How many of its commands are shown. */
  readonly most: number;
}

/** The project whose screens are offered. */
export interface OpenProject {
  /** The parameter `ref` of its addresses. */
  readonly ref: string;
  readonly capabilities: readonly string[];
}

interface World {
  /** Undefined on a page of no project. */
  readonly open: OpenProject | undefined;
  readonly projects: readonly Project[];
  readonly organizations: readonly Organization[];
  /** The refs of the projects that the operator is known to have `projects.manage` on. */
  readonly manageable: ReadonlySet<string>;
  readonly isDeploymentAdmin: boolean;
  readonly navigate: ReturnType<typeof useNavigate>;
  readonly actions: ProjectActions;
}

/** The most commands of a group about projects. */
export const maxCommands = 8;

/** The groups with a command whose name has all words that were typed, in any order. */
export function commandsFor(typed: string, world: World): readonly CommandGroup[] {
  return matching(typed, [
    screensOf(world.open, world.navigate),
    { title: 'Projects', commands: openings(world), most: maxCommands },
    {
      title: 'On a project',
      commands: typed.trim() === '' ? [] : changesOf(world),
      most: maxCommands,
    },
    { title: 'Console', commands: general(world), most: Infinity },
  ]);
}

/** The same in the studio: the screens of its project, and what is of no screen. */
export function studioCommandsFor(
  typed: string,
  open: OpenProject | undefined,
  navigate: World['navigate'],
): readonly CommandGroup[] {
  return matching(typed, [
    screensOf(open, navigate),
    { title: 'Studio', commands: [reference('/api/docs'), ...ofThisTab], most: Infinity },
  ]);
}

/** The screens of the open project that the operator or administrator may use. */
function screensOf(open: OpenProject | undefined, navigate: World['navigate']): OfferedGroup {
  const commands = open
    ? offeredSections(open.capabilities).map(({ name, to }) => ({
        id: `screen ${name}`,
        name,
        about: '',
        run: () => void navigate({ to, params: { ref: open.ref } }),
      }))
    : [];
  return { title: 'Screens', commands, most: Infinity };
}

function matching(typed: string, groups: readonly OfferedGroup[]): readonly CommandGroup[] {
  const fits = fitting(typed);
  return groups
    .map(({ title, commands, most }) => ({
      title,
      commands: commands.filter(({ name, about }) => fits(`${name} ${about}`)).slice(0, most),
    }))
    .filter(({ commands }) => commands.length > 0);
}

/** Whether a text has all words that were typed, in any order. */
function fitting(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const name = text.toLowerCase();
    return words.every((word) => name.includes(word));
  };
}

function openings({ projects, navigate }: World): readonly PaletteCommand[] {
  return projects.map(({ ref, name, status }) => ({
    id: `open ${ref}`,
    name,
    about: ref,
    run: () =>
      void (status === 'deleted'
        ? navigate({ to: '/projects', search: { status, open: ref } })
        : navigate({ to: '/projects/$ref', params: { ref } })),
  }));
}

const changes: Readonly<
  Record<string, { readonly verb: string; readonly act: keyof ProjectActions }>
> = {
  active: { verb: 'Pause', act: 'pause' },
  paused: { verb: 'Resume', act: 'resume' },
  deleted: { verb: 'Restore', act: 'restore' },
};

/** The projects with a change that fits what is typed. None without a word: every project would be offered twice. */
export function changeableProjects(
  typed: string,
  projects: readonly Project[],
): readonly Project[] {
  const fits = fitting(typed);
  if (typed.trim() === '') return [];
  return projects.filter(({ ref, name, status }) => {
    const change = changes[status];
    return change !== undefined && fits(`${change.verb} ${name} ${ref}`);
  });
}

function changesOf({ projects, manageable, actions }: World): readonly PaletteCommand[] {
  return projects.flatMap((project) => {
    const { ref, name, status } = project;
    const change = changes[status];
    if (change === undefined || !manageable.has(ref)) return [];
    const { verb, act } = change;
    const run = (): void => void actions[act](project);
    return [{ id: `${act} ${ref}`, name: `${verb} ${name}`, about: ref, run }];
  });
}

function general({ organizations, isDeploymentAdmin, navigate }: World): readonly PaletteCommand[] {
  const has = (capability: Organization['capabilities'][number]): boolean =>
    organizations.some(({ capabilities }) => capabilities.includes(capability));
  const create: PaletteCommand = {
    id: 'create',
    name: 'New project',
    about: '',
    run: () => void navigate({ to: '/projects', search: { dialog: 'create' } }),
  };
  const deployment: PaletteCommand = {
    id: 'deployment',
    name: 'Deployment',
    about: 'health, work, environment',
    run: () => void navigate({ to: '/deployment' }),
  };
  return [
    ...(has('projects.manage') ? [create] : []),
    {
      id: 'projects',
      name: 'All projects',
      about: '',
      run: () => void navigate({ to: '/projects' }),
    },
    ...(has('members.manage')
      ? [
          {
            id: 'operators',
            name: 'Operators',
            about: '',
            run: () => void navigate({ to: '/operators' }),
          },
        ]
      : []),
    ...(has('audit.read')
      ? [
          {
            id: 'audit',
            name: 'Audit log',
            about: '',
            run: () => void navigate({ to: '/audit' }),
          },
        ]
      : []),
    {
      id: 'account',
      name: 'Account and security',
      about: '',
      run: () => void navigate({ to: '/account' }),
    },
    ...(isDeploymentAdmin ? [deployment] : []),
    reference('/docs'),
    ...ofThisTab,
  ];
}

const reference = (path: string): PaletteCommand => ({
  id: 'docs',
  name: 'API reference',
  about: path,
  run: () => window.location.assign(path),
});

const ofThisTab: readonly PaletteCommand[] = [
  { id: 'light', name: 'Light theme', about: '', run: () => setTheme('light') },
  { id: 'dark', name: 'Dark theme', about: '', run: () => setTheme('dark') },
  { id: 'system', name: 'Theme of the system', about: '', run: () => setTheme('system') },
  { id: 'sign-out', name: 'Sign out', about: '', run: () => void signOut() },
];
