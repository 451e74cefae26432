/** The name of the control-plane database on the server of the deployment. */
export const controlPlaneDatabase = 'rowhouse';
