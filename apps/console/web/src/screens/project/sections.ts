// The screens of a project, in the order of the navigation. A screen is offered to operators with its capability.
import {
  ArrowLeftRight,
  Blocks,
  Building2,
  Code,
  FolderOpen,
  Globe,
  House,
  KeyRound,
  type LucideIcon,
  Radio,
  ScrollText,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Table2,
  Users,
  Workflow,
} from 'lucide-react';

import { isStudio } from '../../api/place.js';

interface Section {
  readonly name: string;
  /** The address, with the parameter `ref`. */
  readonly to:
    | '/projects/$ref'
    | '/projects/$ref/tables'
    | '/projects/$ref/structure'
    | '/projects/$ref/diagram'
    | '/projects/$ref/sql'
    | '/projects/$ref/policies'
    | '/projects/$ref/users'
    | '/projects/$ref/organizations'
    | '/projects/$ref/files'
    | '/projects/$ref/realtime'
    | '/projects/$ref/api'
    | '/projects/$ref/keys'
    | '/projects/$ref/domains'
    | '/projects/$ref/requests'
    | '/projects/$ref/audit'
    | '/projects/$ref/settings';
  readonly icon: LucideIcon;
  /** What the operator needs to use the screen; absent: nothing beyond the project itself. */
  readonly capability?: string;
  /** Its routes are the platform's, which the host of a project does not serve: the studio is without it. */
  readonly isOfPlatform?: true;
}

const sections: readonly Section[] = [
  { name: 'Home', to: '/projects/$ref', icon: House },
  { name: 'Tables', to: '/projects/$ref/tables', icon: Table2, capability: 'content.read' },
  { name: 'Structure', to: '/projects/$ref/structure', icon: Blocks, capability: 'content.read' },
  { name: 'Diagram', to: '/projects/$ref/diagram', icon: Workflow, capability: 'content.read' },
  { name: 'SQL', to: '/projects/$ref/sql', icon: SquareTerminal, capability: 'content.write' },
  {
    name: 'Policies',
    to: '/projects/$ref/policies',
    icon: ShieldCheck,
    capability: 'content.read',
  },
  { name: 'Users', to: '/projects/$ref/users', icon: Users, capability: 'secrets.manage' },
  {
    name: 'Organizations',
    to: '/projects/$ref/organizations',
    icon: Building2,
    capability: 'secrets.manage',
  },
  { name: 'Files', to: '/projects/$ref/files', icon: FolderOpen, capability: 'content.read' },
  {
    name: 'Realtime',
    to: '/projects/$ref/realtime',
    icon: Radio,
    capability: 'settings.manage',
  },
  { name: 'API', to: '/projects/$ref/api', icon: Code, capability: 'content.read' },
  {
    name: 'Keys',
    to: '/projects/$ref/keys',
    icon: KeyRound,
    capability: 'secrets.manage',
    isOfPlatform: true,
  },
  {
    name: 'Domains',
    to: '/projects/$ref/domains',
    icon: Globe,
    capability: 'content.read',
    isOfPlatform: true,
  },
  {
    name: 'Requests',
    to: '/projects/$ref/requests',
    icon: ArrowLeftRight,
    capability: 'audit.read',
  },
  { name: 'Audit', to: '/projects/$ref/audit', icon: ScrollText, capability: 'audit.read' },
  {
    name: 'Settings',
    to: '/projects/$ref/settings',
    icon: Settings,
    capability: 'settings.manage',
  },
];

/** The screens of a project that an operator or administrator with these capabilities may use here. */
export function offeredSections(capabilities: readonly string[]): readonly Section[] {
  return sections.filter(
    ({ capability, isOfPlatform }) =>
      (capability === undefined || capabilities.includes(capability)) &&
      !(isOfPlatform && isStudio()),
  );
}
