/** What the address of the deployment says; each value as it is written. search.ts reads it. */
export type DeploymentSearch = Readonly<Partial<Record<'tab' | 'state' | 'q' | 'only', unknown>>>;
