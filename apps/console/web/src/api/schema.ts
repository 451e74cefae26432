// Written from the description of the console's API (npm run describe): do not change it by hand.

export interface paths {
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process answers */
        get: operations["health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process can serve requests */
        get: operations["health.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in as an operator */
        post: operations["login.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password; needed before anything else after a reset */
        post: operations["login.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End your session */
        post: operations["login.signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin the enrolment of a second factor */
        post: operations["twoFactor.enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a code of your authenticator */
        post: operations["twoFactor.verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/verify-backup-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a backup code */
        post: operations["twoFactor.verifyBackupCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove your second factor */
        post: operations["twoFactor.disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/generate-backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace your backup codes */
        post: operations["twoFactor.replaceBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/trusted-devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the devices that skip the second step */
        get: operations["twoFactor.trustedDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two-factor/trusted-devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop trusting a device */
        delete: operations["twoFactor.forgetTrustedDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your session */
        get: operations["sessions.current"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["sessions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["sessions.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the open invitations */
        get: operations["invitations.list"];
        put?: never;
        /** Invite an operator */
        post: operations["invitations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["invitations.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/invitations/{id}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a failed or waiting mail of an invitation now */
        post: operations["invitations.retryMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation */
        post: operations["invitations.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the operators */
        get: operations["operators.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an operator */
        delete: operations["operators.delete"];
        options?: never;
        head?: never;
        /** Change an operator */
        patch: operations["operators.update"];
        trace?: never;
    };
    "/platform/operators/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an operator a new password and remove the second factor */
        post: operations["operators.reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of an operator */
        get: operations["operators.sessions"];
        put?: never;
        post?: never;
        /** End all sessions of an operator */
        delete: operations["operators.endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operators/{id}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session of an operator */
        delete: operations["operators.endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your organizations */
        get: operations["organizations.list"];
        put?: never;
        /** Create an organization */
        post: operations["organizations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an organization */
        get: operations["organizations.get"];
        put?: never;
        post?: never;
        /** Delete an organization */
        delete: operations["organizations.delete"];
        options?: never;
        head?: never;
        /** Rename an organization */
        patch: operations["organizations.rename"];
        trace?: never;
    };
    "/platform/organizations/{organizationId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of an organization */
        get: operations["members.list"];
        put?: never;
        /** Add a member to an organization */
        post: operations["members.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organizationId}/members/{membershipId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member from an organization */
        delete: operations["members.remove"];
        options?: never;
        head?: never;
        /** Change the role of a member */
        patch: operations["members.change"];
        trace?: never;
    };
    "/platform/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the memberships in the organizations whose members you manage */
        get: operations["memberships.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organizationId}/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an operator a role without an invitation */
        post: operations["memberships.give"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your projects */
        get: operations["projects.list"];
        put?: never;
        /** Create a project; its keys are shown once */
        post: operations["projects.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a project */
        get: operations["projects.get"];
        put?: never;
        post?: never;
        /** Delete a project, at once or after a period in which it can be restored */
        delete: operations["projects.delete"];
        options?: never;
        head?: never;
        /** Rename a project */
        patch: operations["projects.rename"];
        trace?: never;
    };
    "/platform/projects/{ref}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a deleted project */
        post: operations["projects.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a project */
        post: operations["projects.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a paused project */
        post: operations["projects.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the state and the size of a project */
        get: operations["projects.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys of a project by their first characters */
        get: operations["projectKeys.list"];
        put?: never;
        /** Add a key to a project; it is shown once */
        post: operations["projectKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key of a project; the new one is shown once */
        post: operations["projectKeys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a key of a project at once */
        delete: operations["projectKeys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the domains of a project */
        get: operations["projectDomains.list"];
        put?: never;
        /** Add a domain to a project */
        post: operations["projectDomains.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the TXT record of a domain now */
        post: operations["projectDomains.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/domains/{domain}/dns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look up what DNS says of a host name of a project */
        get: operations["projectDomains.dns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/domains/{domain}/vouch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Serve a domain without a TXT record */
        post: operations["projectDomains.vouch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a domain from a project */
        delete: operations["projectDomains.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/database": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the connection string of the owner of a project */
        get: operations["projectDatabase.access"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/database/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the owner of a project a new database password and end its connections */
        post: operations["projectDatabase.rotatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the limits of a project */
        get: operations["projectLimits.read"];
        /** Set the limits of a project */
        put: operations["projectLimits.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the work on your projects that is not finished */
        get: operations["operations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/operations/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try an operation again now */
        post: operations["operations.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the requests of your projects in the last minutes */
        get: operations["usage.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what a project was used for over time */
        get: operations["usage.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the audit log of the deployment */
        get: operations["audit.all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organizationId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the audit log of an organization */
        get: operations["audit.ofOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the audit log of a project */
        get: operations["audit.ofProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the state of the deployment */
        get: operations["deployment.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployment/environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the environment variables of the process; secrets are left out */
        get: operations["deployment.environment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/client.tgz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The client as a package that npm installs */
        get: operations["client.archive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/client.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The client as one ES module for pages */
        get: operations["client.script"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/client-channels.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What /client.js loads for channels */
        get: operations["client.channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/projects/{ref}/api/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forward a GET request to the API of a project
         * @description What follows `/api/` is the path of the project below `/api/`. The operator needs the capability that the route declares; the request is written to the audit log before it is sent.
         */
        get: operations["proxy.get"];
        /**
         * Forward a PUT request to the API of a project
         * @description What follows `/api/` is the path of the project below `/api/`. The operator needs the capability that the route declares; the request is written to the audit log before it is sent.
         */
        put: operations["proxy.put"];
        /**
         * Forward a POST request to the API of a project
         * @description What follows `/api/` is the path of the project below `/api/`. The operator needs the capability that the route declares; the request is written to the audit log before it is sent.
         */
        post: operations["proxy.post"];
        /**
         * Forward a DELETE request to the API of a project
         * @description What follows `/api/` is the path of the project below `/api/`. The operator needs the capability that the route declares; the request is written to the audit log before it is sent.
         */
        delete: operations["proxy.delete"];
        options?: never;
        head?: never;
        /**
         * Forward a PATCH request to the API of a project
         * @description What follows `/api/` is the path of the project below `/api/`. The operator needs the capability that the route declares; the request is written to the audit log before it is sent.
         */
        patch: operations["proxy.patch"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        LoginBody: {
            /** Format: email */
            email: string;
            /** Format: password */
            password: string;
            /** @description From an earlier second factor on this device */
            trustToken?: string;
        };
        LoginReply: {
            token: string;
            twoFactor: boolean;
            mustChangePassword: boolean;
            trustToken?: string;
        };
        PasswordChangeBody: {
            /** Format: password */
            currentPassword: string;
            /** Format: password */
            newPassword: string;
        };
        PasswordBody: {
            /** Format: password */
            password: string;
        };
        EnrolmentReply: {
            totpURI: string;
            secret: string;
            backupCodes: string[];
        };
        CodeBody: {
            code: string;
            /** @description Later logins from this device need no second factor */
            trustDevice?: boolean;
        };
        VerifiedReply: {
            token: string;
            mustChangePassword: boolean;
            trustToken?: string;
        };
        TokenReply: {
            token: string;
        };
        BackupCodesReply: {
            backupCodes: string[];
        };
        TrustedDeviceView: {
            id: string;
            userAgent: string | null;
            ip: string | null;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionOperator: {
            id: string;
            email: string;
            name: string;
            isDeploymentAdmin: boolean;
            twoFactorEnabled: boolean;
            mustChangePassword: boolean;
        };
        OpenSession: {
            id: string;
            /** Format: date-time */
            expiresAt: string;
        };
        CurrentSessionReply: {
            operator: components["schemas"]["SessionOperator"];
            session: components["schemas"]["OpenSession"];
        };
        SessionReply: {
            id: string;
            ip: string | null;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
            isCurrent: boolean;
        };
        InvitationBody: {
            /** Format: email */
            email: string;
            organizationId: string;
            /** @enum {string} */
            role: "owner" | "developer" | "support" | "viewer" | "custom";
            /** @description Role `custom` only */
            capabilities?: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            /** @description Absent: the whole organization */
            projectRef?: string;
        };
        InvitationMailReply: {
            /** @enum {unknown} */
            status: "failed" | "queued" | "sending" | "sent";
            attempts: number;
            lastError: string | null;
            /** Format: date-time */
            nextTryAt: string | null;
        };
        NewInvitationReply: {
            inviteUrl?: string;
            id: string;
            email: string;
            /** @enum {unknown} */
            role: "developer" | "support" | "viewer" | "owner" | "custom";
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            projectRef: string | null;
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            mail: null | components["schemas"]["InvitationMailReply"];
        };
        InvitationReply: {
            id: string;
            email: string;
            /** @enum {unknown} */
            role: "developer" | "support" | "viewer" | "owner" | "custom";
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            projectRef: string | null;
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            mail: null | components["schemas"]["InvitationMailReply"];
        };
        InvitationsReply: {
            invitations: components["schemas"]["InvitationReply"][];
            next: string | null;
        };
        AcceptBody: {
            /** @description What follows `#token=` in the link */
            token: string;
            name?: string;
            /**
             * Format: password
             * @description Needed unless signed in
             */
            password?: string;
        };
        AcceptedReply: {
            operatorId: string;
            email: string;
            organizationId: string;
        };
        OperatorReply: {
            id: string;
            email: string;
            name: string;
            /** @enum {unknown} */
            status: "active" | "disabled";
            isDeploymentAdmin: boolean;
            mustChangePassword: boolean;
            twoFactorEnabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSignInAt: string | null;
        };
        OperatorsReply: {
            operators: components["schemas"]["OperatorReply"][];
            total: number;
            next: string | null;
        };
        OperatorChangesBody: {
            isDeploymentAdmin?: boolean;
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        ResetBody: {
            /** @description For an operator who has lost authenticator and backup codes */
            removeSecondFactor?: boolean;
        };
        ResetReply: {
            email: string;
            generatedPassword: string;
        };
        CreateOrganizationBody: {
            name: string;
            /** @description Default: made of the name. */
            slug?: string;
        };
        RenameOrganizationBody: {
            name: string;
        };
        AddMemberBody: {
            /** @enum {string} */
            role: "owner" | "developer" | "support" | "viewer" | "custom";
            /** @description Of the role custom, which needs at least one. */
            capabilities?: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            /**
             * Format: email
             * @description Whom to invite, operator or not.
             */
            email: string;
            /** @description Default: the whole organization. */
            projectRef?: string;
        };
        GrantBody: {
            /** @enum {string} */
            role: "owner" | "developer" | "support" | "viewer" | "custom";
            /** @description Of the role custom, which needs at least one. */
            capabilities?: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
        };
        GiveMembershipBody: {
            /** @enum {string} */
            role: "owner" | "developer" | "support" | "viewer" | "custom";
            /** @description Of the role custom, which needs at least one. */
            capabilities?: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            /** @description The id of the operator. */
            operatorId: string;
            /** @description Default: the whole organization. */
            projectRef?: string;
        };
        CreateProjectBody: {
            /** @example Shop */
            name: string;
            /**
             * @description Part of its host name: 3 to 31 lower case letters and digits. Default: random. Only an administrator of the deployment can give a ref that SMTP_PROJECTS or DEFAULT_PROJECT names.
             * @example shop
             */
            ref?: string;
            /**
             * @description Type of user ids.
             * @default text
             * @enum {string}
             */
            idType?: "text" | "uuid";
            /** @description Default: the only one where you may make projects. */
            organizationId?: string;
        };
        RenameProjectBody: {
            name: string;
        };
        ConfirmRef: {
            /** @description The ref of the project, typed again. */
            ref?: string;
        };
        RotateKeyBody: {
            /** @enum {string} */
            kind: "publishable" | "secret";
            /**
             * @description How long the old keys of this kind stay valid, in seconds. 0 ends them at once.
             * @default 86400
             */
            expiresInSeconds?: number;
        };
        CreateKeyBody: {
            /** @enum {string} */
            kind: "publishable" | "secret";
        };
        AddDomainBody: {
            /** @example api.example.org */
            domain: string;
        };
        ProjectLimitsBody: {
            /** @description Bytes that the files of the project may hold together. Null: what the deployment gives to each project (PROJECT_STORAGE_MB). Absent: stays. */
            storageBytes?: number | null;
            /** @description Bytes that the database of the project may take. Null: what the deployment gives to each project (PROJECT_DATABASE_MB). Absent: stays. */
            databaseBytes?: number | null;
            /** @description Whether mails of the project may go over the mail server of the deployment. Null: no decision; SMTP_PROJECTS decides, and if it is not set, projects that an administrator of the deployment created may. Absent: stays. */
            sharedMailServer?: boolean | null;
        };
        AddressCheck: {
            name: string;
            /** @description The host name of the project, which a CNAME record may name, and the addresses that it has. */
            expected: {
                alias: string | null;
                addresses: string[];
            };
            /** @description Private addresses, and an alias that leads to them, are not shown: `hiddenAddresses` counts them. */
            found: {
                alias: string | null;
                addresses: string[];
                hiddenAddresses: number;
            };
            /**
             * @description `right`: it leads where the host name of the project leads. `other`: it leads elsewhere, which is right only if a
             *     proxy there passes requests on. `unknown`: it cannot be compared, because the host name of the project has no
             *     address. `local`: it leads to the machine itself, and no name server is queried.
             * @enum {unknown}
             */
            state: "local" | "unknown" | "no-answer" | "right" | "other" | "missing";
        };
        AddressedProject: {
            ref: string;
            name: string;
            status: string;
            /** @enum {unknown} */
            idType: "text" | "uuid";
            organizationId: string;
            organizationName: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a deleted project is removed for good; null for all others.
             */
            deleteAt: string | null;
            url: string;
        };
        AuditEntry: {
            /** @description Grows with time; a bigint, which the driver returns as text. */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description Null when the platform itself acted. */
            operatorId: string | null;
            operatorEmail: string | null;
            action: string;
            organizationId: string | null;
            ref: string | null;
            target: string;
            before: unknown;
            after: unknown;
            ip: string | null;
            requestId: string | null;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            next: string | null;
        };
        CheckedDomain: {
            lookup?: components["schemas"]["FailedLookup"];
            /** @description In ASCII, as browsers send it. */
            domain: string;
            /** @description For people; the same as `domain` for a name without letters beyond ASCII. */
            unicode: string;
            /** @enum {unknown} */
            state: "pending" | "verified";
            /** @description The TXT record that verifies the claim. */
            record: {
                name: string;
                /** @constant */
                type: "TXT";
                value: string;
            };
            /** @enum {unknown} */
            proof: null | "operator" | "dns" | "migration";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            verifiedAt: string | null;
            /** Format: date-time */
            checkedAt: string | null;
        };
        DatabaseAccess: {
            host: string;
            port: number;
            database: string;
            user: string;
            /** @description A connection string with the password. */
            databaseUrl: string;
        };
        DeploymentView: {
            /** @description The version in package.json. */
            version: string;
            /** @description The process that answers. */
            process: {
                host: string;
                pid: number;
                /** @description Such as `v24.1.0`. */
                node: string;
                /** @description Such as `linux x64`. */
                platform: string;
                /** @description The parts that it runs: `api`, `console`, `worker`. */
                roles: string[];
                /** Format: date-time */
                startedAt: string;
                memoryBytes: number;
                /** @description Connections that it may have to databases of projects. */
                connectionBudget: number;
            };
            /** @description The machine of that process. */
            machine: {
                processors: number;
                memoryBytes: number;
                freeMemoryBytes: number;
                /** @description The average number of running processes in the last minute; 0 where the system has none. */
                load: number;
            };
            parts: components["schemas"]["PartHealth"][];
            database: {
                /** @description Such as `17.4`. */
                version: string;
                /** Format: date-time */
                startedAt: string;
                /** @description Connections of clients that are open now, and the most that the server accepts. */
                connections: {
                    open: number;
                    active: number;
                    limit: number;
                    /** @description Of the limit, those that are kept for superusers and the platform. */
                    reserved: number;
                };
                /** @enum {unknown} */
                kind: "embedded" | "external";
            };
            /** @description The disk of the data folder. */
            disk: {
                folder: string;
                totalBytes: number;
                freeBytes: number;
                /** @description Bytes that files leave free. */
                reserveBytes: number;
            };
            /**
             * @description What carries jobs and signals between processes.
             * @enum {unknown}
             */
            jobStore: "postgres" | "redis";
            /**
             * @description Where projects without a store of their own keep files.
             * @enum {unknown}
             */
            storage: "local" | "s3";
            /** @description Whether invitations of operators are mailed. */
            canMail: boolean;
            fleet: components["schemas"]["FleetState"];
        };
        DnsReport: {
            domain: string;
            /** @description Null for the host name of the project, which needs no claim. */
            claim: null | components["schemas"]["TxtCheck"];
            address: components["schemas"]["AddressCheck"];
            /** Format: date-time */
            checkedAt: string;
        };
        DomainView: {
            /** @description In ASCII, as browsers send it. */
            domain: string;
            /** @description For people; the same as `domain` for a name without letters beyond ASCII. */
            unicode: string;
            /** @enum {unknown} */
            state: "pending" | "verified";
            /** @description The TXT record that verifies the claim. */
            record: {
                name: string;
                /** @constant */
                type: "TXT";
                value: string;
            };
            /** @enum {unknown} */
            proof: null | "operator" | "dns" | "migration";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            verifiedAt: string | null;
            /** Format: date-time */
            checkedAt: string | null;
        };
        EnvironmentVariable: {
            name: string;
            /** @description The value if the variable is absent, in words. */
            default: string;
            meaning: string;
            /** @description Whether its value is a credential or contains one. */
            isSecret: boolean;
            isSet: boolean;
            /** @description Null if the variable is absent, and for every secret. */
            value: string | null;
        };
        FailedLookup: {
            /** @description The name that was looked up. */
            name: string;
            /** @constant */
            type: "TXT";
            expected: string;
            /** @description Records at that name that look like the token of a claim, at most 20. Others are not shown. */
            found: string[];
            /** @enum {unknown} */
            problem: "no-record" | "other-value" | "no-answer";
            /** @description For people. */
            reason: string;
        };
        FleetState: {
            /** @description Names the set of migrations of this release. */
            release: string;
            projects: {
                active: number;
                paused: number;
                /** @description Deleted, and still restorable. */
                deleted: number;
                /** @description Being created or removed. */
                changing: number;
                /** @description Bytes of their databases and of their files, when they were last measured. */
                databaseBytes: number;
                storageBytes: number;
            };
            upgrade: {
                /** @description Projects that lack something of this release. */
                pending: number;
                /** @description The first of them whose upgrade has failed. */
                failures: components["schemas"]["UpgradeFailure"][];
                /** @description The last run of `rowhouse upgrade` for this release; null without one. */
                run: null | components["schemas"]["UpgradeProgress"];
                /** @description Copies of databases from before an upgrade that are kept. */
                snapshots: number;
            };
            work: {
                /** @description Operations that are not finished. */
                open: number;
                /** @description Those whose deadline has passed. */
                failed: number;
                /** @description Those that a process works on now. */
                running: number;
                /** @description Those that are due, and that no worker has taken up. */
                overdue: number;
                /**
                 * Format: date-time
                 * @description Since when the first of these is due; null without one.
                 */
                overdueSince: string | null;
            };
        };
        KeyView: {
            id: string;
            /** @enum {unknown} */
            kind: "secret" | "publishable";
            hint: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null: the key does not expire.
             */
            expiresAt: string | null;
        };
        MemberView: {
            id: string;
            operatorId: string;
            email: string;
            name: string;
            /** @description Null: the whole organization. */
            projectRef: string | null;
            /** @enum {unknown} */
            role: "developer" | "support" | "viewer" | "owner" | "custom";
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            /** Format: date-time */
            createdAt: string;
        };
        MembersPage: {
            members: components["schemas"]["MemberView"][];
            next: string | null;
        };
        MembershipView: {
            organizationId: string;
            /** @enum {unknown} */
            status: "active" | "disabled";
            /** @description Administrators of the deployment may do everything, whatever their memberships are. */
            isDeploymentAdmin: boolean;
            /** @description Null unless the viewer may remove it: administrators of the deployment may for everyone, others for themselves. */
            twoFactorEnabled: boolean | null;
            id: string;
            operatorId: string;
            email: string;
            name: string;
            /** @description Null: the whole organization. */
            projectRef: string | null;
            /** @enum {unknown} */
            role: "developer" | "support" | "viewer" | "owner" | "custom";
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            /** Format: date-time */
            createdAt: string;
        };
        MembershipsPage: {
            memberships: components["schemas"]["MembershipView"][];
            next: string | null;
        };
        NewKey: {
            id: string;
            /** @enum {unknown} */
            kind: "secret" | "publishable";
            key: string;
            hint: string;
        };
        NewProjectView: {
            /** Format: date-time */
            createdAt: string;
            ref: string;
            name: string;
            publishableKey?: string;
            secretKey?: string;
            /** @description The connection string of the owner of the project's tables. */
            databaseUrl?: string;
            url: string;
        };
        OperationView: {
            id: string;
            /** @enum {unknown} */
            kind: "delete" | "create" | "migrate" | "upgrade" | "sweep" | "repair-logins";
            ref: string;
            organizationId: string;
            /** @enum {unknown} */
            state: "failed" | "running" | "done" | "waiting" | "undone";
            /** @description The last step that its last attempt has begun. */
            step: string | null;
            attempts: number;
            lastError: string | null;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            deadline: string;
            /**
             * Format: date-time
             * @description Null while an attempt runs, if the operation is finished, and if `rowhouse upgrade` has to retry it.
             */
            nextTryAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        OperationsPage: {
            operations: components["schemas"]["OperationView"][];
            next: string | null;
        };
        OrganizationView: {
            id: string;
            name: string;
            slug: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Those that the viewer may see. */
            projects: number;
            /** @description Those of the whole organization and of the projects that the viewer may see. */
            members: number;
            /** @description What the viewer may do in the organization, and so in each of its projects. */
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
        };
        OrganizationsPage: {
            organizations: components["schemas"]["OrganizationView"][];
            next: string | null;
        };
        PartHealth: {
            /** @enum {unknown} */
            name: "console" | "api" | "worker" | "database";
            /**
             * @description `unknown`: nothing shows whether it works.
             * @enum {unknown}
             */
            state: "good" | "problem" | "unknown";
            /** @description For people. */
            detail: string;
        };
        ProjectCondition: {
            ref: string;
            status: string;
            version: number;
            databaseBytes: number;
            /**
             * Format: date-time
             * @description Since when the database is above its limit and takes no writes; null: it is not.
             */
            databaseFullSince: string | null;
            connections: {
                open: number;
                active: number;
            };
            /** @description Null until the project is upgraded to this release. */
            users: number | null;
            migrations: {
                isCurrent: boolean;
                applied: number | null;
            };
        };
        ProjectDetails: {
            ref: string;
            name: string;
            status: string;
            /** @enum {unknown} */
            idType: "text" | "uuid";
            organizationId: string;
            organizationName: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a deleted project is removed for good; null for all others.
             */
            deleteAt: string | null;
            url: string;
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
            /** @description For how many days a deletion can be taken back; 0: a deletion is final. */
            deletedProjectDays: number;
            /** @description The address of its studio; null where the deployment serves none. */
            studioUrl: string | null;
        };
        ProjectLimits: {
            /** @description The most bytes that its files may have together; null: the default of the deployment. */
            storageBytes: number | null;
            /** @description The most bytes that its database may take; null: the default of the deployment. */
            databaseBytes: number | null;
            /**
             * @description Whether its mails may go over the mail server of the deployment; null: no decision. `SMTP_PROJECTS` decides; if it is
             *     not set, projects that an administrator of the deployment created may.
             */
            sharedMailServer: boolean | null;
        };
        ProjectUsage: {
            ref: string;
            /** @enum {unknown} */
            step: "minute" | "hour" | "day";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            total: components["schemas"]["UsageFigures"];
            /** @description Steps in which something was counted, oldest first. */
            points: components["schemas"]["UsagePoint"][];
            /** @description What database and files took when they were last measured; null before the first time. */
            size: {
                databaseBytes: number;
                storageBytes: number;
                /** Format: date-time */
                measuredAt: string;
            } | null;
        };
        ProjectUsageRow: {
            ref: string;
            /** @description Requests of each minute, oldest first; empty if there were none. */
            requests: number[];
            /** @description Failed requests of each minute, in the same order. */
            serverErrors: number[];
            /**
             * Format: date-time
             * @description The last minute in which a request was counted; null if none is known.
             */
            lastRequestAt: string | null;
            /** @description What the database took when it was last measured, in bytes; null before the first time. */
            databaseBytes: number | null;
            /** @description The same of the files. */
            storageBytes: number | null;
        };
        TxtCheck: {
            name: string;
            expected: string;
            /** @description Records that look like the token of a claim. Others are not shown: the name may lead into a private zone. */
            found: string[];
            /**
             * @description `right`: the record is there. `other`: only other records are.
             * @enum {unknown}
             */
            state: "no-answer" | "right" | "other" | "missing";
        };
        UpgradeFailure: {
            ref: string;
            reason: string;
        };
        UpgradeProgress: {
            /** @enum {unknown} */
            state: "done" | "stopped" | "open";
            wave: number;
            waves: number;
            /** @description Projects of the wave, how many of them were tried, and how many failed. */
            size: number;
            attempted: number;
            failed: number;
        };
        UsageFigures: {
            /** @description 95 of 100 requests ended within this time, in milliseconds; null without requests. */
            p95Ms: number | null;
            requests: number;
            /** @description Requests that were answered with 4xx, or whose client disconnected. */
            clientErrors: number;
            /** @description Requests that were answered with 5xx. */
            serverErrors: number;
            bytesReceived: number;
            bytesSent: number;
            /** @description Sessions that began. */
            signIns: number;
            /** @description The most database connections that a process had open for the project at the end of a minute. */
            connections: number;
        };
        UsagePage: {
            /**
             * Format: date-time
             * @description Start of the first minute.
             */
            from: string;
            projects: components["schemas"]["ProjectUsageRow"][];
            next: string | null;
        };
        UsagePoint: {
            /**
             * Format: date-time
             * @description Start of the step.
             */
            at: string;
            /** @description 95 of 100 requests ended within this time, in milliseconds; null without requests. */
            p95Ms: number | null;
            requests: number;
            /** @description Requests that were answered with 4xx, or whose client disconnected. */
            clientErrors: number;
            /** @description Requests that were answered with 5xx. */
            serverErrors: number;
            bytesReceived: number;
            bytesSent: number;
            /** @description Sessions that began. */
            signIns: number;
            /** @description The most database connections that a process had open for the project at the end of a minute. */
            connections: number;
        };
        /** @description The body of every answer that is an error. */
        Error: {
            /** @description What is wrong, for people. */
            message: string;
            /**
             * @description What is wrong, for programs: one of the codes of this service, or a SQLSTATE of PostgreSQL.
             * @example INVALID_INPUT
             * @example 42501
             */
            code: string;
            /** @description The status of the answer. */
            status: number;
            /** @description Facts that a program may read. */
            details?: unknown;
            /** @description How to get it right. */
            hint?: string;
            /** @description Also in the header `x-request-id`. */
            requestId: string;
        };
    };
    responses: {
        /** @description The request is not valid. Codes: `PGRST100`, `PGRST102`, `PGRST108`, `PGRST118`, `PGRST120`, `PGRST122`, `PGRST124`, `PGRST200`, `PGRST204`, `CONFLICT_TARGET_REFUSED`, `CAST_REFUSED`, `BATCH_REFERENCE_MISSING`, `UNFILTERED_WRITE`, `CAPTCHA_MISSING`, `INVALID_INPUT`, `UNKNOWN_FIELD`, `INVALID_REQUEST`, `AMBIGUOUS_TARGET`, `JSON_TOO_COMPLEX`, `INVALID_JSON`, `SETTINGS_REFUSED`, `INVALID_EMAIL`, `FIELD_NOT_ALLOWED`, `INVALID_OTP`, `PHONE_NUMBER_EXIST`, `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_WEAK`, `CHANGE_EMAIL_DISABLED`, `REAUTHENTICATION_REQUIRED`, `PASSWORD_BREACHED`, `PASSKEY_REFUSED`, `ORGANIZATION_SLUG_ALREADY_TAKEN`, `NO_ACTIVE_ORGANIZATION`, `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`, `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, `SSO_PROVIDER_INVALID`, `SSO_RESPONSE_INVALID`, `INVALID_OBJECT_KEY`, `INVALID_BUCKET_SLUG`, `INVALID_MEDIA_TYPE`, `CONTENT_MISMATCH`, `INVALID_CHECKSUM`, `CHECKSUM_MISMATCH`, `MULTIPART_INVALID`, `MISSING_FIELD`, `INVALID_EXPIRES_IN`, `PRESIGN_NOT_SUPPORTED`, `INVALID_UPLOAD_HEADER`, `IMAGE_INVALID`, `UPLOAD_SIZE_MISMATCH`, `INVALID_FRAME`, `TOO_MANY_BINDINGS`, `FILTER_TOO_SLOW`, `FUNCTION_REFUSED`, `CHANGES_NOT_CAPTURED`, `INVALID_CODE`, `WRONG_PASSWORD`, `REF_NOT_CONFIRMED`, `OUTBOUND_REFUSED`, `RESULT_TOO_LARGE`. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has no valid credential. Codes: `UNAUTHORIZED`, `INVALID_API_KEY`, `INVALID_OPERATOR_ASSERTION`, `INVALID_PHONE_NUMBER_OR_PASSWORD`, `CHALLENGE_EXPIRED`, `BUCKET_TOKEN_REQUIRED`, `INVALID_BUCKET_TOKEN`, `SESSION_ENDED`, `TOKEN_EXPIRED`, `INVALID_CREDENTIALS`, `TWO_FACTOR_REQUIRED`. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller lacks the permission. Codes: `42501`, `PGRST103`, `DEFINER_NOT_ALLOWED`, `USER_REQUIRED`, `FORBIDDEN`, `ADMIN_REQUIRED`, `DEPLOYMENT_ADMIN_REQUIRED`, `CAPABILITY_REQUIRED`, `INVITATION_MAIL_REQUIRED`, `CLIENT_ADDRESS_REFUSED`, `IMPERSONATION_NOT_HERE`, `IMPERSONATION_REFUSED`, `ADMIN_NOT_IMPERSONATED`, `IMPERSONATED_SESSION`, `USER_INACTIVE`, `FOREIGN_SUBJECT_REFUSED`, `CAPTCHA_FAILED`, `SIGNUP_DISABLED`, `EMAIL_DOMAIN_NOT_ALLOWED`, `SESSION_NOT_FRESH`, `INVALID_PASSWORD`, `AAL2_REQUIRED`, `PERMANENT_ACCOUNT_REQUIRED`, `API_KEY_NOT_ALLOWED`, `API_KEY_LIMIT_REACHED`, `SIGNUP_REFUSED`, `INVALID_CALLBACK_URL`, `INVALID_REDIRECT_URL`, `INVALID_ERROR_CALLBACK_URL`, `INVALID_NEW_USER_CALLBACK_URL`, `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`, `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS`, `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`, `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS`, `EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM`, `USER_IS_NOT_A_MEMBER_OF_THE_TEAM`, `SSO_PROVIDER_LIMIT_REACHED`, `SSO_DOMAIN_NOT_VERIFIED`, `SSO_ACCOUNT_NOT_LINKED`, `SSO_EMAIL_NOT_VERIFIED`, `BUCKET_PROTECTED`, `BUCKET_TOKEN_KIND`, `INVALID_LINK`, `CHANNEL_REFUSED`, `POLICY_READS_MESSAGE`, `PASSWORD_CHANGE_REQUIRED`, `INVITATION_FOR_SOMEBODY_ELSE`, `SAVED_QUERY_OF_ANOTHER`. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found. Codes: `PGRST202`, `PGRST205`, `SCHEMA_NOT_FOUND`, `FUNCTION_NOT_FOUND`, `NO_ROWS_MATCHED`, `IMPERSONATED_USER_NOT_FOUND`, `NOT_FOUND`, `SETTINGS_VERSION_NOT_FOUND`, `UNKNOWN_SETTINGS_GROUP`, `FACTOR_NOT_FOUND`, `HOOK_DELIVERY_NOT_FOUND`, `USER_NOT_FOUND`, `MEMBER_NOT_FOUND`, `TEAM_NOT_FOUND`, `SSO_PROVIDER_NOT_FOUND`, `MESSAGE_NOT_FOUND`, `POLICY_TEST_NOT_FOUND`, `KEPT_MAIL_NOT_FOUND`, `FILE_NOT_FOUND`, `UPLOAD_NOT_FOUND`, `BUCKET_NOT_FOUND`, `TOKEN_NOT_FOUND`, `WEBHOOK_NOT_FOUND`, `DELIVERY_NOT_FOUND`, `STORAGE_OBJECT_MISSING`, `TABLE_NOT_EXPOSED`, `EDGE_FUNCTION_NOT_FOUND`, `FUNCTION_ROUTE_NOT_FOUND`, `FUNCTION_VERSION_NOT_FOUND`, `FUNCTION_TOKEN_NOT_FOUND`, `FUNCTION_TRIGGER_NOT_FOUND`, `FUNCTION_SCHEDULE_NOT_FOUND`, `PROJECT_NOT_FOUND`, `OPERATOR_NOT_FOUND`, `INVITATION_NOT_FOUND`, `API_KEY_NOT_FOUND`, `PASSKEY_NOT_FOUND`, `SESSION_NOT_FOUND`, `TRUSTED_DEVICE_NOT_FOUND`, `ORGANIZATION_NOT_FOUND`, `MEMBERSHIP_NOT_FOUND`, `OPERATION_NOT_FOUND`, `DOMAIN_NOT_FOUND`, `KEY_NOT_FOUND`, `SQL_RUN_NOT_FOUND`, `SAVED_QUERY_NOT_FOUND`. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests; the header `Retry-After` says when to try again. Codes: `API_KEY_EXHAUSTED`, `RATE_LIMITED`, `IMAGE_BUSY`, `TOO_MANY_CONNECTIONS`, `LIVE_FEED_BUSY`, `FUNCTION_BUSY`. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error, in the same shape */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "health.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "login.login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginReply"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "login.changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "correct horse battery",
                 *       "newPassword": "another good password"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChangeBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "login.signOut": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.verifyTotp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456",
                 *       "trustDevice": true
                 *     }
                 */
                "application/json": components["schemas"]["CodeBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedReply"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.verifyBackupCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["CodeBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedReply"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.replaceBackupCodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodesReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.trustedDevices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedDeviceView"][];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "twoFactor.forgetTrustedDevice": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "sessions.current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSessionReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "sessions.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"][];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "sessions.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "invitations.list": {
        parameters: {
            query: {
                limit?: number;
                /** @description `next` of the page before. */
                before?: string;
                organizationId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "invitations.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "organizationId": "tz4a98xxat96iws9zmbrgj3a",
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitationReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "invitations.revoke": {
        parameters: {
            query: {
                organizationId: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "invitations.retryMail": {
        parameters: {
            query: {
                organizationId: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "invitations.accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Qm9X4cT0hWv2kZrL8sYpJd5nEaUgFb1i",
                 *       "name": "Ada Lovelace",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedReply"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorsReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "disabled"
                 *     }
                 */
                "application/json": components["schemas"]["OperatorChangesBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "removeSecondFactor": true
                 *     }
                 */
                "application/json": components["schemas"]["ResetBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.sessions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"][];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.endSessions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operators.endSession": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "organizations.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationsPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "organizations.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme"
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrganizationBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "organizations.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "organizations.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "organizations.rename": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme"
                 *     }
                 */
                "application/json": components["schemas"]["RenameOrganizationBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "members.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "members.add": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer",
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["AddMemberBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitationReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "members.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
                membershipId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "members.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
                membershipId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["GrantBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "memberships.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembershipsPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "memberships.give": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer",
                 *       "operatorId": "k2v8q0c1r7m4x5t9w3z6b8n2"
                 *     }
                 */
                "application/json": components["schemas"]["GiveMembershipBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembershipView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
                /** @description Part of the ref or the name. */
                search?: string;
                organizationId?: string;
                status?: "creating" | "active" | "paused" | "deleted" | "deleting";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        projects: components["schemas"]["AddressedProject"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop",
                 *       "ref": "shop",
                 *       "idType": "uuid",
                 *       "organizationId": "tz4a98xxat96iws9zmbrgj3a"
                 *     }
                 */
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewProjectView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.delete": {
        parameters: {
            query?: {
                /** @description The ref of the project, typed again. */
                ref?: string;
                /** @description Delete the project for good at once. Default: after `DELETED_PROJECT_DAYS`. */
                now?: "true" | "false";
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ref": "shop"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmRef"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.rename": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Bookshop"
                 *     }
                 */
                "application/json": components["schemas"]["RenameProjectBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressedProject"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressedProject"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressedProject"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressedProject"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projects.status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectCondition"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectKeys.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["KeyView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectKeys.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "publishable"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectKeys.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "publishable"
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeyBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectKeys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDomains.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        domains: components["schemas"]["DomainView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDomains.add": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "api.example.org"
                 *     }
                 */
                "application/json": components["schemas"]["AddDomainBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDomains.verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedDomain"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDomains.dns": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DnsReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDomains.vouch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDomains.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDatabase.access": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseAccess"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectDatabase.rotatePassword": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseAccess"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectLimits.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectLimits"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "projectLimits.set": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "storageBytes": 10000000000,
                 *       "databaseBytes": null,
                 *       "sharedMailServer": true
                 *     }
                 */
                "application/json": components["schemas"]["ProjectLimitsBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectLimits"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operations.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description Default: all that are not finished: `waiting`, `running` and `failed`. */
                state?: "waiting" | "running" | "failed" | "done" | "undone";
                kind?: "create" | "delete" | "migrate" | "upgrade" | "sweep" | "repair-logins";
                /** @description The ref of a project. */
                ref?: string;
                /** @description `next` of the page before. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "operations.retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "usage.list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next` of the page before. */
                after?: string;
                /** @description How many minutes, up to now. With 1,000 projects at most 60. */
                minutes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsagePage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "usage.read": {
        parameters: {
            query?: {
                /** @description The span of a point. Minutes are kept for 30 days, days for a year. */
                step?: "minute" | "hour" | "day";
                /** @description Default: an hour before `to` by minute, a day by hour, 30 days by day. At most a day, 7 days, 366 days. */
                from?: string;
                /** @description Default: now. */
                to?: string;
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectUsage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "audit.all": {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of an operator. */
                operatorId?: string;
                /** @description An action or its first part. */
                action?: string;
                /** @description What was changed: the id of an operator, the ref of a project. */
                target?: string;
                /** @description From this moment on. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
                /** @description `next` of the page before. */
                before?: string;
                /** @description The ref of a project. */
                ref?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "audit.ofOrganization": {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of an operator. */
                operatorId?: string;
                /** @description An action or its first part. */
                action?: string;
                /** @description What was changed: the id of an operator, the ref of a project. */
                target?: string;
                /** @description From this moment on. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
                /** @description `next` of the page before. */
                before?: string;
                /** @description The ref of a project. */
                ref?: string;
            };
            header?: never;
            path: {
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "audit.ofProject": {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of an operator. */
                operatorId?: string;
                /** @description An action or its first part. */
                action?: string;
                /** @description What was changed: the id of an operator, the ref of a project. */
                target?: string;
                /** @description From this moment on. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
                /** @description `next` of the page before. */
                before?: string;
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "deployment.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "deployment.environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        variables: components["schemas"]["EnvironmentVariable"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "client.archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "client.script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "client.channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "proxy.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the project, with its status and headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "proxy.put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the project, with its status and headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "proxy.post": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the project, with its status and headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "proxy.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the project, with its status and headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "proxy.patch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the project, with its status and headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
}
