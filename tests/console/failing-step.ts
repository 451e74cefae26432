import type { ProjectsContext } from '#libs/control-plane';

/** A context in which the step `name` fails before or after its work. */
export function failingAt(
  context: ProjectsContext,
  name: string,
  when: 'before' | 'after',
): ProjectsContext {
  return {
    ...context,
    runSteps: (steps) =>
      context.runSteps(
        steps.map((step) => {
          if (step.name !== name) return step;
          return {
            ...step,
            run: async () => {
              if (when === 'after') await step.run();
              throw new Error(`injected ${when} ${name}`);
            },
          };
        }),
      ),
  };
}
