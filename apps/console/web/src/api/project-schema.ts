// Written from the description of a project's routes for administrators and for files (npm run describe): do not change it by hand.

export interface paths {
    "/api/admin/rest/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page that describes the REST API and tries it out; it asks for a key */
        get: operations["adminRestDocs.page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rest/docs/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The document of that page */
        get: operations["adminRestDocs.document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rows/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change rows of a table in one transaction
         * @description Runs as service_role. A row that does not have the values of `was` is a conflict: nothing is written, and `details.conflicts` of the error has the rows as they are now. A client that closes the request ends it.
         */
        post: operations["rows.change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which ways to sign in are on, and what they still need */
        get: operations["authStatus.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The origins whose pages may use cookies, and whether a given page may */
        get: operations["authStatus.origins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys that tokens are signed with, without their private halves */
        get: operations["authStatus.keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign tokens with a new key from now on */
        post: operations["authStatus.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who administers: a session, an operator or the secret key */
        get: operations["studio.adminSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an account and mail a link to it */
        post: operations["userAccess.invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/generate-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the link or code that a mail would hold */
        post: operations["userAccess.generateLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a user another password; ends every session */
        post: operations["userAccess.resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End every session of a user */
        delete: operations["userAccess.endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one session of a user */
        delete: operations["userAccess.endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The second factors of a user */
        get: operations["userAccess.factors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/factors/{factorId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a second factor of a user */
        delete: operations["userAccess.deleteFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deactivate a user for a reason, for ever or until a moment */
        post: operations["userActions.ban"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/impersonate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a session of at most an hour in the name of a user */
        post: operations["userActions.impersonate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an API key of a user */
        delete: operations["userActions.deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a passkey of a user */
        delete: operations["userActions.deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of the users that match */
        get: operations["adminUsers.list"];
        put?: never;
        /** Make an account */
        post: operations["adminUsers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user with sessions, identities, factors, memberships and API keys */
        get: operations["adminUsers.read"];
        put?: never;
        post?: never;
        /** Delete an account with everything that belongs to it */
        delete: operations["adminUsers.delete"];
        options?: never;
        head?: never;
        /** Change an account; what is left out stays */
        patch: operations["adminUsers.change"];
        trace?: never;
    };
    "/api/admin/users/{id}/{action}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Promote, demote, activate, deactivate or unban a user */
        post: operations["adminUsers.act"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of the organizations that match, with their numbers of owners */
        get: operations["adminOrganizations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/organizations/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An organization with a page of its members */
        get: operations["adminOrganizations.members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/organizations/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Give a user a role in an organization, such as that of its owner */
        put: operations["adminOrganizations.setMember"];
        post?: never;
        /** Take a user out of an organization */
        delete: operations["adminOrganizations.removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/organizations/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of the pending invitations to an organization */
        get: operations["adminOrganizations.invitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/organizations/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a pending invitation to an organization */
        delete: operations["adminOrganizations.cancelInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/{group}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The changes of a settings group, newest first */
        get: operations["history.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/{group}/history/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return a settings group to a version; secrets stay as they are now */
        post: operations["history.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/email/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test mail and say how it went */
        post: operations["messages.testMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/sms/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test SMS and say how it went */
        post: operations["messages.testSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/email/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The kinds of mail with their variables, defaults and templates */
        get: operations["messages.templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/email/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a mail would look like */
        post: operations["messages.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The settings groups with their fields, as a form */
        get: operations["settings.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/{group}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a settings group; stored secrets are hidden */
        get: operations["settings.read"];
        /** Write a settings group as a whole; it holds from the next request on */
        put: operations["settings.save"];
        post?: never;
        /** Revert a settings group to its defaults and the environment */
        delete: operations["settings.revert"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/{group}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a settings group with the source of each value */
        get: operations["settings.sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last mails that were kept instead of sent, newest first */
        get: operations["inbox.list"];
        put?: never;
        post?: never;
        /** Delete every kept mail */
        delete: operations["inbox.empty"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/inbox/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One kept mail with its text and its HTML */
        get: operations["inbox.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The mails and SMS of the last 14 days and their fate, newest first */
        get: operations["sentMessages.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/messages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a failed or waiting mail or SMS now */
        post: operations["sentMessages.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/hooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calls of hooks and the events that wait, newest first */
        get: operations["hooks.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/hooks/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an event again whose tries have all failed */
        post: operations["hooks.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sso/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All SSO providers, without their secrets */
        get: operations["ssoProviders.list"];
        put?: never;
        /** Register an SSO provider; its domains count as proven */
        post: operations["ssoProviders.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sso/providers/{providerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An SSO provider, without its secrets */
        get: operations["ssoProviders.read"];
        put?: never;
        post?: never;
        /** Delete an SSO provider; its identities can no longer sign in */
        delete: operations["ssoProviders.delete"];
        options?: never;
        head?: never;
        /** Change an SSO provider; what is left out stays */
        patch: operations["ssoProviders.change"];
        trace?: never;
    };
    "/api/admin/sso/providers/{providerId}/verify-domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Vouch for domains that an organization has claimed for its provider */
        post: operations["ssoProviders.verifyDomains"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sso/providers/{providerId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether people can sign in by the provider, and what hinders them */
        post: operations["ssoProviders.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sso/providers/{providerId}/urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What to register at the identity provider, before there is a provider, too */
        get: operations["ssoProviders.urls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What administrators have changed, newest first */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last requests that this process has answered, newest first */
        get: operations["requests.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/requests/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The requests that this process answers, as they end */
        get: operations["requests.feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run SQL in one transaction
         * @description Runs as the owner of the project. For an operator without secrets.manage it runs as service_role, and takes statements on rows only; so does a run as another role. A client that closes the request cancels the script.
         */
        post: operations["sql.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sql/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a script that you run
         * @description Finds scripts in the process that answers. With several API processes, close the request of the script instead, which always reaches it.
         */
        delete: operations["sql.cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tables with their policies, rights and columns */
        get: operations["policies.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/policies/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a request as a caller, and see which policies decide
         * @description Runs through the code of the API in a transaction that is rolled back, for 5 seconds at the most. Values of sequences are used up, as by any transaction that is rolled back.
         */
        post: operations["policies.try"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/policies/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The saved tests of policies, by name */
        get: operations["policyTests.list"];
        put?: never;
        /** Save a try as a test */
        post: operations["policyTests.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/policies/tests/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run tests of policies, also with changes that are not saved */
        post: operations["policyTests.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/policies/tests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a test */
        delete: operations["policyTests.remove"];
        options?: never;
        head?: never;
        /** Change a test */
        patch: operations["policyTests.change"];
        trace?: never;
    };
    "/api/admin/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your saved queries and those that others share, without their texts */
        get: operations["queries.list"];
        put?: never;
        /** Save a query */
        post: operations["queries.save"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/queries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A saved query with its text */
        get: operations["queries.read"];
        put?: never;
        post?: never;
        /**
         * Delete a saved query
         * @description With secrets.manage also a shared query of another author.
         */
        delete: operations["queries.remove"];
        options?: never;
        head?: never;
        /** Change a query that you have saved */
        patch: operations["queries.change"];
        trace?: never;
    };
    "/api/admin/realtime/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tables, and whether clients can listen to their changes */
        get: operations["capturedTables.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/tables/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Let clients listen to changes of a table, or not */
        put: operations["capturedTables.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The connections, channels and frames of this process */
        get: operations["figures.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The topics that clients of this process have joined */
        get: operations["figures.channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What clients of this process were refused last, and why
         * @description Refused connections and frames, and channels and connections that the server has ended. The same refusal of the same connection is one entry with its number.
         */
        get: operations["figures.refusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is sent to clients of this process, and what is refused, as it happens */
        get: operations["figures.feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join channels as other callers, and receive what they receive
         * @description Each listener is a connection to channels with the rights of its `as`. What it is refused is an event of the stream. An operator who tracks presence needs content.write, too.
         */
        post: operations["inspector.inspect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/realtime/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to a channel as another caller
         * @description Refused as it would be for that caller: in a private topic the policies of `realtime.messages` decide. Operators need content.write, too.
         */
        post: operations["inspector.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/list/{bucket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The folders and files of a bucket that you may see */
        get: operations["readFiles.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/object/{bucket}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a file */
        get: operations["readFiles.object"];
        /** Upload a file as the body of the request, for large ones */
        put: operations["uploads.put"];
        post?: never;
        /** Delete a file by its key */
        delete: operations["changeFiles.deleteObject"];
        options?: never;
        /** Read the headers of a file by its key */
        head: operations["readFiles.objectHead"];
        patch?: never;
        trace?: never;
    };
    "/api/files/object-info/{bucket}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is known of a file */
        get: operations["readFiles.objectInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/object-url/{bucket}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An address at which a file can be read */
        get: operations["readFiles.objectUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is known of a file */
        get: operations["readFiles.info"];
        put?: never;
        post?: never;
        /** Delete a file */
        delete: operations["changeFiles.delete"];
        options?: never;
        head?: never;
        /** Change visibility, caching or metadata of a file; the rest stays */
        patch: operations["changeFiles.change"];
        trace?: never;
    };
    "/api/files/{id}/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An address at which a file can be read */
        get: operations["readFiles.url"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file, with a credential or a signed link */
        get: operations["readFiles.raw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** Read the headers of a file */
        head: operations["readFiles.rawHead"];
        patch?: never;
        trace?: never;
    };
    "/api/files/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a file within its bucket */
        post: operations["changeFiles.copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a file another key in its bucket */
        post: operations["changeFiles.move"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete several files; answers with those that were deleted */
        post: operations["changeFiles.remove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The image of a file in another size and format */
        get: operations["fileImages.render"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The buckets with what they hold */
        get: operations["buckets.list"];
        put?: never;
        /** Make a bucket */
        post: operations["buckets.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A bucket with what it holds */
        get: operations["buckets.read"];
        put?: never;
        post?: never;
        /** Delete a bucket; a bucket with files only with force */
        delete: operations["buckets.delete"];
        options?: never;
        head?: never;
        /** Change a bucket; what is left out stays, null takes a limit away */
        patch: operations["buckets.change"];
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/empty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the last emptying of the bucket is */
        get: operations["buckets.emptying"];
        put?: never;
        /** Begin to delete the files that are in the bucket now */
        post: operations["buckets.empty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files and folders of a bucket, of all owners */
        get: operations["buckets.files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/recount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recompute the counters of a bucket and return the correction */
        post: operations["buckets.recount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/cors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The CORS rules of a bucket */
        get: operations["bucketCors.read"];
        /** Set the CORS rules of a bucket, in place of those of the project */
        put: operations["bucketCors.replace"];
        post?: never;
        /** Delete the CORS rules: those of the project hold again */
        delete: operations["bucketCors.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The access tokens of a bucket, by their first letters */
        get: operations["bucketTokens.list"];
        put?: never;
        /** Make an access token; it is shown this once */
        post: operations["bucketTokens.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an access token; it ends with the next request */
        delete: operations["bucketTokens.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks of a bucket, without their secrets */
        get: operations["webhooks.list"];
        put?: never;
        /** Make a webhook; its secret is shown this once */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook, without its secret */
        get: operations["webhooks.read"];
        put?: never;
        post?: never;
        /** Delete a webhook with its deliveries */
        delete: operations["webhooks.delete"];
        options?: never;
        head?: never;
        /** Change a webhook; what is left out stays */
        patch: operations["webhooks.change"];
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook a new secret; the old one signs along for a day */
        post: operations["webhooks.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deliveries of the last two weeks, and those that wait */
        get: operations["webhookDeliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message again, with the same id */
        post: operations["webhookDeliveries.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/buckets/{slug}/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a ping now and say what came of it */
        post: operations["webhookDeliveries.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/storage/relocation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the last move of files is */
        get: operations["relocation.read"];
        put?: never;
        /** Move all files to where new ones are kept, or go on with that */
        post: operations["relocation.start"];
        /** Stop the move; files already moved stay where they are */
        delete: operations["relocation.stop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/presign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reserve room for a file and get a URL to upload it to */
        post: operations["presign.presign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{id}/finalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a file of what was uploaded to a presigned URL */
        post: operations["presign.finalize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names of the secrets of edge functions */
        get: operations["functionSecrets.list"];
        /** Set secrets of edge functions; others stay as they are */
        put: operations["functionSecrets.set"];
        post?: never;
        /** Delete secrets of edge functions */
        delete: operations["functionSecrets.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tokens for edge functions, by their last characters */
        get: operations["functionTokens.list"];
        put?: never;
        /** Make a token for edge functions; it is shown this once */
        post: operations["functionTokens.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token for edge functions; it ends with the next call */
        delete: operations["functionTokens.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What edge functions have logged, newest first */
        get: operations["functionRecords.logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/invocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calls of edge functions that have ended, newest first */
        get: operations["functionRecords.invocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Log lines and invocations of edge functions in this process, live */
        get: operations["functionRecords.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changes of tables call, with what waits and what has failed */
        get: operations["functionTriggers.list"];
        put?: never;
        /** Have changes of a table call a function, or an address */
        post: operations["functionTriggers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/triggers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a trigger with what waits for it */
        delete: operations["functionTriggers.remove"];
        options?: never;
        head?: never;
        /** Change a trigger; a new address gets a new secret */
        patch: operations["functionTriggers.change"];
        trace?: never;
    };
    "/api/admin/functions/triggers/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deliveries of a trigger, newest first */
        get: operations["functionTriggers.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/triggers/{id}/deliveries/{delivery}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again whose attempts have all failed; `all`: each */
        post: operations["functionTriggers.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** When functions are called, with the last run of each schedule */
        get: operations["functionSchedules.list"];
        put?: never;
        /** Have a function called at the times of a cron expression */
        post: operations["functionSchedules.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a schedule with its runs */
        delete: operations["functionSchedules.remove"];
        options?: never;
        head?: never;
        /** Change a schedule */
        patch: operations["functionSchedules.change"];
        trace?: never;
    };
    "/api/admin/functions/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a schedule now */
        post: operations["functionSchedules.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/schedules/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The runs of a schedule, newest first */
        get: operations["functionSchedules.runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The edge functions of the project */
        get: operations["functions.list"];
        put?: never;
        /**
         * Make an edge function
         * @description Its imports are downloaded and its code is checked before it is stored.
         */
        post: operations["functions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An edge function with the code of its active version */
        get: operations["functions.read"];
        /** Deploy a new version of an edge function; it answers the next call */
        put: operations["functions.deploy"];
        post?: never;
        /** Delete an edge function with its versions */
        delete: operations["functions.remove"];
        options?: never;
        head?: never;
        /** Change the name, the route or the openness of an edge function */
        patch: operations["functions.change"];
        trace?: never;
    };
    "/api/admin/functions/{slug}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of an edge function that are kept, newest first */
        get: operations["functions.versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/{slug}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A version of an edge function with its code */
        get: operations["functions.version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/{slug}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The files that differ between two versions of an edge function */
        get: operations["functions.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/functions/{slug}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return to another version of an edge function */
        post: operations["functions.activate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tables, enums and functions of a schema */
        get: operations["schema.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/schema/tables/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Indexes, constraints, triggers, policies and grants of a table */
        get: operations["schema.table"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/schema/functions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The definition of a function, and the roles that may call it */
        get: operations["schema.function"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** TypeScript types of the tables and functions, for the client */
        get: operations["types.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/resumable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin an upload in parts (TUS 1.0) */
        post: operations["resumable.create"];
        delete?: never;
        /** Read which extensions of TUS there are */
        options: operations["resumable.describe"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/resumable/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Give an upload up */
        delete: operations["resumable.terminate"];
        options?: never;
        /** Read how far an upload is */
        head: operations["resumable.offset"];
        /** Send the next part of an upload */
        patch: operations["resumable.append"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        RowChange: {
            /** @enum {string} */
            kind: "insert" | "update" | "delete";
            /** @description The primary key of the row */
            key?: {
                [key: string]: string | null;
            };
            /** @description The values that the row had when it was read; other values are a conflict */
            was?: {
                [key: string]: string | null;
            };
            /** @description The values to write */
            values?: {
                [key: string]: string | null;
            };
        };
        ChangeRowsBody: {
            changes: components["schemas"]["RowChange"][];
        };
        RotateKeysBody: {
            /** @description How long tokens of the keys before still verify; 0 ends them. By default auth.tokens */
            graceDays?: number;
        };
        SetUsernameBody: {
            /** @example ada.lovelace */
            username: string;
        };
        SetImageBody: {
            /**
             * @description The address of the picture; null takes it away
             * @example https://images.example.org/ada.png
             */
            image: string | null;
        };
        DeleteSelfBody: {
            /** @description Needed when the session is not fresh */
            password?: string;
        };
        InviteUserBody: {
            /** @example ada@example.org */
            email: string;
            /** @description An address of auth.urls; by default the site URL */
            redirectTo?: string;
            /**
             * @description code: the redirect carries a code for /api/auth/exchange-code and no cookie
             * @default cookie
             * @enum {string}
             */
            flow?: "cookie" | "code";
            /** @description The user_metadata of a new account */
            data?: {
                [key: string]: unknown;
            };
        };
        GenerateLinkBody: {
            /** @example ada@example.org */
            email: string;
            /** @description An address of auth.urls; by default the site URL */
            redirectTo?: string;
            /**
             * @description code: the redirect carries a code for /api/auth/exchange-code and no cookie
             * @default cookie
             * @enum {string}
             */
            flow?: "cookie" | "code";
            /** @description The user_metadata of a new account */
            data?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            type: "signup" | "invite" | "magiclink" | "recovery";
            /** @description Of the new account, with the type signup */
            password?: string;
        };
        ResetPasswordBody: {
            password: string;
        };
        BanUserBody: {
            /**
             * @description For administrators
             * @example Spam
             */
            reason: string;
            /**
             * Format: date-time
             * @description When the ban ends; never without it
             */
            until?: string;
        };
        ImpersonateBody: {
            /**
             * @description After how many seconds the session ends, however much it is used
             * @default 3600
             */
            expiresInSeconds?: number;
        };
        CreateUserBody: {
            /** @description By the rules of auth.methods.emailPassword */
            password?: string;
            name?: string;
            /** @description A new account without one gets one */
            username?: string;
            /** @description The address of a picture */
            image?: string | null;
            /**
             * @description USER for a new account
             * @enum {string}
             */
            role?: "USER" | "ADMIN";
            /**
             * @description active for a new account
             * @enum {string}
             */
            status?: "active" | "inactive";
            /** @description Whether the address is known to be theirs */
            emailVerified?: boolean;
            /** @example +15551234567 */
            phoneNumber?: string | null;
            /** @description Whether the number is known to be theirs */
            phoneNumberVerified?: boolean;
            /** @description For policies */
            app_metadata?: {
                [key: string]: unknown;
            };
            user_metadata?: {
                [key: string]: unknown;
            };
            /** @example ada@example.org */
            email: string;
        };
        ChangeUserBody: {
            /** @description By the rules of auth.methods.emailPassword */
            password?: string;
            name?: string;
            /** @description A new account without one gets one */
            username?: string;
            /** @description The address of a picture */
            image?: string | null;
            /**
             * @description USER for a new account
             * @enum {string}
             */
            role?: "USER" | "ADMIN";
            /**
             * @description active for a new account
             * @enum {string}
             */
            status?: "active" | "inactive";
            /** @description Whether the address is known to be theirs */
            emailVerified?: boolean;
            /** @example +15551234567 */
            phoneNumber?: string | null;
            /** @description Whether the number is known to be theirs */
            phoneNumberVerified?: boolean;
            /** @description For policies */
            app_metadata?: {
                [key: string]: unknown;
            };
            user_metadata?: {
                [key: string]: unknown;
            };
            /** @example ada@example.org */
            email?: string;
        };
        SetMemberBody: {
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        RestoreBody: {
            /**
             * @description What was stored after the change, or before it
             * @default after
             * @enum {string}
             */
            state?: "before" | "after";
        };
        TestMailBody: {
            /** @example ada@example.org */
            to: string;
        };
        TestSmsBody: {
            /** @example +15551234567 */
            to: string;
        };
        TemplateBody: {
            subject?: string;
            text?: string;
            html?: string;
        };
        PreviewMailBody: {
            /** @enum {string} */
            kind: "verifyEmail" | "magicLink" | "emailOtp" | "verifyEmailOtp" | "resetPassword" | "resetPasswordLink" | "reauthenticate" | "secondFactor" | "inviteUser" | "inviteMember" | "passwordChanged" | "test";
            /** @description By default the stored one; what it leaves out is the text of the product */
            template?: components["schemas"]["TemplateBody"];
        };
        OidcConfigBody: {
            /** @example rowhouse */
            clientId: string;
            /** @description Never answered; left out of a change it stays */
            clientSecret: string;
            /** @description By default below the issuer */
            discoveryEndpoint?: string;
            /**
             * @default [
             *       "openid",
             *       "email",
             *       "profile"
             *     ]
             */
            scopes?: string[];
            /** @default true */
            pkce?: boolean;
            /** @description Names of the claims for email, emailVerified, name and image */
            mapping?: {
                [key: string]: string;
            };
            /** @description Instead of the one in the discovery document */
            authorizationEndpoint?: string;
            /** @description Instead of the one in the discovery document */
            tokenEndpoint?: string;
            /** @description Instead of the one in the discovery document */
            jwksEndpoint?: string;
            /** @description Instead of the one in the discovery document */
            userInfoEndpoint?: string;
            /** @enum {string} */
            tokenEndpointAuthentication?: "client_secret_basic" | "client_secret_post";
            /**
             * @description There is no document: the addresses are given
             * @default false
             */
            skipDiscovery?: boolean;
        };
        IdpMetadataBody: {
            /** @description The metadata of the identity provider, in XML */
            metadata?: string;
            /** @description Its name, where there are no metadata */
            entityID?: string;
            /** @description Certificates in PEM */
            cert?: string[];
        };
        SpMetadataBody: {
            /** @description By default the address of the metadata */
            entityID?: string;
            /** @description In PEM; opens assertions that come encrypted */
            encPrivateKey?: string;
            encPrivateKeyPass?: string;
        };
        SamlConfigBody: {
            idpMetadata?: components["schemas"]["IdpMetadataBody"];
            /** @description Where people are sent to, where there are no metadata */
            entryPoint?: string;
            /** @description Certificates in PEM */
            cert?: string[];
            audience?: string;
            identifierFormat?: string;
            spMetadata?: components["schemas"]["SpMetadataBody"];
            /** @default false */
            authnRequestsSigned?: boolean;
            /** @description In PEM; signs requests */
            privateKey?: string;
            signatureAlgorithm?: string;
            digestAlgorithm?: string;
            /** @description Names of the attributes for email, name, firstName and lastName */
            mapping?: {
                [key: string]: string;
            };
        };
        CreateSsoProviderBody: {
            /** @example https://idp.example.com */
            issuer?: string;
            /**
             * @description Mail domains, with commas
             * @example example.com
             */
            domain?: string;
            oidcConfig?: components["schemas"]["OidcConfigBody"];
            /** @description Instead of oidcConfig */
            samlConfig?: components["schemas"]["SamlConfigBody"];
            /** @example acme */
            providerId: string;
            /** @description Whose provider it is; left out: the project’s */
            organizationId?: string;
        };
        ChangeSsoProviderBody: {
            /** @example https://idp.example.com */
            issuer?: string;
            /**
             * @description Mail domains, with commas
             * @example example.com
             */
            domain?: string;
            oidcConfig?: components["schemas"]["OidcConfigBody"];
            /** @description Instead of oidcConfig */
            samlConfig?: components["schemas"]["SamlConfigBody"];
        };
        VerifyDomainsBody: {
            /**
             * @description Left out: all of the provider
             * @example example.com
             */
            domain?: string;
        };
        RunAsBody: {
            /** @enum {string} */
            role?: "anon" | "authenticated" | "service_role";
            /** @description The id of a user, in place of a role */
            userId?: string;
            /** @description What auth.jwt() returns, for a role */
            claims?: {
                [key: string]: unknown;
            };
        };
        RunSqlBody: {
            /**
             * @description One statement, or several without params
             * @example select 1 as one
             */
            query: string;
            /** @description Values of $1, $2, … */
            params?: unknown[];
            /**
             * @description Runs as another role, on rows alone; needs secrets.manage to name a user
             * @example {
             *       "role": "anon"
             *     }
             */
            as?: components["schemas"]["RunAsBody"];
            /**
             * @description Whether the answer has the last rows as objects, or the result of each statement
             * @default last
             * @example all
             * @enum {string}
             */
            results?: "last" | "all";
            /**
             * @description The most rows of each statement, with results all
             * @default 1000
             */
            maxRows?: number;
            /** @description Undoes everything at the end */
            dryRun?: boolean;
            /**
             * Format: uuid
             * @description An id of your choice, by which the script can be cancelled while it runs
             */
            id?: string;
        };
        TryPoliciesBody: {
            /**
             * @description The caller: `anon`, `user` with userId, `claims` with role and claims, or `key` with keyId or key. `user` and `key` take secrets.manage.
             * @example {
             *       "kind": "anon"
             *     }
             */
            as: {
                [key: string]: unknown;
            };
            /**
             * @description `select`, `insert`, `update` or `delete` with table, query, values and prefer; `rpc` with function and arguments; or `file` with access, bucket and key
             * @example {
             *       "kind": "select",
             *       "table": "planets",
             *       "query": "name=eq.Earth"
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /** @description Changes that are made before and undone after: `save`, `drop` or `rls`. Takes secrets.manage. */
            policies?: {
                [key: string]: unknown;
            }[];
        };
        CreatePolicyTestBody: {
            /** @example Visitors see the Earth */
            name: string;
            /**
             * @description The caller: `anon`, `user` with userId, `claims` with role and claims, or `key` with keyId or key. `user` and `key` take secrets.manage.
             * @example {
             *       "kind": "anon"
             *     }
             */
            as: {
                [key: string]: unknown;
            };
            /**
             * @description `select`, `insert`, `update` or `delete` with table, query, values and prefer; `rpc` with function and arguments; or `file` with access, bucket and key
             * @example {
             *       "kind": "select",
             *       "table": "planets",
             *       "query": "name=eq.Earth"
             *     }
             */
            request: {
                [key: string]: unknown;
            };
            /**
             * @description `rows` with count, `keys` with keys, or `refused` with code
             * @example {
             *       "kind": "rows",
             *       "count": 1
             *     }
             */
            expect: {
                [key: string]: unknown;
            };
        };
        RunPolicyTestsBody: {
            /** @description The tests to run; absent: all */
            ids?: string[];
            /** @description Changes that are made before and undone after: `save`, `drop` or `rls`. Takes secrets.manage. */
            policies?: {
                [key: string]: unknown;
            }[];
        };
        ChangePolicyTestBody: {
            name?: string;
            /**
             * @description The caller: `anon`, `user` with userId, `claims` with role and claims, or `key` with keyId or key. `user` and `key` take secrets.manage.
             * @example {
             *       "kind": "anon"
             *     }
             */
            as?: {
                [key: string]: unknown;
            };
            /**
             * @description `select`, `insert`, `update` or `delete` with table, query, values and prefer; `rpc` with function and arguments; or `file` with access, bucket and key
             * @example {
             *       "kind": "select",
             *       "table": "planets",
             *       "query": "name=eq.Earth"
             *     }
             */
            request?: {
                [key: string]: unknown;
            };
            /**
             * @description `rows` with count, `keys` with keys, or `refused` with code
             * @example {
             *       "kind": "rows",
             *       "count": 1
             *     }
             */
            expect?: {
                [key: string]: unknown;
            };
        };
        NewQueryBody: {
            /** @example New users by day */
            name: string;
            /** @example select 1 as one */
            sql: string;
            /**
             * @description Whether others see and run it
             * @default false
             */
            isShared?: boolean;
        };
        ChangedQueryBody: {
            /** @example New users by week */
            name?: string;
            /** @example select 2 as two */
            sql?: string;
            /** @description Whether others see and run it */
            isShared?: boolean;
        };
        CapturedTableBody: {
            /** @description Whether clients can listen to changes of the table */
            enabled: boolean;
        };
        ListenerBody: {
            /**
             * @description As whom it joins
             * @example {
             *       "role": "anon"
             *     }
             */
            as: components["schemas"]["RunAsBody"];
            /**
             * @description The payload of rt:join: topic, config, resume
             * @example {
             *       "topic": "room",
             *       "config": {}
             *     }
             */
            join: {
                [key: string]: unknown;
            };
            /**
             * @description What rt:track sends after the join; needs content.write. Absent: nothing
             * @example {
             *       "name": "Ada"
             *     }
             */
            presence?: {
                [key: string]: unknown;
            };
        };
        InspectBody: {
            listeners: components["schemas"]["ListenerBody"][];
            /**
             * @default 60
             * @example 1
             */
            seconds?: number;
        };
        SendAsBody: {
            /**
             * @description As whom it is sent
             * @example {
             *       "role": "anon"
             *     }
             */
            as: components["schemas"]["RunAsBody"];
            /** @example room */
            topic: string;
            /**
             * @description Whether the topic is private
             * @default false
             */
            private?: boolean;
            /** @example moved */
            event: string;
            /**
             * @description Any JSON value; null if it is left out
             * @example {
             *       "x": 3
             *     }
             */
            payload?: Record<string, never>;
        };
        RelocateFileBody: {
            /** @example avatars */
            bucket: string;
            /**
             * @description A key or the id of a file
             * @example drafts/ada.png
             */
            from: string;
            /**
             * @description The new key, in the same bucket
             * @example ada.png
             */
            to: string;
            /**
             * @description Whether a file with this key is replaced
             * @default false
             */
            upsert?: boolean;
        };
        RemoveFilesBody: {
            /** @example avatars */
            bucket: string;
            /** @description Keys or ids */
            paths: string[];
        };
        ChangeFileBody: {
            /** @enum {string} */
            visibility?: "public" | "private";
            /**
             * @description Of a public file; seconds or directives, null for the default
             * @example public, max-age=86400
             */
            cacheControl?: string | null;
            /** @description Replaces all of it */
            metadata?: {
                [key: string]: unknown;
            };
        };
        CorsRuleBody: {
            /**
             * @example [
             *       "https://app.example.org",
             *       "https://*.example.org"
             *     ]
             */
            origins: string[];
            /**
             * @example [
             *       "GET",
             *       "POST"
             *     ]
             */
            methods: string[];
            /**
             * @example [
             *       "x-bucket-token",
             *       "content-type"
             *     ]
             */
            allowedHeaders?: string[];
            /**
             * @example [
             *       "etag"
             *     ]
             */
            exposedHeaders?: string[];
            /** @default 600 */
            maxAgeSeconds?: number;
        };
        CreateBucketBody: {
            name?: string;
            /**
             * @description Whether its public files need no token
             * @default false
             */
            public?: boolean;
            /** @description Bytes that its files may have together. Less than they have is allowed: no upload fits until there is room */
            quotaBytes?: number | null;
            /** @description Of one file */
            maxFileBytes?: number | null;
            /**
             * @description Uploads of other types are refused; null allows all
             * @example [
             *       "image/*",
             *       "application/pdf"
             *     ]
             */
            allowedMimeTypes?: string[] | null;
            /** @description Without rules those of the project hold */
            cors?: components["schemas"]["CorsRuleBody"][];
            /** @example pictures */
            slug: string;
        };
        ChangeBucketBody: {
            name?: string;
            /**
             * @description Whether its public files need no token
             * @default false
             */
            public?: boolean;
            /** @description Bytes that its files may have together. Less than they have is allowed: no upload fits until there is room */
            quotaBytes?: number | null;
            /** @description Of one file */
            maxFileBytes?: number | null;
            /**
             * @description Uploads of other types are refused; null allows all
             * @example [
             *       "image/*",
             *       "application/pdf"
             *     ]
             */
            allowedMimeTypes?: string[] | null;
            /** @description Without rules those of the project hold */
            cors?: components["schemas"]["CorsRuleBody"][];
        };
        CreateTokenBody: {
            /** @example the camera at the door */
            name: string;
            /** @enum {string} */
            kind: "write" | "read" | "delete";
            /** @description In seconds; without it the token holds until it is deleted */
            expiresIn?: number;
        };
        CreateWebhookBody: {
            /**
             * @default [
             *       "uploaded"
             *     ]
             */
            events?: ("uploaded" | "copied" | "moved" | "deleted")[];
            /**
             * @description Off: nothing is sent; what waits is kept
             * @default true
             */
            active?: boolean;
            /** @example https://example.com/hooks/files */
            url: string;
        };
        ChangeWebhookBody: {
            /**
             * @default [
             *       "uploaded"
             *     ]
             */
            events?: ("uploaded" | "copied" | "moved" | "deleted")[];
            /**
             * @description Off: nothing is sent; what waits is kept
             * @default true
             */
            active?: boolean;
            /** @example https://example.com/hooks/files */
            url?: string;
        };
        StartRelocationBody: {
            /**
             * @description Where new files are kept; by default that
             * @enum {string}
             */
            to?: "local" | "s3";
        };
        PresignBody: {
            /** @example report.pdf */
            filename: string;
            /**
             * @description The exact length in bytes
             * @example 1048576
             */
            size: number;
            /** @example application/pdf */
            mime: string;
            /**
             * @description Default: that of the bucket
             * @enum {string}
             */
            visibility?: "public" | "private";
            bucket?: string;
            /** @description The key; without one <id>/<filename> */
            path?: string;
            upsert?: boolean;
            /** @example 3600 */
            cacheControl?: string;
            metadata?: {
                [key: string]: unknown;
            };
            /** @description 64 hexadecimal digits, compared at the end */
            sha256?: string;
        };
        UploadBody: {
            /** Format: binary */
            file: string;
            /** @description Slug of the bucket; without one the platform keeps the file */
            bucket?: string;
            /** @description The key of the file in its bucket; without one <id>/<file name>. Also called key */
            path?: string;
            /**
             * @description Default: that of the bucket
             * @enum {string}
             */
            visibility?: "public" | "private";
            /** @description Whether a file with this key is replaced */
            upsert?: boolean;
            /** @description Overrides the type that the part declares */
            contentType?: string;
            /** @example 3600 */
            cacheControl?: string;
            /** @description A JSON object of at most 8 KiB */
            metadata?: string;
        };
        RemovedSecretsBody: {
            /**
             * @example [
             *       "GREETING"
             *     ]
             */
            names: string[];
        };
        NewFunctionTokenBody: {
            /** @example Payment provider */
            name: string;
            /**
             * @description Slugs of the functions that it may invoke; without it all
             * @example [
             *       "hello"
             *     ]
             */
            functions?: string[];
        };
        NewTriggerBody: {
            /** @example Paid orders */
            name?: string;
            /**
             * @default [
             *       "INSERT",
             *       "UPDATE",
             *       "DELETE"
             *     ]
             */
            events?: ("INSERT" | "UPDATE" | "DELETE")[];
            /**
             * @description Changes whose row does not match are left out; null: none is
             * @example status=eq.paid
             */
            filter?: string | null;
            /**
             * @description The slug of the function to call
             * @example hello
             */
            function?: string;
            /**
             * @description The address to call instead of a function; calls are signed
             * @example https://example.com/orders
             */
            url?: string;
            /**
             * @description Off: changes are not captured
             * @default true
             */
            isActive?: boolean;
            /**
             * @description A table of the schema public
             * @example orders
             */
            table: string;
        };
        ChangedTriggerBody: {
            /** @example Paid orders */
            name?: string;
            /**
             * @default [
             *       "INSERT",
             *       "UPDATE",
             *       "DELETE"
             *     ]
             */
            events?: ("INSERT" | "UPDATE" | "DELETE")[];
            /**
             * @description Changes whose row does not match are left out; null: none is
             * @example status=eq.paid
             */
            filter?: string | null;
            /**
             * @description The slug of the function to call
             * @example hello
             */
            function?: string;
            /**
             * @description The address to call instead of a function; calls are signed
             * @example https://example.com/orders
             */
            url?: string;
            /**
             * @description Off: changes are not captured
             * @default true
             */
            isActive?: boolean;
        };
        NewScheduleBody: {
            /** @example Nightly report */
            name?: string;
            /**
             * @description The slug of the function to call
             * @example report
             */
            function?: string;
            /**
             * @description Minute, hour, day of the month, month, day of the week
             * @example 0 3 * * *
             */
            cron?: string;
            /**
             * @default UTC
             * @example Europe/Paris
             */
            timeZone?: string;
            /**
             * @description The body of the calls; an empty object by default
             * @example {
             *       "kind": "daily"
             *     }
             */
            body?: Record<string, never>;
            /** @default true */
            isActive?: boolean;
        };
        ChangedScheduleBody: {
            /** @example Nightly report */
            name?: string;
            /**
             * @description The slug of the function to call
             * @example report
             */
            function?: string;
            /**
             * @description Minute, hour, day of the month, month, day of the week
             * @example 0 3 * * *
             */
            cron?: string;
            /**
             * @default UTC
             * @example Europe/Paris
             */
            timeZone?: string;
            /**
             * @description The body of the calls; an empty object by default
             * @example {
             *       "kind": "daily"
             *     }
             */
            body?: Record<string, never>;
            /** @default true */
            isActive?: boolean;
        };
        NewFunctionBody: {
            /** @example Greeting */
            name?: string;
            /**
             * @description Where it answers; by default its slug
             * @example pay/webhook
             */
            route?: string;
            /**
             * @description Whether callers without a credential may invoke it
             * @default false
             */
            isPublic?: boolean;
            /**
             * @description The file that answers; index.ts or index.js by default
             * @example index.ts
             */
            entrypoint?: string;
            /**
             * @description Texts by path; files that functions share begin with `../`
             * @example {
             *       "index.ts": "Deno.serve(() => new Response('Hello'));"
             *     }
             */
            files: {
                [key: string]: string;
            };
            /** @example hello */
            slug: string;
        };
        FunctionCodeBody: {
            /** @example Greeting */
            name?: string;
            /**
             * @description Where it answers; by default its slug
             * @example pay/webhook
             */
            route?: string;
            /**
             * @description Whether callers without a credential may invoke it
             * @default false
             */
            isPublic?: boolean;
            /**
             * @description The file that answers; index.ts or index.js by default
             * @example index.ts
             */
            entrypoint?: string;
            /**
             * @description Texts by path; files that functions share begin with `../`
             * @example {
             *       "index.ts": "Deno.serve(() => new Response('Hello'));"
             *     }
             */
            files: {
                [key: string]: string;
            };
        };
        ChangedFunctionBody: {
            /** @example Greeting */
            name?: string;
            /**
             * @description Where it answers; by default its slug
             * @example pay/webhook
             */
            route?: string;
            /**
             * @description Whether callers without a credential may invoke it
             * @default false
             */
            isPublic?: boolean;
        };
        ActivateBody: {
            /** @example 1 */
            version: number;
        };
        AdminSession: {
            /** @enum {unknown} */
            via: "none" | "impersonation" | "session" | "api-key" | "third-party" | "secret-key" | "operator";
            session: {
                id: string;
                aal: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            } | null;
            user: {
                id: string;
                email: string;
                name: string;
                username: string | null;
                image: string | null;
                role: string;
                status: string;
                twoFactorEnabled: boolean;
            } | null;
            operator: {
                id: string;
                email: string;
            } | null;
            project: {
                ref: string;
                name: string;
                /** @enum {unknown} */
                idType: "text" | "uuid";
            };
            /** @description The capabilities whose routes of the project answer to the caller. */
            capabilities: ("projects.manage" | "members.manage" | "settings.manage" | "secrets.manage" | "content.read" | "content.write" | "imports.run" | "audit.read")[];
        };
        AdminUserView: {
            id: string;
            email: string;
            emailVerified: boolean;
            phoneNumber: string | null;
            phoneNumberVerified: boolean;
            name: string;
            username: string | null;
            image: string | null;
            role: string;
            status: string;
            /** @description Why an administrator has banned the user; null for a user who is not banned. */
            banReason: string | null;
            /**
             * Format: date-time
             * @description When the ban ends; null for a ban without an end.
             */
            bannedUntil: string | null;
            is_anonymous: boolean;
            twoFactorEnabled: boolean;
            /** @description The ids of the providers by which the user may sign in; `credential` is a password. */
            providers: string[];
            app_metadata: {
                [key: string]: unknown;
            };
            user_metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the user signed in last, without impersonations; null for a user who never did.
             */
            lastSignInAt: string | null;
        };
        AppliedPolicy: {
            name: string;
            /** @enum {unknown} */
            command: "all" | "select" | "insert" | "update" | "delete";
            isPermissive: boolean;
            roles: string[];
            using: string | null;
            check: string | null;
        };
        AuditPage: {
            entries: components["schemas"]["AuditRow"][];
            /** @description The number of entries that match the filter, on all pages. */
            total: number;
            /** @description `before` of the next page; null on the last one. A page has at most 8 MB, so it may be short and not the last. */
            next: string | null;
        };
        AuditRow: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                kind: string;
                id: string | null;
                email: string | null;
            };
            action: string;
            target: string;
            before: unknown;
            after: unknown;
            ip: string | null;
            requestId: string | null;
        };
        BucketView: {
            slug: string;
            usedBytes: number;
            /** @description Of uploads that have not ended. */
            reservedBytes: number;
            fileCount: number;
            createdAt: string;
            updatedAt: string;
            name: string;
            public: boolean;
            quotaBytes: number | null;
            maxFileBytes: number | null;
            allowedMimeTypes: string[] | null;
            /** @description As `parseCorsRules` gave them. */
            cors: unknown[];
        };
        CapturedTable: {
            table: string;
            /** @description Whether its changes are captured for clients that listen. */
            enabled: boolean;
        };
        ChangedFile: {
            path: string;
            /** @enum {unknown} */
            kind: "added" | "removed" | "changed";
            /** @description Null: the version does not have the file. */
            before: string | null;
            after: string | null;
        };
        ChangedRows: {
            rows: ({
                [key: string]: string | null;
            } | null)[];
        };
        CounterDrift: {
            usedDrift: number;
            reservedDrift: number;
            fileDrift: number;
        };
        CreatedToken: {
            token: string;
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "delete" | "write" | "read";
            /** @description Its first characters. */
            start: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            createdAt: string;
        };
        DataEnvelope: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: {
                slug: string;
            };
        };
        DataEnvelopeBucketView: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["BucketView"];
        };
        DataEnvelopeCounterDrift: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["CounterDrift"];
        };
        DataEnvelopeCreatedToken: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["CreatedToken"];
        };
        DataEnvelopeDeliveryView: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["DeliveryView"];
        };
        DataEnvelopeEmptyingView: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["EmptyingView"];
        };
        DataEnvelopeFileUrl: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["FileUrl"];
        };
        DataEnvelopeFileView: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["FileView"];
        };
        DataEnvelopePresignedUpload: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["PresignedUpload"];
        };
        DataEnvelopeReadonlyArray: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["BucketView"][];
        };
        DataEnvelopeReadonlyArray2: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["TokenView"][];
        };
        DataEnvelopeReadonlyArray3: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["WebhookView"][];
        };
        DataEnvelopeReadonlyArray4: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["FileView"][];
        };
        DataEnvelopeRelocationView: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["RelocationView"];
        };
        DataEnvelopeWebhookOutcome: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["WebhookOutcome"];
        };
        DataEnvelopeWebhookView: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["WebhookView"];
        };
        DataEnvelopeWebhookWithSecret: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["WebhookWithSecret"];
        };
        DeliveryPage: {
            deliveries: components["schemas"]["HookDeliveryView"][];
        };
        DeliveryPageDeliveryView: {
            /** @description How many there are on all pages. */
            total: number;
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: components["schemas"]["DeliveryView"][];
        };
        DeliveryView: {
            /** @description Also the `webhook-id` of each try. */
            id: string;
            event: string;
            /** @enum {unknown} */
            status: "pending" | "succeeded" | "dead";
            attempts: number;
            /** @description Null when there is no next try. */
            nextAttemptAt: string | null;
            /** @description Of the last answer; null when there was none. */
            lastStatus: number | null;
            lastError: string | null;
            payload: {
                [key: string]: unknown;
            };
            createdAt: string;
            endedAt: string | null;
        };
        EmptyingView: {
            /** @enum {unknown} */
            state: "idle" | "running" | "done";
            startedAt: string | null;
            /** @description Files in the bucket when it began. */
            totalFiles: number;
            deletedFiles: number;
            /** @description Why it waits. */
            lastError: string | null;
            endedAt: string | null;
        };
        EntriesForm: {
            key: string;
            fields: (components["schemas"]["LeafForm"] | components["schemas"]["ObjectForm"] | components["schemas"]["EntriesForm"])[];
            name: string;
            /** @constant */
            kind: "entries";
            label: string;
            help?: string;
            default: unknown[];
            limits: components["schemas"]["Limits"];
        };
        EnumType: {
            schema: string;
            name: string;
            /** @description In their order. */
            values: string[];
            comment: string | null;
        };
        FieldSources: {
            [key: string]: "default" | "environment" | components["schemas"]["FieldSources"] | "stored";
        };
        FilePageFileEntry: {
            /** @description How many there are on all pages. */
            total: number;
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: ({
                /** @constant */
                kind: "folder";
                name: string;
                key: string;
                id: null;
            } | {
                /** @constant */
                kind: "file";
                id: string;
                /** @description Null for a file that was uploaded without a bucket. */
                bucket: string | null;
                key: string;
                /** @description The last part of the key. */
                name: string;
                version: string;
                etag: string;
                /** @description In bytes. */
                size: number;
                mime: string;
                /** @enum {unknown} */
                visibility: "public" | "private";
                ownerId: string | null;
                /** @description Lower case hexadecimal; null unless the checksum was sent along. */
                sha256: string | null;
                cacheControl: string | null;
                metadata: {
                    [key: string]: unknown;
                };
                /**
                 * @description In lists, where the metadata of a file of an earlier release is too large to be shown.
                 * @constant
                 */
                metadataOmitted?: true;
                /** @description For a public file the public address, for a private file the address for callers who may read it. */
                url: string;
                createdAt: string;
                updatedAt: string;
            })[];
        };
        FileUrl: {
            url: string;
            /** @description ISO 8601; null for what does not expire. */
            expiresAt: string | null;
        };
        FileView: {
            id: string;
            /** @description Null for a file that was uploaded without a bucket. */
            bucket: string | null;
            key: string;
            /** @description The last part of the key. */
            name: string;
            version: string;
            etag: string;
            /** @description In bytes. */
            size: number;
            mime: string;
            /** @enum {unknown} */
            visibility: "public" | "private";
            ownerId: string | null;
            /** @description Lower case hexadecimal; null unless the checksum was sent along. */
            sha256: string | null;
            cacheControl: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description In lists, where the metadata of a file of an earlier release is too large to be shown.
             * @constant
             */
            metadataOmitted?: true;
            /** @description For a public file the public address, for a private file the address for callers who may read it. */
            url: string;
            createdAt: string;
            updatedAt: string;
        };
        FunctionDetails: {
            /** @description The statement that makes it; null for aggregates. */
            definition: string | null;
            /** @description The roles of requests that may call it. */
            grantedTo: string[];
            /** @description Its oid; another one after it was dropped and made again. */
            id: string;
            schema: string;
            name: string;
            /** @description With names, modes and defaults. */
            arguments: string;
            /** @description What names the function among others of its name in `alter` and `drop`. */
            identityArguments: string;
            /** @description Null for procedures. */
            returns: string | null;
            language: string;
            /** @enum {unknown} */
            kind: "function" | "procedure" | "aggregate" | "window";
            /** @enum {unknown} */
            volatility: "immutable" | "stable" | "volatile";
            isSecurityDefiner: boolean;
            comment: string | null;
        };
        FunctionList: {
            /** @description By slug. */
            functions: {
                /** @description Where it answers. */
                url: string;
                slug: string;
                name: string;
                route: string;
                isPublic: boolean;
                activeVersion: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** @description Null if there is none in the records that are kept. */
                lastInvocation: null | components["schemas"]["LastInvocation"];
            }[];
        };
        FunctionLog: {
            id: string;
            slug: string;
            version: number;
            /** @description Null for a line outside of requests. */
            requestId: string | null;
            level: string;
            message: string;
            /** Format: date-time */
            at: string;
        };
        FunctionLogPage: {
            /** @description The newest first. */
            logs: components["schemas"]["FunctionLog"][];
            /** @description The `before` of the next page; null on the last one. */
            next: string | null;
        };
        FunctionTokenList: {
            /** @description The newest first. */
            tokens: components["schemas"]["FunctionTokenView"][];
        };
        FunctionTokenView: {
            id: string;
            name: string;
            /** @description Its last four characters. */
            hint: string;
            /** @description Slugs; null: all functions. */
            functions: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        FunctionView: {
            /** @description Where it answers. */
            url: string;
            slug: string;
            name: string;
            route: string;
            isPublic: boolean;
            activeVersion: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FunctionWithCode: {
            entrypoint: string;
            /** @description Texts by path. */
            files: {
                [key: string]: string;
            };
            /** @description Where it answers. */
            url: string;
            slug: string;
            name: string;
            route: string;
            isPublic: boolean;
            activeVersion: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        GeneratedLink: {
            properties: {
                /** @description Null for `recovery`, which is by code. */
                action_link: string | null;
                email_otp: string | null;
                redirect_to: string | null;
                /** @enum {unknown} */
                verification_type: "signup" | "invite" | "magiclink" | "recovery";
                expires_at: string;
            };
            user: components["schemas"]["AdminUserView"];
        };
        GroupForm: {
            name: string;
            title: string;
            help: string;
            /**
             * @description The capability that an operator needs to read and to write the group.
             * @enum {unknown}
             */
            capability: "settings.manage" | "secrets.manage";
            fields: (components["schemas"]["LeafForm"] | components["schemas"]["ObjectForm"] | components["schemas"]["EntriesForm"])[];
        };
        GroupSources: {
            values: {
                [key: string]: unknown;
            };
            sources: components["schemas"]["FieldSources"];
            /** @description The values of the group if nothing of it were stored. */
            unstored: {
                [key: string]: unknown;
            };
        };
        HiddenRows: {
            /** @description Null where rows cannot be counted: without a primary key, or with a limit of the request itself. */
            count: number | null;
            /** @description There are more rows than were compared. */
            isBounded: boolean;
            rows: components["schemas"]["RefusedRow"][];
        };
        HistoryPage: {
            versions: components["schemas"]["SettingsVersion"][];
            /** @description The number of versions on all pages. */
            total: number;
        };
        HookDeliveryView: {
            hook: string;
            payload: components["schemas"]["HookMessage"];
            /** @description A bigint in digits; grows with time. */
            id: string;
            /** Format: date-time */
            createdAt: string;
            eventId: string;
            target: string;
            /** @enum {unknown} */
            status: "pending" | "succeeded" | "failed" | "dead";
            attempts: number;
            responseStatus: number | null;
            error: string | null;
            durationMs: number | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
        };
        HookMessage: {
            type: string;
            /** @description Names the event; the same in every try to deliver it. */
            id: string;
            /** @description ISO 8601, UTC. */
            createdAt: string;
            /** @description The project's ref. */
            project: string;
            data: {
                [key: string]: unknown;
            };
        };
        HubStats: {
            connections: number;
            channels: number;
            rooms: number;
            /** @description Messages, changes of rows and frames since the hub was opened. */
            messages: number;
            changes: number;
            framesSent: number;
            framesDropped: number;
            /** @description How far clients are behind the database, in milliseconds. */
            lagMs: number;
        };
        Impersonation: {
            session: {
                id: string;
                token: string;
                /** Format: date-time */
                expiresAt: string;
            };
            user: components["schemas"]["AdminUserView"];
        };
        InboxEntry: {
            id: string;
            kind: string;
            recipient: string;
            subject: string;
            /** Format: date-time */
            created_at: string;
        };
        InboxPage: {
            mails: components["schemas"]["InboxEntry"][];
            /** @description The number of mails to the given recipient, or of all mails, on all pages. */
            total: number;
            /**
             * @description How a mail would be sent now; `inbox`: it would be kept here. Null if it could not be sent.
             * @enum {unknown}
             */
            transport: null | "hook" | "smtp" | "inbox";
        };
        InvitationPage: {
            invitations: components["schemas"]["PendingInvitation"][];
            /** @description Rows on all pages together. */
            total: number;
            page: number;
            perPage: number;
        };
        InvocationPage: {
            /** @description The newest first. */
            invocations: components["schemas"]["InvocationRecord"][];
            /** @description The `before` of the next page; null on the last one. */
            next: string | null;
        };
        InvocationRecord: {
            id: string;
            slug: string;
            version: number;
            requestId: string;
            method: string;
            /** @description Below the route. */
            path: string;
            status: number;
            /** @description Of the error, if the function has not answered. */
            code: string | null;
            durationMs: number;
            /** @description Processor time of the process meanwhile; other requests at the same time count too. */
            cpuMs: number;
            memoryKb: number;
            isColdStart: boolean;
            /** @description The id of a user, or how the caller was let in. */
            caller: string | null;
            /** Format: date-time */
            at: string;
        };
        JoinedRoom: {
            topic: string;
            private: boolean;
            /** @description Connections that have joined it. */
            connections: number;
            /** @description Those of them that are present: they have sent `rt:track`. */
            present: number;
        };
        KeptMail: {
            text: string;
            /** @description HTML of an untrusted mail: show it only in a sandbox. */
            html: string;
            id: string;
            kind: string;
            recipient: string;
            subject: string;
            /** Format: date-time */
            created_at: string;
        };
        LastInvocation: {
            /** Format: date-time */
            at: string;
            status: number;
        };
        LastRun: {
            /** Format: date-time */
            at: string;
            status: string;
        };
        LeafForm: {
            name: string;
            /** @enum {unknown} */
            kind: "text" | "flag" | "integer" | "secret" | "choice" | "list";
            label: string;
            help?: string;
            default: null | string | number | string[] | boolean;
            limits: components["schemas"]["Limits"];
        };
        Limits: {
            min?: number;
            max?: number;
            /**
             * @description A value outside of `min` and `max` is moved to the nearer one, and is not refused.
             * @constant
             */
            isClamped?: true;
            /** @constant */
            unit?: "s";
            maxLength?: number;
            maxItems?: number;
            format?: string;
            of?: string[];
            multiline?: boolean;
        };
        ListedApiKey: {
            id: string;
            name: string | null;
            /** @description The first characters of the key. */
            start: string | null;
            enabled: boolean;
            remaining: number | null;
            permissions: string | null;
            /** Format: date-time */
            lastRequest: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ListedFactor: {
            id: string;
            /** @constant */
            factor_type: "totp";
            /**
             * @description `unverified`: no code of it was entered yet, so sign-ins do not require one.
             * @enum {unknown}
             */
            status: "verified" | "unverified";
            /** Format: date-time */
            created_at: string;
        };
        ListedIdentity: {
            id: string;
            provider: string;
            /** @description The user's id at the provider. */
            accountId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ListedMember: {
            id: string;
            userId: string;
            email: string;
            name: string;
            status: string;
            role: string;
            /** Format: date-time */
            createdAt: string;
        };
        ListedMembership: {
            organizationId: string;
            organizationName: string;
            organizationSlug: string;
            role: string;
            teams: {
                id: string;
                name: string;
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        ListedOrganization: {
            id: string;
            name: string;
            slug: string;
            /** Format: date-time */
            createdAt: string;
            members: number;
            owners: number;
        };
        ListedPasskey: {
            id: string;
            name: string | null;
            deviceType: string;
            backedUp: boolean;
            /** Format: date-time */
            createdAt: string | null;
        };
        ListedSession: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            expiresAt: string;
            ipAddress: string | null;
            userAgent: string | null;
            aal: string;
            activeOrganizationId: string | null;
            /** @description The administrator who has begun the session in the name of the user; null for the user's own. */
            impersonatedBy: {
                /** @enum {unknown} */
                kind: "secret-key" | "operator" | "user";
                id: string | null;
                email: string | null;
            } | null;
        };
        MemberPage: {
            organization: components["schemas"]["ListedOrganization"];
            members: components["schemas"]["ListedMember"][];
            /** @description Rows on all pages together. */
            total: number;
            page: number;
            perPage: number;
        };
        MessagePage: {
            messages: components["schemas"]["MessageRow"][];
        };
        MessageRow: {
            /** @description Grows with time. */
            id: string;
            /** @enum {unknown} */
            channel: "email" | "sms";
            /** @description The template of a mail, or the purpose of an SMS code. */
            kind: string;
            recipient: string;
            /** @enum {unknown} */
            status: "failed" | "queued" | "sending" | "sent";
            attempts: number;
            /** @description Why the last try failed. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description Null if it does not wait.
             */
            nextTryAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its code or link expires; null: never.
             */
            expiresAt: string | null;
            /** Format: date-time */
            sentAt: string | null;
        };
        MethodStatus: {
            title: string;
            enabled: boolean;
            configured: boolean;
            /** @description Names of the fields that still need a value; those of another group with its name before them. */
            missing: string[];
            /** @description What to register at the provider; null where there is none. */
            callbackUrl: string | null;
        };
        NewFunctionToken: {
            token: string;
            id: string;
            name: string;
            /** @description Its last four characters. */
            hint: string;
            /** @description Slugs; null: all functions. */
            functions: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        ObjectForm: {
            fields: (components["schemas"]["LeafForm"] | components["schemas"]["ObjectForm"] | components["schemas"]["EntriesForm"])[];
            name: string;
            /** @constant */
            kind: "object";
            label: string;
            help?: string;
            default: null;
            limits: components["schemas"]["Limits"];
        };
        OneUser: {
            user: components["schemas"]["AdminUserView"];
        };
        OrganizationPage: {
            organizations: components["schemas"]["ListedOrganization"][];
            /** @description Rows on all pages together. */
            total: number;
            page: number;
            perPage: number;
        };
        OriginCheck: {
            /** @description The origin that a browser sends for pages of the given address; null if the text is no web address. */
            origin: string | null;
            /** @description Whether the given text is the origin itself. */
            isExact: boolean;
            /**
             * @description Whether its pages may send cookies: in every request, or in those to their own domain alone.
             * @enum {unknown}
             */
            cookies: "always" | "own-domain" | "never";
            /** @description The entry of `trusted` that decides; null without one. */
            by: null | components["schemas"]["TrustedOrigin"];
        };
        OriginsReport: {
            /** @description The origins whose pages may send cookies. Pages of all origins may read answers to requests without cookies. */
            trusted: components["schemas"]["TrustedOrigin"][];
            /** @description Only for a request with `origin`. */
            check: null | components["schemas"]["OriginCheck"];
        };
        PendingInvitation: {
            id: string;
            email: string;
            role: string | null;
            teamId: string | null;
            inviterId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        PolicyColumn: {
            name: string;
            type: string;
            isNullable: boolean;
            /** @description The table and column that a foreign key of this column alone refers to. */
            references: {
                schema: string;
                table: string;
                column: string;
            } | null;
        };
        PolicyList: {
            tables: components["schemas"]["PolicyTable"][];
        };
        PolicyTable: {
            schema: string;
            name: string;
            hasRls: boolean;
            /** @description Whether policies hold back the owner of the table, too. */
            isForced: boolean;
            /** @description Whether `/rest/v1` serves it to callers with rights on it. */
            isExposed: boolean;
            /** @description By role, the rights on the table or some of its columns. */
            grants: {
                anon: string[];
                authenticated: string[];
                service_role: string[];
            };
            primaryKey: string[];
            columns: components["schemas"]["PolicyColumn"][];
            policies: components["schemas"]["PolicyView"][];
        };
        PolicyTestList: {
            tests: components["schemas"]["TestRow"][];
        };
        PolicyVerdict: {
            policy: string;
            /** @enum {unknown} */
            command: "all" | "select" | "insert" | "update" | "delete";
            /** @enum {unknown} */
            clause: "using" | "check";
            isPermissive: boolean;
            /** @enum {unknown} */
            result: "error" | "true" | "false" | "null";
            /** @description The error that the expression has raised. */
            message: string | null;
        };
        PolicyView: {
            name: string;
            /** @enum {unknown} */
            command: "all" | "select" | "insert" | "update" | "delete";
            /** @description Names of roles; `public` is every role. */
            roles: string[];
            /** @description Expressions and comments that are very long are cut; they end with "…". */
            using: string | null;
            check: string | null;
            isPermissive: boolean;
            comment: string | null;
        };
        PresignedUpload: {
            file: components["schemas"]["ReservedFileView"];
            uploadUrl: string;
            /** @constant */
            method: "PUT";
            /** @description To be sent with the bytes exactly so. */
            requiredHeaders: {
                [key: string]: string;
            };
            /** @description When the URL ends. */
            expiresAt: string;
        };
        QueryEntry: {
            id: string;
            name: string;
            isShared: boolean;
            /** @description Whether the caller has saved it. */
            isOwn: boolean;
            /** @description The email address of its author; null for the secret key. */
            author: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        QueryList: {
            queries: components["schemas"]["QueryEntry"][];
        };
        RecentRefusal: {
            /** @description How often it has happened. */
            count: number;
            /** @description When it happened last; ISO 8601. */
            at: string;
            /** @description On the newest entry of a connection: how many earlier refusals of it are not listed. Absent if all are. */
            omitted?: number;
            /**
             * @description `ended`: the server has ended the channel or, without a topic, the connection.
             * @enum {unknown}
             */
            kind: "refused" | "ended";
            /**
             * @description The frame that was refused, or `connect`. Absent for what was ended.
             * @enum {unknown}
             */
            event?: "rt:join" | "rt:leave" | "rt:send" | "rt:track" | "rt:untrack" | "rt:token" | "connect";
            topic?: string;
            code: string;
            message: string;
            /** @description Names the connection; absent if it was refused itself. */
            client?: string;
            role?: string;
            /** @description The id of the user; absent without one. */
            user?: string;
        };
        RecentRequestView: {
            /** @description When the request began. */
            at: string;
            status: number;
            requestId: string;
            method: string;
            /** @description The pattern of the route; null if the request matched none. */
            route: string | null;
            /** @description The code of the error; null without one. */
            code: string | null;
            ms: number;
            /** @description How long the database was busy with statements for tables, functions and files that succeeded; null without any. */
            databaseMs: number | null;
            /** @enum {unknown} */
            credential: "none" | "session" | "api-key" | "third-party" | "secret-key" | "operator" | "impersonated-user" | "impersonated-anon";
            /** @description The user, on routes that look up their caller before their work; null on all others, also with a session. */
            userId: string | null;
        };
        RecentRequestsPage: {
            /** @description The newest first. */
            requests: components["schemas"]["RecentRequestView"][];
            /** @description The `before` of the next page; null on the last one. */
            next: number | null;
        };
        RefusalList: {
            /** @description At most 100, the newest first. */
            refusals: components["schemas"]["RecentRefusal"][];
        };
        RefusedRow: {
            row: unknown;
            decision: {
                /** @constant */
                kind: "no-policy";
                /** @enum {unknown} */
                command: "select" | "insert" | "update" | "delete";
                /** @enum {unknown} */
                clause: "using" | "check";
            } | {
                /** @constant */
                kind: "no-permissive";
                /** @enum {unknown} */
                command: "select" | "insert" | "update" | "delete";
                /** @enum {unknown} */
                clause: "using" | "check";
                policies: string[];
            } | {
                /** @constant */
                kind: "restrictive";
                /** @enum {unknown} */
                command: "select" | "insert" | "update" | "delete";
                /** @enum {unknown} */
                clause: "using" | "check";
                policy: string;
            } | {
                /** @constant */
                kind: "error";
                /** @enum {unknown} */
                command: "select" | "insert" | "update" | "delete";
                /** @enum {unknown} */
                clause: "using" | "check";
                policy: string;
                message: string;
            };
            verdicts: components["schemas"]["PolicyVerdict"][];
        };
        RelocationView: {
            /**
             * @description Where new files are kept, and where the next move goes; `to` of an earlier move may be another one.
             * @enum {unknown}
             */
            currentDriver: "local" | "s3";
            /** @enum {unknown} */
            state: "failed" | "idle" | "running" | "done" | "stopped";
            startedAt: string | null;
            /** @enum {unknown} */
            from: "local" | "s3";
            totalFiles: number;
            /** @description Why the move waits, e.g. a store that cannot be reached. */
            lastError: string | null;
            endedAt: string | null;
            /** @enum {unknown} */
            to: "local" | "s3";
            movedFiles: number;
            movedBytes: number;
            totalBytes: number;
            failedFiles: number;
            /** @description How many files stayed, by reason. */
            failures: {
                [key: string]: number;
            };
        };
        RenderedMail: {
            subject: string;
            text: string;
            html: string;
        };
        ReservedFileView: {
            id: string;
            bucket: string | null;
            key: string;
            size: number;
            mime: string;
            /** @enum {unknown} */
            visibility: "public" | "private";
            /** @constant */
            status: "reserved";
            /** @description When the reservation ends unless it was finalized. */
            expiresAt: string;
        };
        RestoredSettings: {
            settings: {
                [key: string]: unknown;
            };
            /** @description The paths of secrets of the version that have changed since. They are not kept, so they stay as they are now. */
            secretsAsNow: string[];
        };
        RoomPage: {
            channels: components["schemas"]["JoinedRoom"][];
            /** @description Rows on all pages together. */
            total: number;
            page: number;
            perPage: number;
        };
        RotatedKeys: {
            keyId: string;
            /** @description Until when tokens of the keys before still verify; null when there were none. */
            oldKeysUntil: string | null;
        };
        RulesEnvelopeReadonlyArray: {
            /** @constant */
            status: 1;
            /** @constant */
            message: "OK";
            data: unknown[];
        };
        SavedQuery: {
            sql: string;
            id: string;
            name: string;
            isShared: boolean;
            /** @description Whether the caller has saved it. */
            isOwn: boolean;
            /** @description The email address of its author; null for the secret key. */
            author: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        ScheduleList: {
            /** @description By name. */
            schedules: {
                /**
                 * Format: date-time
                 * @description Null while it is off.
                 */
                nextRunAt: string | null;
                id: string;
                name: string;
                /** @description The slug of the function that is called. */
                function: string;
                cron: string;
                /** @description An IANA time zone. */
                timeZone: string;
                /** @description The body of its calls, as JSON; null: an empty object. */
                body: unknown;
                isActive: boolean;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                lastRun: null | components["schemas"]["LastRun"];
            }[];
        };
        ScheduleRuns: {
            /** @description The latest first. `dead` means that a run failed. */
            runs: {
                /** @description A bigint in digits; grows with time. */
                id: string;
                /** Format: date-time */
                createdAt: string;
                eventId: string;
                target: string;
                /** @enum {unknown} */
                status: "pending" | "succeeded" | "failed" | "dead";
                attempts: number;
                responseStatus: number | null;
                error: string | null;
                durationMs: number | null;
                payload: unknown;
                /** Format: date-time */
                nextAttemptAt: string | null;
            }[];
        };
        ScheduleView: {
            /**
             * Format: date-time
             * @description Null while it is off.
             */
            nextRunAt: string | null;
            id: string;
            name: string;
            /** @description The slug of the function that is called. */
            function: string;
            cron: string;
            /** @description An IANA time zone. */
            timeZone: string;
            /** @description The body of its calls, as JSON; null: an empty object. */
            body: unknown;
            isActive: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SchemaColumn: {
            name: string;
            /** @description As SQL writes it; types outside pg_catalog with their schema. */
            type: string;
            /** @description The type below domains; the same as `type` for others. */
            baseType: string;
            /** @description `pg_type.typcategory` of the base type: N numbers, S texts, B booleans, D times, A arrays, E enums, U others. */
            category: string;
            isNullable: boolean;
            /** @description The column's own default or, if it is generated, its expression. */
            default: string | null;
            isGenerated: boolean;
            /** @enum {unknown} */
            identity: null | "always" | "by default";
            /** @description The values of the enum, or of the members of an array of enums, in their order. */
            enumValues: string[] | null;
            comment: string | null;
        };
        SchemaContent: {
            tables: components["schemas"]["SchemaTable"][];
            enums: components["schemas"]["EnumType"][];
            functions: components["schemas"]["SchemaFunction"][];
        };
        SchemaForeignKey: {
            name: string;
            columns: string[];
            /** @description Where the table is that the key refers to. */
            schema: string;
            table: string;
            /** @description In the order of `columns`. */
            foreignColumns: string[];
            /** @enum {unknown} */
            onUpdate: "no action" | "restrict" | "cascade" | "set null" | "set default";
            /** @enum {unknown} */
            onDelete: "no action" | "restrict" | "cascade" | "set null" | "set default";
        };
        SchemaFunction: {
            /** @description Its oid; another one after it was dropped and made again. */
            id: string;
            schema: string;
            name: string;
            /** @description With names, modes and defaults. */
            arguments: string;
            /** @description What names the function among others of its name in `alter` and `drop`. */
            identityArguments: string;
            /** @description Null for procedures. */
            returns: string | null;
            language: string;
            /** @enum {unknown} */
            kind: "function" | "procedure" | "aggregate" | "window";
            /** @enum {unknown} */
            volatility: "immutable" | "stable" | "volatile";
            isSecurityDefiner: boolean;
            comment: string | null;
        };
        SchemaTable: {
            schema: string;
            name: string;
            /** @enum {unknown} */
            kind: "table" | "partitioned" | "view" | "materialized view" | "foreign";
            /** @description The name of the table that this one is a partition of. */
            partitionOf: string | null;
            comment: string | null;
            hasRls: boolean;
            policyCount: number;
            /** @description Partitions included. From the statistics of PostgreSQL, which follow writes after a moment. */
            estimatedRows: number;
            /** @description With indexes and partitions; null while a change of the schema keeps a table of the schema locked. */
            bytes: number | null;
            /** @description Whether requests to `/rest/v1` reach the table. Policies and grants decide what they see. */
            isExposed: boolean;
            /** @description In the order of the key; empty without one. */
            primaryKey: string[];
            columns: components["schemas"]["SchemaColumn"][];
            foreignKeys: components["schemas"]["SchemaForeignKey"][];
        };
        ScriptField: {
            name: string;
            type: string;
        };
        ScriptNotice: {
            /** @description `NOTICE`, `WARNING`, `INFO`, … */
            severity: string;
            message: string;
        };
        ScriptResult: {
            /** @description From the last statement that returns rows; values in the form for JSON. */
            rows: {
                [key: string]: unknown;
            }[];
            fields: components["schemas"]["ScriptField"][];
            /** @description Rows returned or written by that statement; by the last statement if none returns rows. */
            rowCount: number;
            durationMs: number;
        };
        SecretList: {
            /** @description By name. */
            secrets: components["schemas"]["SecretView"][];
        };
        SecretView: {
            name: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SettingsVersion: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                kind: string;
                id: string | null;
                email: string | null;
            };
            /** @enum {unknown} */
            action: "save" | "revert" | "restore";
            /** @description The version that a `restore` has returned to. */
            restoredId: string | null;
            /** @description What was stored before the change; null if the group was not stored. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description What is stored since the change. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The paths of the secrets that have another value since the change. */
            changedSecrets: string[];
        };
        SigningKeyView: {
            /** @description The `kid` of its tokens. */
            keyId: string;
            algorithm: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when tokens of a replaced key verify; null for the current one.
             */
            publishedUntil: string | null;
        };
        SigningKeys: {
            /** @description The current key first. Empty before the first token: the first request for one makes the key. */
            keys: components["schemas"]["SigningKeyView"][];
            /** @description Lifetime of a token, in seconds. */
            tokenSeconds: number;
            /** @description The age at which a key is replaced by itself; 0: it is not. */
            rotateAfterDays: number;
            /** @description How long a replaced key stays published unless the rotation says otherwise. */
            graceDays: number;
        };
        SsoReadiness: {
            providerId: string;
            /** @description Whether no check failed. */
            ready: boolean;
            checks: ({
                /** @constant */
                status: "ok";
                /** @enum {unknown} */
                name: "settings" | "id" | "domains" | "secrets" | "endpoints" | "certificates";
            } | {
                /** @enum {unknown} */
                status: "failed" | "warning";
                reason: string;
                /** @enum {unknown} */
                name: "settings" | "id" | "domains" | "secrets" | "endpoints" | "certificates";
            })[];
        };
        SsoUrls: {
            providerId: string;
            oidc: {
                redirectURI: string;
            };
            saml: {
                redirectURI: string;
                spMetadataUrl: string;
                /** @description What the service provider is called unless the provider's configuration says otherwise. */
                entityID: string;
            };
        };
        StatementAnswer: {
            /** @description The first word of its command tag, such as `SELECT`. */
            command: string;
            fields: components["schemas"]["ScriptField"][];
            /** @description Each value in the text that PostgreSQL writes it in, by the order of the fields. */
            rows: (string | null)[][];
            /** @description Rows returned or written; of a cut answer the rows that are there. */
            rowCount: number;
            /** @description Whether there were more rows than were asked for. */
            isCut: boolean;
            durationMs: number;
            notices: components["schemas"]["ScriptNotice"][];
        };
        StatementAnswers: {
            statements: components["schemas"]["StatementAnswer"][];
            durationMs: number;
        };
        StoredVersion: {
            version: number;
            entrypoint: string;
            files: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
        };
        TableConstraint: {
            name: string;
            /** @description As `alter table … add constraint` takes it. */
            definition: string;
        };
        TableDependent: {
            /** @description In words, as PostgreSQL names it in errors: `view public.notes_of_today`. */
            object: string;
            /** @description The columns that it needs; empty if it needs the table alone. */
            columns: string[];
            /** @description Those of them that cannot be dropped without `cascade`. It goes with the others by itself. */
            heldColumns: string[];
            /** @description Whether it goes with the table by itself. Without, the table cannot be dropped without `cascade`. */
            isOwn: boolean;
        };
        TableDetails: {
            schema: string;
            name: string;
            indexes: components["schemas"]["TableIndex"][];
            uniques: components["schemas"]["TableConstraint"][];
            checks: components["schemas"]["TableConstraint"][];
            /** @description Those of the platform and of foreign keys are left out. */
            triggers: components["schemas"]["TableTrigger"][];
            policies: components["schemas"]["TablePolicy"][];
            dependents: components["schemas"]["TableDependent"][];
            hasRls: boolean;
            /** @description Whether policies hold for the owner too. */
            isRlsForced: boolean;
            grants: components["schemas"]["TableGrants"];
            /** @description Without indexes. */
            tableBytes: number;
            indexBytes: number;
        };
        TableGrants: {
            anon: string[];
            authenticated: string[];
            service_role: string[];
        };
        TableIndex: {
            name: string;
            /** @description The statement that makes it. Definitions, expressions and comments that are very long are cut; they end with "…". */
            definition: string;
            isUnique: boolean;
            isPrimary: boolean;
            /** @description False after `create index concurrently` has failed. */
            isValid: boolean;
        };
        TablePolicy: {
            name: string;
            /** @enum {unknown} */
            command: "all" | "select" | "insert" | "update" | "delete";
            /** @description `public` means every role. */
            roles: string[];
            /** @description Whether it allows; restrictive policies narrow the permissive ones down. */
            isPermissive: boolean;
            using: string | null;
            check: string | null;
            comment: string | null;
        };
        TableTrigger: {
            name: string;
            /** @description The statement that makes it. */
            definition: string;
            isEnabled: boolean;
        };
        TestOutcome: {
            id: string;
            name: string;
            passed: boolean;
            expected: {
                /** @constant */
                kind: "rows";
                count: number;
            } | {
                /** @constant */
                kind: "keys";
                keys: unknown[];
            } | {
                /** @constant */
                kind: "refused";
                code: string;
            };
            actual: {
                /** @constant */
                kind: "answered";
                count: number | null;
                keys: unknown[] | null;
            } | {
                /** @constant */
                kind: "refused";
                code: string;
                message: string;
            };
        };
        TestRow: {
            id: string;
            name: string;
            as: unknown;
            request: unknown;
            expect: unknown;
            createdAt: string;
            updatedAt: string;
        };
        TestRun: {
            passed: number;
            failed: number;
            results: components["schemas"]["TestOutcome"][];
        };
        TokenView: {
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "delete" | "write" | "read";
            /** @description Its first characters. */
            start: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            createdAt: string;
        };
        TriedTableFacts: {
            schema: string;
            name: string;
            hasRls: boolean;
            /** @description False for a role that bypasses policies, and for a table without row level security. */
            isSecured: boolean;
            /** @description Rights of the role on the table or some of its columns. */
            grants: string[];
        };
        TriggerDeliveries: {
            /** @description The latest first. */
            deliveries: {
                /** @description A bigint in digits; grows with time. */
                id: string;
                /** Format: date-time */
                createdAt: string;
                eventId: string;
                target: string;
                /** @enum {unknown} */
                status: "pending" | "succeeded" | "failed" | "dead";
                attempts: number;
                responseStatus: number | null;
                error: string | null;
                durationMs: number | null;
                payload: unknown;
                /** Format: date-time */
                nextAttemptAt: string | null;
            }[];
        };
        TriggerList: {
            /** @description By name. */
            triggers: {
                id: string;
                name: string;
                /** @description Of the schema public; null: the table is gone. */
                table: string | null;
                events: ("INSERT" | "UPDATE" | "DELETE")[];
                /** @description As in channels, such as `status=eq.paid`; null: every change. */
                filter: string | null;
                /** @description The slug of the function that is called; null: an address is. */
                function: string | null;
                url: string | null;
                isActive: boolean;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                pending: number;
                dead: number;
            }[];
        };
        TriggerWithSecret: {
            /** @description `whsec_…`, as in Standard Webhooks; null if a function is called. */
            secret: string | null;
            id: string;
            name: string;
            /** @description Of the schema public; null: the table is gone. */
            table: string | null;
            events: ("INSERT" | "UPDATE" | "DELETE")[];
            /** @description As in channels, such as `status=eq.paid`; null: every change. */
            filter: string | null;
            /** @description The slug of the function that is called; null: an address is. */
            function: string | null;
            url: string | null;
            isActive: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TrustedOrigin: {
            /** @description With `*` for any part in front, or any port. */
            origin: string;
            /**
             * @description `project`: its own address. `settings`: a web address of `auth.urls`. `machine`: a project on localhost trusts the
             *     pages of the machine. `domain`: a verified domain, for requests to that domain alone.
             * @enum {unknown}
             */
            source: "project" | "settings" | "machine" | "domain";
        };
        TryResult: {
            /** @description The claims are null for an operator who may not see accounts. */
            caller: {
                /** @enum {unknown} */
                role: "anon" | "authenticated" | "service_role";
                claims: unknown;
            };
            outcome: {
                /** @constant */
                kind: "answered";
                status: number;
                /** @description JSON of the answer; null without a body. */
                body: unknown;
            } | {
                /** @constant */
                kind: "refused";
                status: number;
                code: string;
                message: string;
                details: unknown;
                hint: string | null;
            };
            /** @description Rows read or written; null when refused. */
            count: number | null;
            /** @description Primary keys of the rows that the caller sees, at most 1,000; null where the table has none. */
            keys: unknown[] | null;
            table: null | components["schemas"]["TriedTableFacts"];
            policies: components["schemas"]["AppliedPolicy"][];
            /** @description Null where nothing can be hidden: inserts, functions, roles that bypass policies. */
            hidden: null | components["schemas"]["HiddenRows"];
            /** @description New rows that a check refuses. */
            refusedRows: components["schemas"]["RefusedRow"][];
            durationMs: number;
        };
        UserDetail: {
            user: components["schemas"]["AdminUserView"];
            sessions: components["schemas"]["ListedSession"][];
            identities: components["schemas"]["ListedIdentity"][];
            factors: components["schemas"]["ListedFactor"][];
            passkeys: components["schemas"]["ListedPasskey"][];
            memberships: components["schemas"]["ListedMembership"][];
            apiKeys: components["schemas"]["ListedApiKey"][];
        };
        UserPage: {
            users: components["schemas"]["AdminUserView"][];
            /** @description Rows on all pages together. */
            total: number;
            page: number;
            perPage: number;
        };
        UserView: {
            id: string;
            email: string;
            name: string;
            username: string | null;
            image: string | null;
            role: string;
            status: string;
            is_anonymous: boolean;
        };
        VersionDiff: {
            from: number;
            to: number;
            /** @description By path. */
            files: components["schemas"]["ChangedFile"][];
        };
        VersionList: {
            /** @description The newest first. */
            versions: {
                version: number;
                entrypoint: string;
                files: number;
                /** Format: date-time */
                createdAt: string;
                createdBy: string;
                isActive: boolean;
            }[];
        };
        WebhookOutcome: {
            isDelivered: boolean;
            /** @description Status of the answer; undefined if there was none. */
            status?: number;
            /** @description Undefined if it was delivered. */
            error?: string;
            durationMs: number;
        };
        WebhookView: {
            id: string;
            url: string;
            events: ("uploaded" | "copied" | "moved" | "deleted")[];
            active: boolean;
            /** @description Until then the secret before this one signs along; null when there is none. */
            previousSecretUntil: string | null;
            createdAt: string;
            updatedAt: string;
        };
        WebhookWithSecret: {
            secret: string;
            id: string;
            url: string;
            events: ("uploaded" | "copied" | "moved" | "deleted")[];
            active: boolean;
            /** @description Until then the secret before this one signs along; null when there is none. */
            previousSecretUntil: string | null;
            createdAt: string;
            updatedAt: string;
        };
        AuthUser: {
            id: string;
            email: string;
            name: string;
            username: string | null;
            image: string | null;
            /** @enum {unknown} */
            role: "USER" | "ADMIN";
            status: string;
            emailVerified: boolean;
            phoneNumber: string | null;
            phoneNumberVerified: boolean;
            twoFactorEnabled: boolean;
            is_anonymous: boolean;
            /** @description Only administrators write it; for policies. */
            app_metadata: {
                [key: string]: unknown;
            };
            /** @description The user writes it. */
            user_metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AuthSession: {
            id: string;
            /**
             * @description `aal2` after a second factor or a passkey.
             * @enum {unknown}
             */
            aal: "aal1" | "aal2";
            activeOrganizationId: string | null;
            activeTeamId: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            ipAddress: string | null;
            userAgent: string | null;
            userId: string;
            /** @description To be sent as bearer token. */
            token: string;
        };
        SignedIn: {
            /** @description To be sent as bearer token; null where an address must be proven first. */
            token: string | null;
            user: components["schemas"]["AuthUser"];
            session?: components["schemas"]["AuthSession"];
            status?: boolean;
            /** @description Sent as `x-trust-token`, it skips the second step. */
            trustToken?: string;
        };
        SecondStep: {
            /** @constant */
            twoFactorRedirect: true;
            twoFactorMethods: string[];
            otpChannels: string[];
            /** @description Sent as `x-mfa-token` with the proof of the second step. */
            mfaToken: string;
        };
        Session: {
            session: components["schemas"]["AuthSession"];
            user: components["schemas"]["AuthUser"];
        };
        ListedOwnSession: {
            id: string;
            /**
             * @description `aal2` after a second factor or a passkey.
             * @enum {unknown}
             */
            aal: "aal1" | "aal2";
            activeOrganizationId: string | null;
            activeTeamId: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            ipAddress: string | null;
            userAgent: string | null;
            /** @description Names the session for `revoke-session`; no credential. */
            token: string;
            isCurrent: boolean;
        };
        Done: {
            /** @constant */
            status: true;
        };
        Success: {
            /** @constant */
            success: true;
        };
        OwnIdentity: {
            id: string;
            provider: string;
            providerId: string;
            /** @description The id of the user at the provider. */
            accountId: string;
            userId: string;
            scopes: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProviderProfile: {
            user: {
                id?: string;
                name?: string | null;
                email?: string | null;
                image?: string | null;
                emailVerified: boolean;
            };
            /** @description What the provider says, without its tokens. */
            data: {
                [key: string]: unknown;
            };
            account: {
                id: string;
                providerId: string;
                accountId: string;
            };
        };
        ProviderTokens: {
            accessToken?: string;
            refreshToken?: string;
            idToken?: string;
            /** Format: date-time */
            accessTokenExpiresAt?: string | null;
            /** Format: date-time */
            refreshTokenExpiresAt?: string | null;
            scopes?: string[];
            scope?: string | null;
            providerId?: string;
            accountId?: string;
        };
        OwnPasskey: {
            id: string;
            name: string | null;
            credentialID: string;
            deviceType: string;
            backedUp: boolean;
            transports: string | null;
            aaguid: string | null;
            /** Format: date-time */
            createdAt: string | null;
        };
        OwnApiKey: {
            id: string;
            name: string | null;
            /** @description The first characters of the key. */
            start: string | null;
            prefix: string | null;
            enabled: boolean;
            /** @description How many uses are left; null for any number. */
            remaining: number | null;
            refillAmount: number | null;
            refillInterval: number | null;
            /** Format: date-time */
            lastRequest: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            permissions: {
                [key: string]: unknown;
            } | null;
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        NewApiKey: {
            id: string;
            name: string | null;
            /** @description The first characters of the key. */
            start: string | null;
            prefix: string | null;
            enabled: boolean;
            /** @description How many uses are left; null for any number. */
            remaining: number | null;
            refillAmount: number | null;
            refillInterval: number | null;
            /** Format: date-time */
            lastRequest: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            permissions: {
                [key: string]: unknown;
            } | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Shown once. */
            key: string;
        };
        TrustedDevice: {
            id: string;
            userAgent: string | null;
            ipAddress: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
            isCurrent: boolean;
        };
        Organization: {
            id: string;
            name: string;
            slug: string;
            logo: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
        };
        Member: {
            id: string;
            organizationId: string;
            userId: string;
            role: string;
            /** Format: date-time */
            createdAt: string;
        };
        MemberWithUser: {
            id: string;
            organizationId: string;
            userId: string;
            role: string;
            /** Format: date-time */
            createdAt: string;
            user: {
                id: string;
                name: string;
                email: string;
                image: string | null;
            };
        };
        Invitation: {
            id: string;
            organizationId: string;
            email: string;
            role: string;
            teamId: string | null;
            /** @enum {unknown} */
            status: "pending" | "accepted" | "rejected" | "canceled";
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            inviterId: string;
        };
        Team: {
            id: string;
            name: string;
            organizationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TeamMember: {
            id: string;
            teamId: string;
            userId: string;
            /** Format: date-time */
            createdAt: string;
        };
        SsoProvider: {
            providerId: string;
            /** @enum {unknown} */
            type: "oidc" | "saml";
            issuer: string;
            domain: string;
            domains: {
                domain: string;
                verified: boolean;
                record?: {
                    [key: string]: unknown;
                };
            }[];
            domainVerified: boolean;
            organizationId: string | null;
            /** @description What to register at the identity provider. */
            redirectURI?: string;
            spMetadataUrl?: string;
            entityID?: string;
            /** @description Without its secrets. */
            oidcConfig?: {
                [key: string]: unknown;
            };
            /** @description Without its secrets. */
            samlConfig?: {
                [key: string]: unknown;
            };
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
    "adminRestDocs.page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "adminRestDocs.document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document; under its own media type where `Accept` names it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "application/openapi+json": {
                        [key: string]: unknown;
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
    "rows.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "changes": [
                 *         {
                 *           "kind": "insert",
                 *           "values": {
                 *             "title": "Hello",
                 *             "body": "The first post."
                 *           }
                 *         },
                 *         {
                 *           "kind": "insert",
                 *           "values": {
                 *             "title": "A draft",
                 *             "is_published": "false"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeRowsBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRows"];
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
    "authStatus.read": {
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
                        [key: string]: components["schemas"]["MethodStatus"];
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
    "authStatus.origins": {
        parameters: {
            query?: {
                /** @description The address of a page: whether it may use cookies */
                origin?: string;
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
                    "application/json": components["schemas"]["OriginsReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "authStatus.keys": {
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
                    "application/json": components["schemas"]["SigningKeys"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "authStatus.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "graceDays": 7
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeysBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKeys"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "studio.adminSession": {
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
                    "application/json": components["schemas"]["AdminSession"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "userAccess.invite": {
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
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["InviteUserBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneUser"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "userAccess.generateLink": {
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
                 *       "type": "signup",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["GenerateLinkBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedLink"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "userAccess.resetPassword": {
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
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneUser"];
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
    "userAccess.endSessions": {
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
    "userAccess.endSession": {
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
    "userAccess.factors": {
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
                    "application/json": {
                        factors: components["schemas"]["ListedFactor"][];
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
    "userAccess.deleteFactor": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                factorId: string;
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
    "userActions.ban": {
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
                 *       "reason": "Spam",
                 *       "until": "2099-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["BanUserBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneUser"];
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
    "userActions.impersonate": {
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
                 *       "expiresInSeconds": 900
                 *     }
                 */
                "application/json": components["schemas"]["ImpersonateBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Impersonation"];
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
    "userActions.deleteApiKey": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                keyId: string;
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
    "userActions.deletePasskey": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                passkeyId: string;
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
    "adminUsers.list": {
        parameters: {
            query?: {
                page?: number;
                perPage?: number;
                /** @description A part of an address, name, user name, number or id */
                search?: string;
                role?: string;
                status?: string;
                /** @description credential: users with a password */
                provider?: string;
                isAnonymous?: "true" | "false";
                /** @description This moment included */
                createdFrom?: string;
                /** @description This moment not included */
                createdTo?: string;
                /** @description This moment included */
                lastSignInFrom?: string;
                /** @description This moment not included */
                lastSignInTo?: string;
                /** @description false: only users who never signed in */
                hasSignedIn?: "true" | "false";
                orderBy?: "createdAt.desc" | "createdAt.asc" | "updatedAt.desc" | "updatedAt.asc" | "lastSignInAt.desc" | "lastSignInAt.asc" | "email.asc" | "email.desc" | "name.asc" | "name.desc" | "username.asc" | "username.desc";
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
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "adminUsers.create": {
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
                 *       "password": "correct horse battery",
                 *       "name": "Ada Lovelace",
                 *       "emailVerified": true,
                 *       "app_metadata": {
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneUser"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "adminUsers.read": {
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
                    "application/json": components["schemas"]["UserDetail"];
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
    "adminUsers.delete": {
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
    "adminUsers.change": {
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
                 *       "name": "Ada King",
                 *       "app_metadata": {
                 *         "plan": "free"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeUserBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneUser"];
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
    "adminUsers.act": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                action: string;
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
                    "application/json": components["schemas"]["OneUser"];
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
    "adminOrganizations.list": {
        parameters: {
            query?: {
                page?: number;
                perPage?: number;
                /** @description A part of a name, slug or id */
                search?: string;
                /** @description false: only organizations without an owner */
                hasOwner?: "true" | "false";
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
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "adminOrganizations.members": {
        parameters: {
            query?: {
                page?: number;
                perPage?: number;
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
                    "application/json": components["schemas"]["MemberPage"];
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
    "adminOrganizations.setMember": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["SetMemberBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        member: components["schemas"]["ListedMember"];
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
    "adminOrganizations.removeMember": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
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
    "adminOrganizations.invitations": {
        parameters: {
            query?: {
                page?: number;
                perPage?: number;
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
                    "application/json": components["schemas"]["InvitationPage"];
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
    "adminOrganizations.cancelInvitation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                invitationId: string;
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
    "history.list": {
        parameters: {
            query?: {
                /** @description The id of a version: older ones are listed */
                before?: string;
                limit?: number;
            };
            header?: never;
            path: {
                group: string;
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
                    "application/json": components["schemas"]["HistoryPage"];
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
    "history.restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RestoreBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredSettings"];
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
    "messages.testMail": {
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
                 *       "to": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["TestMailBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        delivered: true;
                        /** @enum {unknown} */
                        transport: "hook" | "smtp" | "inbox";
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
    "messages.testSms": {
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
                 *       "to": "+15551234567"
                 *     }
                 */
                "application/json": components["schemas"]["TestSmsBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        delivered: true;
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
    "messages.templates": {
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
                        kinds: {
                            /** @enum {unknown} */
                            kind: "verifyEmail" | "magicLink" | "emailOtp" | "verifyEmailOtp" | "resetPassword" | "resetPasswordLink" | "reauthenticate" | "secondFactor" | "inviteUser" | "inviteMember" | "passwordChanged" | "test";
                            title: string;
                            help: string;
                            variables: {
                                /** @description What the variable contains, for the editor of a template. */
                                holds: string;
                                /** @description Whether every mail of the kind has a value for it. */
                                required: boolean;
                                /** @enum {unknown} */
                                form: "text" | "link";
                                /** @description Its value in a preview. */
                                example: string;
                                name: string;
                            }[];
                            needs: string[][];
                            defaults: {
                                subject: string;
                                text: string;
                                html: string;
                            };
                            template: {
                                subject: string | null;
                                text: string | null;
                                html: string | null;
                            };
                        }[];
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
    "messages.preview": {
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
                 *       "kind": "magicLink",
                 *       "template": {
                 *         "subject": "Sign in to {{ appName }}"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewMailBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedMail"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "settings.list": {
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
                    "application/json": components["schemas"]["GroupForm"][];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "settings.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
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
                        [key: string]: unknown;
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
    "settings.save": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "minPasswordLength": 12,
                 *       "requireDigit": true
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
    "settings.revert": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
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
                        [key: string]: unknown;
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
    "settings.sources": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
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
                    "application/json": components["schemas"]["GroupSources"];
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
    "inbox.list": {
        parameters: {
            query?: {
                /** @description Mails to this address alone */
                recipient?: string;
                limit?: number;
                /** @description The id of a mail: older ones are listed */
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
                    "application/json": components["schemas"]["InboxPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "inbox.empty": {
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
    "inbox.read": {
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
                    "application/json": components["schemas"]["KeptMail"];
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
    "sentMessages.list": {
        parameters: {
            query?: {
                status?: "queued" | "sending" | "sent" | "failed";
                /** @description Messages to this address or number alone */
                recipient?: string;
                /** @description The id of a message: older ones are listed */
                before?: string;
                limit?: number;
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
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "sentMessages.retry": {
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
                    "application/json": {
                        id: string;
                        /** @enum {unknown} */
                        status: "queued" | "sending";
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
    "hooks.list": {
        parameters: {
            query?: {
                status?: "succeeded" | "failed" | "pending" | "dead";
                /** @description The id of a delivery: older ones are listed */
                before?: string;
                limit?: number;
                hook?: "signUp" | "accessToken" | "send" | "events";
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
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "hooks.retry": {
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
                    "application/json": {
                        id: string;
                        /** @constant */
                        status: "pending";
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
    "ssoProviders.list": {
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
                        providers: {
                            [key: string]: unknown;
                        }[];
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
    "ssoProviders.create": {
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
                 *       "providerId": "acme",
                 *       "issuer": "https://idp.example.com",
                 *       "domain": "example.com",
                 *       "oidcConfig": {
                 *         "clientId": "rowhouse",
                 *         "clientSecret": "a secret of the provider"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSsoProviderBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
    "ssoProviders.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
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
                        [key: string]: unknown;
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
    "ssoProviders.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
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
    "ssoProviders.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "example.com,example.org"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSsoProviderBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
    "ssoProviders.verifyDomains": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "domain": "example.com"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyDomainsBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
    "ssoProviders.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
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
                    "application/json": components["schemas"]["SsoReadiness"];
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
    "ssoProviders.urls": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
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
                    "application/json": components["schemas"]["SsoUrls"];
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
    "audit.list": {
        parameters: {
            query?: {
                /** @description An action, or with * at its end several */
                action?: string;
                /** @description What was changed: the id of a user, a settings group */
                target?: string;
                actorKind?: "user" | "operator" | "secret-key";
                /** @description Who changed it: the id of a user or an operator */
                actorId?: string;
                /** @description This moment included */
                from?: string;
                /** @description This moment not included */
                to?: string;
                /** @description The id of an entry: older ones are listed */
                before?: string;
                limit?: number;
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
    "requests.list": {
        parameters: {
            query?: {
                /** @description `failed`: 4xx and 5xx. `slow`: a second and more. */
                kind?: "all" | "failed" | "slow";
                limit?: number;
                /** @description `next` of the page before. */
                before?: number;
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
                    "application/json": components["schemas"]["RecentRequestsPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "requests.feed": {
        parameters: {
            query?: {
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests, until the time is over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "sql.run": {
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
                 *       "query": "select $1::int + 1 as next",
                 *       "params": [
                 *         41
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RunSqlBody"];
                /** @example select 1 as one */
                "application/sql": string;
            };
        };
        responses: {
            /** @description The rows of the last statement that gives rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScriptResult"] | components["schemas"]["StatementAnswers"];
                };
            };
            /** @description The script is not valid, or its data is refused */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @description Of an error in the script: the place that PostgreSQL names, or where the statement begins. */
                        details?: {
                            /** @description Which statement; the first is 1. */
                            statement?: number;
                            /** @description In the script; the first is 1. */
                            line?: number;
                            /** @description In characters; the first is 1. */
                            column?: number;
                            /** @description The detail that PostgreSQL gives. */
                            detail?: string;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The caller has no right to this, or the script has none */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @description Of an error in the script: the place that PostgreSQL names, or where the statement begins. */
                        details?: {
                            /** @description Which statement; the first is 1. */
                            statement?: number;
                            /** @description In the script; the first is 1. */
                            line?: number;
                            /** @description In characters; the first is 1. */
                            column?: number;
                            /** @description The detail that PostgreSQL gives. */
                            detail?: string;
                        };
                    };
                };
            };
            /** @description The script names a table or a function that does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @description Of an error in the script: the place that PostgreSQL names, or where the statement begins. */
                        details?: {
                            /** @description Which statement; the first is 1. */
                            statement?: number;
                            /** @description In the script; the first is 1. */
                            line?: number;
                            /** @description In characters; the first is 1. */
                            column?: number;
                            /** @description The detail that PostgreSQL gives. */
                            detail?: string;
                        };
                    };
                };
            };
            /** @description The script breaks a unique or a foreign key, or lost against another change */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @description Of an error in the script: the place that PostgreSQL names, or where the statement begins. */
                        details?: {
                            /** @description Which statement; the first is 1. */
                            statement?: number;
                            /** @description In the script; the first is 1. */
                            line?: number;
                            /** @description In characters; the first is 1. */
                            column?: number;
                            /** @description The detail that PostgreSQL gives. */
                            detail?: string;
                        };
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "sql.cancel": {
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
    "policies.list": {
        parameters: {
            query?: {
                /** @description Only tables of this schema */
                schema?: string;
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
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "policies.try": {
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
                 *       "as": {
                 *         "kind": "anon"
                 *       },
                 *       "request": {
                 *         "kind": "select",
                 *         "table": "posts",
                 *         "query": "order=id"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TryPoliciesBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryResult"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "policyTests.list": {
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
                    "application/json": components["schemas"]["PolicyTestList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "policyTests.create": {
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
                 *       "name": "Visitors write no posts",
                 *       "as": {
                 *         "kind": "anon"
                 *       },
                 *       "request": {
                 *         "kind": "insert",
                 *         "table": "posts",
                 *         "values": {
                 *           "title": "Hello"
                 *         }
                 *       },
                 *       "expect": {
                 *         "kind": "refused",
                 *         "code": "42501"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreatePolicyTestBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRow"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "policyTests.run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RunPolicyTestsBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "policyTests.remove": {
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
    "policyTests.change": {
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
                 *       "name": "Visitors add no posts"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePolicyTestBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRow"];
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
    "queries.list": {
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
                    "application/json": components["schemas"]["QueryList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "queries.save": {
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
                 *       "name": "New users by day",
                 *       "sql": "select 1 as one"
                 *     }
                 */
                "application/json": components["schemas"]["NewQueryBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuery"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "queries.read": {
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
                    "application/json": components["schemas"]["SavedQuery"];
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
    "queries.remove": {
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
    "queries.change": {
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
                 *       "name": "New users by week",
                 *       "sql": "select 2 as two"
                 *     }
                 */
                "application/json": components["schemas"]["ChangedQueryBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQuery"];
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
    "capturedTables.list": {
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
                    "application/json": components["schemas"]["CapturedTable"][];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "capturedTables.set": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["CapturedTableBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturedTable"];
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
    "figures.stats": {
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
                    "application/json": components["schemas"]["HubStats"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "figures.channels": {
        parameters: {
            query?: {
                page?: number;
                perPage?: number;
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
                    "application/json": components["schemas"]["RoomPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "figures.refusals": {
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
                    "application/json": components["schemas"]["RefusalList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "figures.feed": {
        parameters: {
            query?: {
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until the time is over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "inspector.inspect": {
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
                 *       "listeners": [
                 *         {
                 *           "as": {
                 *             "role": "anon"
                 *           },
                 *           "join": {
                 *             "topic": "room",
                 *             "config": {}
                 *           },
                 *           "presence": {
                 *             "name": "Ada"
                 *           }
                 *         }
                 *       ],
                 *       "seconds": 1
                 *     }
                 */
                "application/json": components["schemas"]["InspectBody"];
            };
        };
        responses: {
            /** @description The events, until the time is over or no listener is left */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "inspector.send": {
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
                 *       "as": {
                 *         "role": "anon"
                 *       },
                 *       "topic": "room",
                 *       "event": "moved",
                 *       "payload": {
                 *         "x": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SendAsBody"];
            };
        };
        responses: {
            /** @description The message is sent */
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
    "readFiles.list": {
        parameters: {
            query?: {
                /** @description The folder to look into, e.g. photos/2024 */
                prefix?: string;
                /** @description Part of a name, in small or capital letters */
                search?: string;
                limit?: number;
                offset?: number;
                sortBy?: "name" | "key" | "size" | "createdAt" | "updatedAt";
                order?: "asc" | "desc";
                /** @description Whether all files below the prefix are listed, and no folders */
                recursive?: "true" | "false";
            };
            header?: never;
            path: {
                bucket: string;
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
                    "application/json": components["schemas"]["FilePageFileEntry"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "readFiles.object": {
        parameters: {
            query?: {
                /** @description Saves the file, under this name */
                download?: unknown;
            };
            header?: never;
            path: {
                bucket: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "uploads.put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
                bucket: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example Hello, world */
                "*/*": string;
            };
        };
        responses: {
            /** @description The file */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "changeFiles.deleteObject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
                bucket: string;
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
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
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
    "readFiles.objectHead": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucket: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "readFiles.objectInfo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucket: string;
                path: string;
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
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "readFiles.objectUrl": {
        parameters: {
            query?: {
                /** @description Seconds, 1 to 604800 */
                expiresIn?: unknown;
            };
            header?: never;
            path: {
                bucket: string;
                path: string;
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
                    "application/json": components["schemas"]["DataEnvelopeFileUrl"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "readFiles.info": {
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
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "changeFiles.delete": {
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
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
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
    "changeFiles.change": {
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
                 *       "visibility": "public",
                 *       "metadata": {
                 *         "author": "Ada"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeFileBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
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
    "readFiles.url": {
        parameters: {
            query?: {
                /** @description Seconds, 1 to 604800 */
                expiresIn?: unknown;
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
                    "application/json": components["schemas"]["DataEnvelopeFileUrl"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "readFiles.raw": {
        parameters: {
            query?: {
                /** @description Saves the file, under this name */
                download?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "readFiles.rawHead": {
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
            /** @description The headers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "changeFiles.copy": {
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
                 *       "bucket": "avatars",
                 *       "from": "drafts/ada.png",
                 *       "to": "ada.png"
                 *     }
                 */
                "application/json": components["schemas"]["RelocateFileBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "changeFiles.move": {
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
                 *       "bucket": "avatars",
                 *       "from": "drafts/ada.png",
                 *       "to": "ada.png"
                 *     }
                 */
                "application/json": components["schemas"]["RelocateFileBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "changeFiles.remove": {
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
                 *       "bucket": "avatars",
                 *       "paths": [
                 *         "drafts/ada.png",
                 *         "ada.png"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RemoveFilesBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeReadonlyArray4"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "fileImages.render": {
        parameters: {
            query?: {
                /** @description origin, webp, avif, jpeg or png */
                format?: unknown;
                /** @description 20 to 100 */
                quality?: unknown;
                /** @description cover, contain or fill */
                resize?: unknown;
                /** @description 1 to 2000 pixels */
                height?: unknown;
                /** @description 1 to 2000 pixels */
                width?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "buckets.list": {
        parameters: {
            query?: {
                /** @description Whether those of the platform are shown, too */
                hidden?: "true" | "false";
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
                    "application/json": components["schemas"]["DataEnvelopeReadonlyArray"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "buckets.create": {
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
                 *       "allowedMimeTypes": [
                 *         "image/*",
                 *         "application/pdf"
                 *       ],
                 *       "slug": "pictures"
                 *     }
                 */
                "application/json": components["schemas"]["CreateBucketBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeBucketView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "buckets.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeBucketView"];
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
    "buckets.delete": {
        parameters: {
            query?: {
                /** @description Whether its files are deleted with it */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelope"];
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
    "buckets.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Pictures of people",
                 *       "quotaBytes": 1000000000
                 *     }
                 */
                "application/json": components["schemas"]["ChangeBucketBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeBucketView"];
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
    "buckets.emptying": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeEmptyingView"];
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
    "buckets.empty": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeEmptyingView"];
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
    "buckets.files": {
        parameters: {
            query?: {
                /** @description The folder to look into, e.g. photos/2024 */
                prefix?: string;
                /** @description Part of a name, in small or capital letters */
                search?: string;
                limit?: number;
                offset?: number;
                sortBy?: "name" | "key" | "size" | "createdAt" | "updatedAt";
                order?: "asc" | "desc";
                /** @description Whether all files below the prefix are listed, and no folders */
                recursive?: "true" | "false";
            };
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["FilePageFileEntry"];
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
    "buckets.recount": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeCounterDrift"];
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
    "bucketCors.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["RulesEnvelopeReadonlyArray"];
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
    "bucketCors.replace": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "origins": [
                 *           "https://app.example.org",
                 *           "https://*.example.org"
                 *         ],
                 *         "methods": [
                 *           "GET",
                 *           "POST"
                 *         ],
                 *         "allowedHeaders": [
                 *           "x-bucket-token",
                 *           "content-type"
                 *         ],
                 *         "exposedHeaders": [
                 *           "etag"
                 *         ]
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["CorsRuleBody"][];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesEnvelopeReadonlyArray"];
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
    "bucketCors.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["RulesEnvelopeReadonlyArray"];
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
    "bucketTokens.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeReadonlyArray2"];
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
    "bucketTokens.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "the camera at the door",
                 *       "kind": "write"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTokenBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeCreatedToken"];
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
    "bucketTokens.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
    "webhooks.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeReadonlyArray3"];
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
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/files"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeWebhookWithSecret"];
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
    "webhooks.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeWebhookView"];
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
    "webhooks.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
    "webhooks.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "uploaded",
                 *         "deleted"
                 *       ],
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeWebhookView"];
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
    "webhooks.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeWebhookWithSecret"];
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
    "webhookDeliveries.list": {
        parameters: {
            query?: {
                status?: "pending" | "succeeded" | "dead";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DeliveryPageDeliveryView"];
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
    "webhookDeliveries.redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
                id: string;
                deliveryId: string;
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
                    "application/json": components["schemas"]["DataEnvelopeDeliveryView"];
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
    "webhookDeliveries.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["DataEnvelopeWebhookOutcome"];
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
    "relocation.read": {
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
                    "application/json": components["schemas"]["DataEnvelopeRelocationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "relocation.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["StartRelocationBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopeRelocationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "relocation.stop": {
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
                    "application/json": components["schemas"]["DataEnvelopeRelocationView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "presign.presign": {
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
                 *       "filename": "report.pdf",
                 *       "size": 1048576,
                 *       "mime": "application/pdf",
                 *       "cacheControl": "3600"
                 *     }
                 */
                "application/json": components["schemas"]["PresignBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataEnvelopePresignedUpload"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "presign.finalize": {
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
                    "application/json": components["schemas"]["DataEnvelopeFileView"];
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
    "functionSecrets.list": {
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
                    "application/json": components["schemas"]["SecretList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionSecrets.set": {
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
                 *       "GREETING": "Hello"
                 *     }
                 */
                "application/json": {
                    [key: string]: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionSecrets.remove": {
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
                 *       "names": [
                 *         "GREETING"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RemovedSecretsBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionTokens.list": {
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
                    "application/json": components["schemas"]["FunctionTokenList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionTokens.create": {
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
                 *       "name": "Payment provider",
                 *       "functions": [
                 *         "hello"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewFunctionTokenBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewFunctionToken"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionTokens.remove": {
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
    "functionRecords.logs": {
        parameters: {
            query?: {
                /** @description The slug of a function */
                function?: string;
                /** @description The id of a request, as its answer has it */
                requestId?: string;
                /** @description `next` of the page before. */
                before?: string;
                limit?: number;
                level?: "debug" | "info" | "log" | "warn" | "error";
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
                    "application/json": components["schemas"]["FunctionLogPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionRecords.invocations": {
        parameters: {
            query?: {
                /** @description The slug of a function */
                function?: string;
                /** @description The id of a request, as its answer has it */
                requestId?: string;
                /** @description `next` of the page before. */
                before?: string;
                limit?: number;
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
                    "application/json": components["schemas"]["InvocationPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionRecords.stream": {
        parameters: {
            query?: {
                seconds?: number;
                /** @description The slug of a function */
                function?: string;
                /** @description Log lines of this level alone */
                level?: "debug" | "info" | "log" | "warn" | "error";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log lines and calls, until the time is over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionTriggers.list": {
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
                    "application/json": components["schemas"]["TriggerList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionTriggers.create": {
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
                 *       "name": "Published posts",
                 *       "table": "posts",
                 *       "events": [
                 *         "INSERT",
                 *         "UPDATE"
                 *       ],
                 *       "filter": "is_published=is.true",
                 *       "function": "hello"
                 *     }
                 */
                "application/json": components["schemas"]["NewTriggerBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerWithSecret"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionTriggers.remove": {
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
    "functionTriggers.change": {
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
                 *       "filter": null,
                 *       "isActive": false
                 *     }
                 */
                "application/json": components["schemas"]["ChangedTriggerBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerWithSecret"];
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
    "functionTriggers.deliveries": {
        parameters: {
            query?: {
                status?: "succeeded" | "failed" | "pending" | "dead";
                /** @description The id of a delivery: older ones are listed */
                before?: string;
                limit?: number;
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
                    "application/json": components["schemas"]["TriggerDeliveries"];
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
    "functionTriggers.retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery: string;
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
                        retried: number;
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
    "functionSchedules.list": {
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
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionSchedules.create": {
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
                 *       "name": "Nightly report",
                 *       "function": "report",
                 *       "cron": "0 3 * * *",
                 *       "timeZone": "Europe/Paris",
                 *       "body": {
                 *         "kind": "daily"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewScheduleBody"];
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functionSchedules.remove": {
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
    "functionSchedules.change": {
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
                 *       "name": "Nightly report",
                 *       "function": "report",
                 *       "cron": "0 3 * * *",
                 *       "timeZone": "Europe/Paris",
                 *       "body": {
                 *         "kind": "daily"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangedScheduleBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleView"];
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
    "functionSchedules.run": {
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
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        eventId: string;
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
    "functionSchedules.runs": {
        parameters: {
            query?: {
                status?: "succeeded" | "failed" | "pending" | "dead";
                /** @description The id of a delivery: older ones are listed */
                before?: string;
                limit?: number;
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
                    "application/json": components["schemas"]["ScheduleRuns"];
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
    "functions.list": {
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
                    "application/json": components["schemas"]["FunctionList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functions.create": {
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
                 *       "name": "Greeting",
                 *       "route": "pay/webhook",
                 *       "entrypoint": "index.ts",
                 *       "files": {
                 *         "index.ts": "Deno.serve(() => new Response('Hello'));"
                 *       },
                 *       "slug": "hello"
                 *     }
                 */
                "application/json": components["schemas"]["NewFunctionBody"];
                /** @example The bytes of the archive */
                "application/zip": string;
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunctionView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "functions.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["FunctionWithCode"];
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
    "functions.deploy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Greeting",
                 *       "route": "pay/webhook",
                 *       "entrypoint": "index.ts",
                 *       "files": {
                 *         "index.ts": "Deno.serve(() => new Response('Hello'));"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FunctionCodeBody"];
                /** @example The bytes of the archive */
                "application/zip": string;
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunctionView"];
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
    "functions.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
    "functions.change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Greeting",
                 *       "route": "pay/webhook"
                 *     }
                 */
                "application/json": components["schemas"]["ChangedFunctionBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunctionView"];
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
    "functions.versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
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
                    "application/json": components["schemas"]["VersionList"];
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
    "functions.version": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
                version: string;
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
                    "application/json": components["schemas"]["StoredVersion"];
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
    "functions.diff": {
        parameters: {
            query?: {
                /** @description The other version; by default the one before */
                with?: number;
            };
            header?: never;
            path: {
                slug: string;
                version: string;
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
                    "application/json": components["schemas"]["VersionDiff"];
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
    "functions.activate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["ActivateBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunctionView"];
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
    "schema.read": {
        parameters: {
            query?: {
                /** @description A schema of the project; those of the platform are refused */
                schema?: string;
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
                    "application/json": components["schemas"]["SchemaContent"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "schema.table": {
        parameters: {
            query?: {
                /** @description A schema of the project; those of the platform are refused */
                schema?: string;
            };
            header?: never;
            path: {
                table: string;
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
                    "application/json": components["schemas"]["TableDetails"];
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
    "schema.function": {
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
                    "application/json": components["schemas"]["FunctionDetails"];
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
    "types.read": {
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
                    "text/plain": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "resumable.create": {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": "1.0.0";
                /** @description The length of the file in bytes */
                "Upload-Length": string;
                /** @description `bucket`, `path`, `filetype`, each value in base64 */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The header `Location` names the upload */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "resumable.describe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the headers */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "resumable.terminate": {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": "1.0.0";
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; nothing was asked back */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
    "resumable.offset": {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": "1.0.0";
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the header `Upload-Offset` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "resumable.append": {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": "1.0.0";
                /** @description Where the part begins */
                "Upload-Offset": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example Hello, world */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The header `Upload-Offset` says how far it is */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Refused"];
        };
    };
}
