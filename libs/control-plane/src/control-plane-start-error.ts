/** The control plane cannot be opened. The message is one line for the person who starts the server. */
export class ControlPlaneStartError extends Error {}
