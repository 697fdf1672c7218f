import type { AccountLimit } from '../../../domain/account-limits.ts'
import { MIN_PASSWORD_LENGTH } from '../../../domain/password-rule.ts'

/** Texts of signing in, the account, its keys and its usage. */
export const accountWords = {
  signIn: {
    title: 'Sign in',
    lead: 'To write and publish your sites.',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    help: 'No password yet, or forgotten? The operator of this service gives you a link with which you choose one.',
    forgotten: 'No password yet, or forgotten?',
    refused: 'The address or the password is wrong.',
  },

  setUp: {
    title: 'Choose a password',
    lead: 'This is the only time that this link works.',
    password: 'New password',
    again: 'New password, once more',
    hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few words that only you put together are best.`,
    submit: 'Set password and sign in',
    different: 'must be the same as above.',
    badTitle: 'This link does not work',
    bad: 'It was used already, has expired, or is incomplete. Ask the operator of this service for another one.',
  },

  recovery: {
    title: 'A new password',
    lead: 'We send you a link with which you choose one.',
    submit: 'Send the link',
    sentTitle: 'Look into your mailbox',
    sent: 'If an account has this address, a mail is on its way to it. It may take a few minutes. The link in it works for 24 hours.',
    confirmTitle: 'Confirm your address',
    confirmLead: (account: string) => `The account ${account} signs in with it from now on.`,
    confirm: 'Confirm',
    badTitle: 'This link does not work',
    bad: 'It was used already, has expired, or is incomplete. Ask for another one under Account.',
  },

  invitation: {
    title: 'You are invited',
    lead: (from: string | null, project: string) =>
      from === null
        ? `You are invited to work on the site “${project}”.`
        : `${from} has invited you to work on the site “${project}”.`,
    as: (email: string) => `You are signed in as ${email}. The members of the project see this address.`,
    accept: 'Accept',
    decline: 'Decline',
    signIn: 'Sign in to accept',
    newTitle: 'No account yet?',
    join: 'Create an account and accept',
    signedIn: 'You are signed in. Accept with your account, or sign out first.',
    badTitle: 'This invitation does not work',
    bad: 'It was answered, taken back or replaced, or has expired. Ask the person who invited you for another one.',
  },

  offers: {
    title: 'Offered to you',
    waiting: (count: number) =>
      count === 1 ? 'One offer waits for your answer.' : `${count} offers wait for your answer.`,
    membership: (from: string | null, role: string) =>
      from === null ? `An invitation: ${role}` : `Invited by ${from}: ${role}`,
    transfer: (from: string | null) =>
      from === null
        ? 'The project becomes that of your account.'
        : `${from} hands it over: it becomes a project of your account.`,
  },

  deletion: {
    title: 'Delete the account',
    lead: 'Your address, passwords, passkeys, keys and memberships are erased. Pages and files in projects of others stay there. This cannot be undone.',
    open: 'Delete account…',
    projectsFirst: 'These projects belong to your account. Hand each over, or delete it, first.',
    undecided: 'Not offered to anyone',
    offered: (email: string) => `Offered to ${email}, who has not accepted yet`,
    transfer: 'Hand over',
    remove: 'Settings',
    email: (address: string) => `Type ${address} to confirm`,
    submit: 'Delete the account for good',
    byPasskey: 'With a passkey',
    submitPasskey: 'Use a passkey and delete',
  },

  account: {
    title: 'Account',
    who: 'Signed in as',
    password: 'Password',
    current: 'Current password',
    change: 'Change password',
    changeHint: 'All other sessions end.',
    sessions: 'Sessions',
    sessionsHint:
      'Browsers that are signed in to your account. A session ends after 30 days, or 12 hours without use.',
    email: 'Your e-mail address',
    emailLead:
      'You sign in with it, and people invite you by it. You can set it once; then the operator of the service changes it.',
    emailLeadMail:
      'You sign in with it, and people invite you by it. A new address gets a mail with a link, and is yours once you opened it in this account, within an hour.',
    setEmail: 'Set address',
    thisOne: 'This browser',
    lastUsed: 'Last used',
    since: 'Since',
    unknownBrowser: 'Unknown browser',
    end: 'End session',
    endOthers: 'End all other sessions',
  },

  codes: {
    title: 'Codes of an app',
    summary: 'A second step when you sign in, in case your password is stolen.',
    manage: 'Manage codes',
    code: 'Code',
    codeHint: 'The six digits that the app shows now.',
    signInTitle: 'One more step',
    signInLead: 'The password is right. What does the app on your phone show?',
    signInHint: 'Six digits, or one of your recovery codes. Each works once.',
    again: 'Sign in with another account',
    beginTitle: 'Add an app',
    beginLead:
      'An authenticator app on your phone shows another code every half minute. From then on, a sign-in needs your password and a code.',
    begin: 'Continue',
    addTitle: 'Add this key to your app',
    addLead:
      'Type it into the app as a key by time, then type the code that the app shows. The key is shown for 15 minutes.',
    open: 'Open the app on this device',
    enable: 'Turn on',
    enabled: 'Sign-ins need a code',
    left: (count: number) =>
      count === 0
        ? 'No recovery code is left. Make new ones, in case you lose your phone.'
        : count === 1
          ? 'One recovery code is left.'
          : `${count} recovery codes are left.`,
    renew: 'New recovery codes',
    disable: 'Turn off',
    recoveryTitle: 'Recovery codes',
    recoveryLead:
      'Write these down, away from your phone. Each replaces a code of the app once. They are not shown again.',
    kept: 'I have them',
  },

  passkeys: {
    title: 'Passkeys',
    summary: 'Sign in with your finger, your face or the PIN of your device, without a password.',
    manage: 'Manage passkeys',
    signIn: 'Sign in with a passkey',
    or: 'or',
    refused: 'The passkey was refused. Try again, or use your password.',
    failed: 'The browser gave no passkey. It was cancelled, took too long, or none fits this site.',
    lead: 'Each device, or each password manager, has its own passkey. A sign-in with one needs neither your password nor a code.',
    empty: 'No passkeys yet',
    needsScript: 'Browsers create passkeys with JavaScript, which is off here, or this browser has none.',
    elsewhere: (url: string) =>
      `Passkeys need a host name that stays the same. Open the dashboard at ${url}.`,
    beginTitle: 'Add a passkey',
    beginLead: 'Your password first, so that no other person adds one to your account.',
    begin: 'Continue',
    add: 'Add a passkey',
    addLead: 'Your browser asks where to store it, and for your finger, face or PIN.',
    create: 'Create passkey',
    name: 'Name of the passkey',
    nameHint: 'By which you know it again, such as the device that has it.',
    rename: 'Rename',
    remove: 'Remove',
    never: 'Not used yet',
  },

  keys: {
    title: 'API keys',
    lead: 'With a key, programs act for you: push a folder, publish from CI, call the API.',
    create: 'New key',
    name: 'What the key is for',
    project: 'Project',
    allProjects: 'All projects',
    permissions: 'What it may do',
    permission: {
      read: 'Read',
      write: 'Write pages, settings and files',
      publish: 'Publish',
      manage: 'Manage API keys',
    } as Readonly<Record<string, string>>,
    expires: 'Ends on',
    expiresHint: 'Empty: never.',
    expiresAt: (moment: string) => `Ends ${moment}`,
    never: 'Never ends',
    empty: 'No keys yet',
    secretTitle: 'This is your key',
    secret: 'Copy it now. It is not shown again.',
    rotate: 'Replace',
    rotateHint: 'Makes a new secret. The one before works for 24 hours more.',
    revoke: 'Revoke',
    former: (moment: string) => `The secret before works until ${moment}`,
    all: 'Back to the keys',
  },

  usage: {
    title: 'Usage',
    lead: 'What your account stores, and what it may store.',
    unlimited: 'no limit',
    of: (allowed: string) => `of ${allowed}`,
    names: {
      projects: 'Projects',
      pages_per_project: 'Pages of the largest project',
      draft_bytes: 'Texts as they are now',
      release_bytes: 'Releases',
      media_bytes: 'Pictures and files',
      webhooks: 'Webhooks',
      members: 'Members of other accounts in your projects',
      unfinished_jobs: 'Bulk and scheduled publishes that have not ended',
    } satisfies Record<AccountLimit, string>,
  },
}
