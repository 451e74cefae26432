/** The control plane cannot be opened. The message is one line for the operator of the server. */
export class ControlPlaneStartError extends Error {}
