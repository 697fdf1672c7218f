import { ACTS, type Act } from '../../../domain/audit.ts'
import type { Role } from '../../../domain/roles.ts'
import type { DeliveryState, EventType, OffReason } from '../../../domain/webhook.ts'
import { number } from './formats.ts'

/** Texts of the parts of a project's settings. */
export const manageWords = {
  areas: {
    label: 'Settings of the project',
    general: 'General',
    theme: 'Theme',
    navigation: 'Navigation',
    address: 'Address',
    members: 'Members',
    webhooks: 'Webhooks',
    dataMode: 'Data Mode',
    audit: 'History',
  },

  theme: {
    look: 'Theme and brand',
    pictures: 'Logo and icon',
    announcement: 'Announcement',
    footer: 'Footer',
    links: 'The links of the header and the footer are in',
    page: 'Page in the preview',
    noPage: 'Write a page first: the preview shows it in this theme.',
    frame: 'Preview of the theme',
  },

  members: {
    lead: 'People who work in this project.',
    email: 'E-mail address',
    emailHintMail: 'They get a mail with a link.',
    emailHint: 'A person without an account here becomes a member when they get one.',
    role: 'Role',
    roles: {
      owner: 'Owner',
      editor: 'Editor',
      author: 'Author',
      viewer: 'Viewer',
    } satisfies Record<Role, string>,
    rights: {
      owner: 'Everything, also members and deleting the project',
      editor: 'Write, publish, settings, approve what authors propose',
      author: 'Write pages and upload, propose pages for publishing',
      viewer: 'Read',
    } satisfies Record<Role, string>,
    paying: 'The project belongs to this account.',
    you: 'You',
    since: 'Since',
    invite: 'Invite',
    inviteTitle: 'Invite a person',
    change: 'Change role',
    remove: 'Remove',
    leave: 'Leave project',
    roleOf: (email: string) => `Role of ${email}`,
  },

  webhooks: {
    lead: 'Programs that are called when pages go live or change.',
    create: 'New webhook',
    url: 'Address to call',
    urlHint: 'An https address that anyone on the internet can reach.',
    description: 'What it is for',
    coalesce: 'Collect events for (seconds)',
    coalesceHint: '0 sends each event at once. Up to 3600.',
    eventsTitle: 'Events',
    events: {
      'page.published': 'A page went live',
      'page.unpublished': 'A page was taken off the site',
      'page.created': 'A page was created',
      'page.updated': 'A page was edited',
      'page.deleted': 'A page was deleted',
      'release.rolled_back': 'An earlier release went live again',
    } satisfies Record<EventType, string>,
    others: { 'webhook.test': 'A test', batch: 'Several events' } as Readonly<Record<string, string>>,
    empty: 'No webhooks yet',
    on: 'On',
    off: 'Off',
    failing: 'Failing',
    failingSince: (moment: string) => `Every attempt failed since ${moment}.`,
    offReasons: {
      gone: 'Switched off, because the address answered that it is gone.',
      failing: 'Switched off, because every attempt failed for five days.',
      swamped: 'Switched off, because too many deliveries were waiting.',
    } satisfies Record<OffReason, string>,
    secretTitle: 'The secret of the webhook',
    secret: 'Your program checks with it that a call comes from here. Copy it now. It is not shown again.',
    toOne: 'Go to the webhook',
    change: 'Change',
    test: 'Send a test',
    switchOff: 'Switch off',
    switchOn: 'Switch on',
    rotate: 'New secret',
    rotateHint: 'The one before signs for 24 hours more.',
    remove: 'Delete webhook',
    removeHint: 'Deletes the webhook and the list of its deliveries.',
    manage: 'Secret, delete',
    deliveries: 'Deliveries',
    deliveriesNone: 'Nothing was sent yet. Send a test.',
    states: {
      pending: 'Waiting',
      delivered: 'Delivered',
      failed: 'Failed',
    } satisfies Record<DeliveryState, string>,
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${number(count)} attempts`),
    next: (moment: string) => `Next attempt ${moment}`,
    redeliver: 'Send again',
    answered: (status: number, ms: number) => `Answered ${status} after ${number(ms)} ms`,
    noAnswer: (ms: number) => `No answer after ${number(ms)} ms`,
    details: 'Message and attempts',
    message: 'Message',
  },

  dataMode: {
    lead: 'In Data Mode pages are published encrypted. Your own program reads them with a key; without the key they are noise, also to us.',
    on: 'Data Mode is on',
    off: 'Data Mode is off',
    since: (moment: string) => `Since ${moment}`,
    plain: (count: number) =>
      count === 0
        ? 'Every live page is encrypted.'
        : count === 1
          ? '1 live page is not encrypted yet.'
          : `${number(count)} live pages are not encrypted yet.`,
    enable: 'Switch on',
    enableWill: [
      'You get a key, once. Programs that read the site need it.',
      'Pages that you publish from then on are encrypted. Live pages stay as they are until they are converted.',
      'Visitors with a browser no longer see new pages.',
    ],
    convert: 'Convert live pages',
    convertWill: 'Publishes every live page again, encrypted.',
    regenerate: 'New key',
    regenerateWill: [
      'You get another key, once. The one that you have stops working.',
      'Every encrypted page and picture is encrypted again. That takes a while for large sites.',
      'Programs that read the site fail until they have the new key.',
    ],
    disable: 'Switch off',
    disableWill: [
      'Pages that you publish from then on are plain again, for everyone to read.',
      'Encrypted pages stay encrypted until they are published again; the key keeps opening them.',
    ],
    will: 'What happens',
    understood: 'I understand this',
    notUnderstood: 'Tick that you understand what happens.',
    keyTitle: 'The content key',
    key: 'Your program needs it to read the pages. Copy it now. It is not shown again.',
    back: 'Back to Data Mode',
    ownerOnly: 'Only an owner of the project can change this.',
  },

  address: {
    lead: 'The site is at',
    fields: {
      subdomain: { label: 'Subdomain' },
      custom_domain: {
        label: 'Domain of your own',
        hint: 'Such as www.example.com. Empty: none.',
      },
      mode: { label: 'Hosting' },
      base_path: {
        label: 'Path on your domain',
        hint: 'For a site below a path of your own domain, such as /help. Otherwise /.',
      },
      slugs: { label: 'Letters in addresses' },
      manifest: { label: 'List of encrypted pages' },
    },
    subdomainHint: (domain: string) => `The site is at this name in front of .${domain}. Empty: none.`,
    alphabets: { standard: 'a–z, digits and hyphens', wide: 'Letters of any script' } as Readonly<
      Record<string, string>
    >,
    manifests: { full: 'With titles and summaries', minimal: 'Addresses only' } as Readonly<
      Record<string, string>
    >,
    proofTitle: (domain: string) => `Prove that ${domain} is yours`,
    proofLead: 'Do one of these where you manage the domain. It is checked every five minutes for a week.',
    dnsTitle: 'An entry at the DNS',
    dnsType: 'Type',
    dnsName: 'Name',
    dnsNameHint: 'Some providers add the domain by themselves: then leave it out at the end.',
    dnsValue: 'Value',
    fileTitle: 'Or a file on its present web server',
    fileAt: 'At',
    fileText: 'With the text',
    pointTitle: 'Then lead the domain here',
    pointLead: (target: string) =>
      `Once it is proved, let it point to ${target}: with a CNAME entry, or at the top of a domain with ALIAS or A.`,
    check: 'Check now',
    checkedAt: 'Last checked',
    neverChecked: 'Not checked yet.',
    active: 'The domain is proved. The site is served on it.',
    states: { pending: 'Waiting for proof', active: 'Proved', failed: 'Not proved' } as Readonly<
      Record<string, string>
    >,
    change: 'Change the address',
    changeHint:
      'The addresses of all pages change with it. Links to the previous address stop working unless you redirect them.',
  },

  navigation: {
    drag: 'Drag, or move with the arrow keys',
    titles: {
      header: 'Header',
      footer: 'Footer',
      social: 'Profiles in the footer',
      legal: 'Links next to the copyright line',
      docs: 'Sidebar of the docs',
      routes: 'Routes',
    },
    hints: {
      header: 'Links at the top of each page. A row with rows below it is a menu.',
      footer: 'Links at the end of each page. A row with rows below it is the title of a group.',
      social: 'Your pages on other services. Name and icon follow from the address.',
      legal: 'Such as terms and privacy.',
      docs: 'Without rows it follows from the docs pages.',
      routes: 'Serves the pages of a folder under another path, such as docs under /help.',
    },
    label: 'Text',
    href: 'Leads to',
    icon: 'Icon',
    description: 'Description',
    button: 'Button',
    external: 'New tab',
    docTitle: 'Title',
    docSlug: 'Page',
    badge: 'Badge',
    folder: 'Folder',
    path: 'Path',
    copyright: 'Copyright line',
    empty: 'No rows yet.',
    empties: {
      docs: 'No rows yet: the sidebar lists the docs pages by their folders and their order. Add rows to choose it yourself.',
      routes: 'No rows yet: each folder is a part of the web address of its pages.',
    } as Readonly<Record<string, string>>,
    row: (index: number) => `Row ${index}`,
    add: 'Add a row',
    up: 'Up',
    down: 'Down',
    in: 'Indent',
    out: 'Outdent',
    remove: 'Remove',
    unsaved: 'Not saved yet.',
    tooLong: 'This list is too long for a form. Change it with the API or a content folder.',
    changed:
      'Another person has changed this list since you opened it. Theirs is below yours. Save again to keep yours.',
    theirs: 'As it is stored now',
  },

  audit: {
    mine: 'History of the account',
    lead: 'Who did what, and when. Kept for a year.',
    act: 'What',
    acts: Object.fromEntries(Object.entries(ACTS).map(([act, { meaning }]) => [act, meaning])) as Readonly<
      Record<Act, string>
    >,
    via: {
      key: 'with an API key',
      session: 'in the dashboard',
      operator: 'by the operator',
      service: 'by the service',
    },
    system: 'The service',
    former: (id: string) => `A person who is no member (${id})`,
    fields: 'Fields',
    empty: 'Nothing yet.',
    noMatch: 'Nothing of this kind.',
    see: 'See the history of the account',
  },
}
