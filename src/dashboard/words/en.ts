import type { AccountLimit } from '../../domain/account-limits.ts'
import type { ErrorName } from '../../domain/errors.ts'
import type { PageStatus, PageType } from '../../domain/page.ts'
import { MIN_PASSWORD_LENGTH } from '../../domain/password-rule.ts'
import type { StaleReason } from '../../domain/staleness.ts'
import { FIELDS, type FieldWords } from './fields.ts'

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const NUMBER = new Intl.NumberFormat('en')

/** Every text of the dashboard. Another language is another value of this type. */
export const words = {
  lang: 'en',

  time: {
    full: (moment: string) => `${DATE.format(new Date(moment))} UTC`,
    ago,
  },
  number: (amount: number) => NUMBER.format(amount),
  bytes,
  count: (amount: number, one: string, many: string) =>
    `${NUMBER.format(amount)} ${amount === 1 ? one : many}`,

  frame: {
    skip: 'Skip to content',
    places: 'Dashboard',
    menu: 'Account menu',
    crumbs: 'You are here',
    tabs: 'Project',
    signOut: 'Sign out',
    faultPrefix: 'Error: ',
    optional: '(optional)',
    save: 'Save',
    cancel: 'Cancel',
    back: 'Back',
    open: 'Open',
  },

  places: { projects: 'Projects', keys: 'API keys', usage: 'Usage' },

  list: {
    pager: 'Pages of the list',
    previous: 'Previous',
    next: 'Next',
    range: ({ first, last, total }: { first: number; last: number; total: number }) =>
      total === 0 ? 'Nothing' : `${NUMBER.format(first)}–${NUMBER.format(last)} of ${NUMBER.format(total)}`,
    search: 'Search',
    filter: 'Apply',
    all: 'All',
    clear: 'Clear',
    edited: 'Edited',
    created: 'Created',
  },

  /** Messages after a change. */
  done: {
    signedOut: 'You are signed out.',
    signInAgain: 'The code came too late. Sign in once more.',
    codesDisabled: 'Sign-ins need no code any more.',
    passwordChosen: 'Your password is set. You are signed in.',
    passwordChanged: 'Your password is changed. All other sessions are ended.',
    sessionEnded: 'The session is ended.',
    sessionsEnded: 'All other sessions are ended.',
    projectCreated: 'The project exists. Write its first page.',
    settingsSaved: 'Settings saved. Live pages show them when they are published again.',
    projectArchived: 'The project is archived. It takes no changes until it is active again.',
    projectRestored: 'The project is active again.',
    projectDeleted: 'The project is deleted.',
    pageCreated: 'The page is saved as a draft.',
    pageSaved: 'Saved.',
    pagePublished: 'The page is live.',
    pageUnchanged: 'The page was live already, as it is.',
    pageUnpublished: 'The page is not live any more. It is a draft.',
    pageScheduled: 'The publish is scheduled.',
    pageUnscheduled: 'The scheduled publish is cancelled.',
    pageArchived: 'The page is archived.',
    pageRestored: 'The page is a draft again.',
    pageDeleted: 'The page is deleted.',
    pageRolledBack: 'The earlier release is live.',
    fileUploaded: 'The file is uploaded.',
    fileKnown: 'The library has this file already.',
    fileSaved: 'Saved.',
    fileDeleted: 'The file is deleted.',
    keyRevoked: 'The key is revoked. It is refused at once.',
    jobCancelled: 'The rest is cancelled.',
    releaseContinues: 'Uploading takes longer. It goes on, and what was live stays live until it is done.',
  } as Readonly<Record<DoneName, string>>,

  /** Titles of refusals; the service says what exactly. */
  problem: {
    validation_error: 'Some fields need another value.',
    missing_required_field: 'Some fields are missing.',
    invalid_request: 'The request could not be read.',
    conflict: 'This could not be done.',
    precondition_failed: 'Another person has changed this meanwhile.',
    forbidden: 'This is not allowed.',
    project_scope_violation: 'This is not allowed.',
    not_found: 'This page does not exist.',
    not_published: 'The page is not live.',
    payload_too_large: 'This is too large.',
    rate_limit_exceeded: 'Too many requests.',
    internal_error: 'Something went wrong on our side.',
    service_unavailable: 'The service is busy.',
    other: 'This could not be done.',
  } as Readonly<Partial<Record<ErrorName, string>>> & { readonly other: string },

  fault: {
    notFound: 'It may have been deleted, or the address is mistyped.',
    internal: 'The log of the service has the details. Try again, or go back.',
    crossSite: 'The form was not sent by a page of this dashboard, so nothing was changed.',
    crossSiteTitle: 'The form was refused.',
    requestId: (id: string) => `Request ${id}`,
    toProjects: 'Go to the projects',
    expiredTitle: 'You are signed out',
    expired:
      'Your session has ended, so nothing was changed. Sign in in another tab, then come back and reload this page: your browser sends again what you typed.',
    typed: 'What you typed',
    signInTab: 'Sign in in a new tab',
    otherHost: (baseUrl: string) => `The dashboard is at ${baseUrl}/dashboard.`,
  },

  signIn: {
    title: 'Sign in',
    lead: 'To write and publish your sites.',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    help: 'No password yet, or forgotten? The operator of this service gives you a link with which you choose one.',
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

  projects: {
    title: 'Projects',
    create: 'New project',
    empty: 'No projects yet',
    emptyLead:
      'A project is one site: its pages, pictures and settings. Create one, write a page, and publish it.',
    noMatch: 'No project has this name.',
    name: 'Name',
    nameHint: 'You can change it later.',
    pages: (count: number) => (count === 1 ? '1 page' : `${NUMBER.format(count)} pages`),
    status: { active: 'Active', archived: 'Archived', suspended: 'Suspended' },
  },

  overview: {
    title: 'Overview',
    live: 'Live pages',
    drafts: 'Drafts',
    archived: 'Archived',
    words: 'Words',
    visit: 'Visit the site',
    newPage: 'New page',
    site: 'Site',
    address: 'Address',
    domain: 'Domain',
    domainStates: {
      none: 'No domain of its own',
      active: 'active',
      pending: 'waiting for its proof',
      failed: 'its proof was not found',
    } as Readonly<Record<string, string>>,
    hosting: 'Hosting',
    modes: {
      full_host: 'Quoin serves the site',
      rewrite: 'Below a path of your own domain',
      data_mode: 'Data Mode: encrypted pages',
    } as Readonly<Record<string, string>>,
    theme: 'Theme',
    id: 'Project id',
    lastPublished: 'Last published',
    never: 'Never',
    stale: 'Live pages that are out of date',
    staleNone: 'Every live page is up to date.',
    staleSome: (checked: number) => `Among the ${NUMBER.format(checked)} live pages that were edited last.`,
    publishStale: 'Publish all of them',
    releases: 'Last releases',
    releasesNone: 'Nothing was published yet.',
    storage: 'Storage of the account',
    used: (used: string, allowed: string | null) => (allowed === null ? used : `${used} of ${allowed}`),
    first: 'Publish the first page',
    firstLead: 'Write a page and publish it. It is live within seconds.',
  },

  settings: {
    title: 'Settings',
    general: 'General',
    look: 'Look',
    search: 'Search engines',
    code: 'Code of your own',
    structure: 'Navigation and structure',
    structureHint: 'Each of these is JSON, as in the API.',
    name: 'Project name',
    changed:
      'Another person has changed these settings since you opened them. Their values are below your fields. Save again to keep yours.',
    archive: 'Archive project',
    archiveHint: 'The site stays live. Nothing can be changed until the project is active again.',
    restore: 'Make active again',
    remove: 'Delete project',
    removeHint: 'Deletes the site, all pages, files and releases, at once and for good.',
    removeFirst: 'Only an archived project can be deleted. Archive it first.',
    confirm: (name: string) => `Type “${name}” to confirm`,
    confirmFault: 'is not the name of the project.',
    danger: 'Archive or delete',
  },

  pages: {
    title: 'Pages',
    create: 'New page',
    empty: 'No pages yet',
    emptyLead: 'Write the first one. It stays a draft until you publish it.',
    noMatch: 'No page matches.',
    searchHint: 'Title or address',
    status: 'Status',
    type: 'Type',
    choose: (title: string) => `Choose ${title}`,
    publishChosen: 'Publish chosen pages',
    nothingChosen: 'No page is chosen. Tick the pages to publish.',
    untitled: 'Untitled',
    unpublished: 'Has changes',
    scheduled: (moment: string) => `Goes live ${moment}`,
    statuses: { draft: 'Draft', published: 'Live', archived: 'Archived' } satisfies Record<
      PageStatus,
      string
    >,
    types: { page: 'Page', article: 'Article', docs: 'Docs', item: 'Item' } satisfies Record<
      PageType,
      string
    >,
    stale: {
      content: 'The text was edited',
      settings: 'Settings changed',
      theme: 'The theme changed',
      nav: 'The navigation changed',
      collection: 'A list on it changed',
      hosting: 'The hosting changed',
      media: 'A picture or file changed',
    } satisfies Record<StaleReason, string>,
  },

  page: {
    createTitle: 'New page',
    slugHint: 'The last part of the web address. Empty: it follows from the title.',
    createSubmit: 'Save as draft',
    createAndPublish: 'Save and publish',
    edit: 'Edit',
    preview: 'Preview',
    releases: 'Releases',
    content: 'Content',
    details: 'Details',
    more: 'Search engines and link previews',
    config: 'Sections and fields',
    save: 'Save',
    saveAndPublish: 'Save and publish',
    publish: 'Publish',
    publishing: 'Publishing',
    view: 'View live page',
    unpublish: 'Unpublish',
    unpublishHint: 'Takes the page off the live site. It becomes a draft.',
    archive: 'Archive',
    archiveHint: 'Takes the page off the live site and out of the way. Nothing is lost.',
    restore: 'Make it a draft',
    remove: 'Delete page',
    removeHint: 'Deletes the page and its releases for good.',
    schedule: 'Schedule',
    scheduleAt: 'Publish at (UTC)',
    scheduleHint: 'The page goes live as it is then.',
    unschedule: 'Cancel the schedule',
    frame: (title: string) => `Preview of ${title}`,
    previewHint: 'The page as it would be live now, drafts included. Links in it lead to the live site.',
    changed:
      'Another person has changed this page since you opened it. Their version of each field is shown under yours. Save again to keep yours.',
    theirs: (label: string) => `${label} as it is stored now`,
    liveAs: 'Live as',
    draftHint: 'Not live yet.',
    differs: 'The live page differs from this:',
    confirmRemove: 'Delete this page for good',
    warnings: 'Published with warnings',
  },

  releases: {
    title: 'Releases',
    empty: 'This page was never published.',
    current: 'Live now',
    rollBack: 'Make live again',
    ops: {
      publish: 'Published',
      rollback: 'Rolled back',
      unpublish: 'Unpublished',
      'delete-page': 'Deleted',
    } as Readonly<Record<string, string>>,
    states: {
      queued: 'waiting',
      claimed: 'running',
      live: 'done',
      failed: 'failed',
      reverting: 'being undone',
      reverted: 'undone',
    } as Readonly<Record<string, string>>,
    hint: 'Making an earlier release live does not change the text that you edit.',
  },

  job: {
    title: 'Publishing pages',
    states: {
      queued: 'Waiting',
      running: 'Running',
      done: 'Done',
      failed: 'Failed',
      cancelled: 'Cancelled',
    } as Readonly<Record<string, string>>,
    progress: (done: number, total: number) => `${NUMBER.format(done)} of ${NUMBER.format(total)} pages`,
    failed: (count: number) => (count === 1 ? '1 page failed' : `${NUMBER.format(count)} pages failed`),
    warnings: (count: number) => (count === 1 ? '1 warning' : `${NUMBER.format(count)} warnings`),
    reloads: 'This page loads itself again until the work is done.',
    cancel: 'Cancel the rest',
    bar: 'Progress',
    unknownPage: 'A page',
  },

  media: {
    title: 'Media',
    upload: 'Upload',
    file: 'File',
    fileHint: 'A picture, film, or document. The name of the file is its name here.',
    alt: 'Description of the picture',
    altHint: 'What the picture shows, for people who cannot see it.',
    empty: 'No files yet',
    emptyLead: 'Upload a picture, then write it into a page by its name.',
    noMatch: 'No file matches.',
    searchHint: 'Part of a name',
    kind: 'Kind',
    unused: 'Unused only',
    details: 'File',
    inText: 'In the text of a page',
    usedBy: (count: number) =>
      count === 0 ? 'Not used' : count === 1 ? 'Used once' : `Used ${NUMBER.format(count)} times`,
    noAlt: 'No description',
    size: 'Size',
    dimensions: 'Pixels',
    type: 'Type',
    uploaded: 'Uploaded',
    download: 'Download',
    remove: 'Delete file',
    removeHint: 'Pages that name it show nothing in its place when they are published again.',
    force: 'Delete it even if live pages show it',
    usage: 'Pages that name it',
    kinds: {
      image: 'Pictures',
      video: 'Films',
      audio: 'Sound',
      document: 'Documents',
      other: 'Other',
    } as Readonly<Record<string, string>>,
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

  fields: FIELDS as Readonly<Record<string, FieldWords>>,
  choices: {
    pages: 'Draw one for each page',
    none: 'None',
    page: 'Page',
    article: 'Article: dated, in a blog',
    docs: 'Docs: in a navigation',
    item: 'Item: fields of its own',
  } as Readonly<Record<string, string>>,
}

export type Words = typeof words

type DoneName =
  | 'signedOut'
  | 'signInAgain'
  | 'codesDisabled'
  | 'passwordChosen'
  | 'passwordChanged'
  | 'sessionEnded'
  | 'sessionsEnded'
  | 'projectCreated'
  | 'settingsSaved'
  | 'projectArchived'
  | 'projectRestored'
  | 'projectDeleted'
  | 'pageCreated'
  | 'pageSaved'
  | 'pagePublished'
  | 'pageUnchanged'
  | 'pageUnpublished'
  | 'pageScheduled'
  | 'pageUnscheduled'
  | 'pageArchived'
  | 'pageRestored'
  | 'pageDeleted'
  | 'pageRolledBack'
  | 'fileUploaded'
  | 'fileKnown'
  | 'fileSaved'
  | 'fileDeleted'
  | 'keyRevoked'
  | 'jobCancelled'
  | 'releaseContinues'

const STEPS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

function ago(moment: string, now: string): string {
  const seconds = Math.round((Date.parse(moment) - Date.parse(now)) / 1000)
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 0]
  return length === 0
    ? seconds > 0
      ? 'in a moment'
      : 'just now'
    : AGO.format(Math.trunc(seconds / length), unit)
}

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const

function bytes(amount: number): string {
  if (amount < 1000) return `${NUMBER.format(amount)} bytes`
  const power = Math.min(Math.floor(Math.log10(amount) / 3), UNITS.length)
  const value = amount / 1000 ** power
  return `${value < 10 ? value.toFixed(1) : NUMBER.format(Math.round(value))} ${UNITS[power - 1]}`
}
