import { createContext, useContext } from 'react';

import type { ProjectDetails } from './project-details.js';

const ProjectContext = createContext<ProjectDetails | undefined>(undefined);

export const ProjectProvider = ProjectContext.Provider;

/** The project whose screen is open, and what the operator may do with it. */
export function useProject(): ProjectDetails {
  const project = useContext(ProjectContext);
  if (!project) throw new Error('no screen of a project is open');
  return project;
}

/** Whether the operator has a capability on the project whose screen is open. */
export function useMay(capability: string): boolean {
  return useProject().capabilities.includes(capability);
}
