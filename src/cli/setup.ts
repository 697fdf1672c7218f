import { chmod } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type Config, ConfigError, readConfig, type SettingName } from '../app/config.ts'
import { toDomainName } from '../custom-domains/domain-name.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import { newMasterKey } from '../secrets/master-key.ts'
import { print } from './administration.ts'
import { ask, canAsk } from './ask.ts'
import { assertEmptyFolder, createFile, quotedWord } from './new-folder.ts'
import {
  CADDY_FILES,
  CONFIG_PATH,
  caddyOptions,
  caddyScript,
  caddySites,
  configText,
  HTTPS_BY,
  type HttpsBy,
  isInHome,
  isInProject,
  nginxText,
  type ServerSetUp,
  unitText,
} from './setup/server-files.ts'

interface SetUpFlags {
  readonly domain?: string
  readonly sitesDomain?: string
  readonly https?: HttpsBy
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly email?: string
  readonly agreeToTerms: boolean
  readonly databaseUrl?: string
  readonly storageUrl?: string
  readonly mediaUrl?: string
  readonly data: string
  readonly port: string
  readonly user: string
  readonly program: string
}

export function setupCommand(): Command {
  return new Command('setup')
    .description(
      'write the files that run Quoin on a server: settings, a systemd unit, and sites for Caddy or nginx',
    )
    .argument('[folder]', 'new or empty folder for the files', 'quoin-setup')
    .option('--domain <name>', 'name of the API and the dashboard, e.g. quoin.example.com')
    .option('--sites-domain <name>', 'domain whose subdomains are sites')
    .addOption(
      new Option(
        '--https <by>',
        'who ends TLS: Caddy with certificates on demand, nginx, or Quoin itself, with certificates that it orders (acme) or that you have (quoin)',
      ).choices(HTTPS_BY),
    )
    .option('--tls-cert <file>', 'certificate for --https quoin, PEM')
    .option('--tls-key <file>', 'its private key, PEM')
    .option('--email <address>', 'for the authority that issues the certificates')
    .option('--agree-to-terms', "with --https acme: you have read the terms of Let's Encrypt", false)
    .option('--database-url <url>', 'postgres://… (default: SQLite in the data folder)')
    .option('--storage-url <url>', 's3://… for published files (default: a folder)')
    .option('--media-url <url>', 's3://… for uploads (default: a folder)')
    .option('--data <folder>', 'data folder on the server', '/var/lib/quoin')
    .option('--port <number>', 'where the service listens behind the proxy', '8080')
    .option('--user <name>', 'system user that the service runs as', 'quoin')
    .option('--program <file>', 'the installed command', join(PACKAGE_ROOT, 'dist/cli.js'))
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Asks in a terminal for what no flag says. Nothing outside of the folder is written: the command prints the steps that
install the files, which need root.

Examples:
  quoin setup
  quoin setup --domain quoin.example.com --sites-domain sites.example.com --https caddy
  quoin setup --domain quoin.example.com --https acme --email ada@example.com --agree-to-terms
`,
    )
    .action(async (path: string, flags: SetUpFlags, command: Command) => {
      const folder = resolve(path)
      await assertEmptyFolder(folder)
      const setUp = readSetUp(await completed(flags))
      const files = filesOf(setUp)
      for (const [name, text] of Object.entries(files)) await createFile(join(folder, name), text)
      // It may hold a password and the master key.
      await chmod(join(folder, 'quoin.config.yaml'), 0o600)
      const steps = stepsOf(setUp, path)
      const warnings = warningsOf(setUp)
      print(command, { ok: true, folder, files: Object.keys(files), steps, warnings }, [
        ...warnings.map((warning) => `Warning: ${warning}`),
        `Wrote ${Object.keys(files).join(', ')} to ${path}. Install them on the server:`,
        '',
        ...steps.map((step) => `  ${step}`),
      ])
    })
}

/** Asks for the answers that are missing, in a terminal. */
async function completed(flags: SetUpFlags): Promise<SetUpFlags> {
  if (!canAsk() || flags.domain !== undefined) return flags
  const answer = async (question: string, given: string | undefined) =>
    given ?? ((await ask(`${question}: `)).trim() || undefined)
  const domain = await answer('Name of the API and the dashboard, e.g. quoin.example.com', flags.domain)
  const sitesDomain = await answer('Domain whose subdomains are sites (empty for none)', flags.sitesDomain)
  const https = (await answer(`HTTPS by ${HTTPS_BY.join(', ')} (empty for caddy)`, flags.https)) as HttpsBy
  const isOwn = https === 'quoin'
  const tlsCert = isOwn ? await answer('Certificate, a PEM file', flags.tlsCert) : flags.tlsCert
  const tlsKey = isOwn ? await answer('Its private key, a PEM file', flags.tlsKey) : flags.tlsKey
  const agreed =
    https === 'acme'
      ? await answer(
          'Have you read the terms at https://letsencrypt.org/repository and agree? (yes)',
          flags.agreeToTerms ? 'yes' : undefined,
        )
      : undefined
  const email =
    https === 'acme' ? await answer('Your e-mail address, for the authority', flags.email) : flags.email
  const databaseUrl = await answer('postgres://… (empty for SQLite)', flags.databaseUrl)
  const storageUrl = await answer('s3://… for published files (empty for a folder)', flags.storageUrl)
  const mediaUrl = await answer('s3://… for uploads (empty for a folder)', flags.mediaUrl)
  const answers = { domain, sitesDomain, https, email, tlsCert, tlsKey, databaseUrl, storageUrl, mediaUrl }
  const agreeToTerms = flags.agreeToTerms || agreed === 'yes'
  return {
    ...flags,
    agreeToTerms,
    ...Object.fromEntries(Object.entries(answers).filter(([, text]) => text !== undefined)),
  }
}

/** @throws {ConfigError} for the first flag or setting that cannot be used. */
function readSetUp(flags: SetUpFlags): ServerSetUp {
  const { https = 'caddy', data, user, program, email = null } = flags
  if (!HTTPS_BY.includes(https)) throw new ConfigError(`--https: must be one of ${HTTPS_BY.join(', ')}.`)
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(user))
    throw new ConfigError('--user: must be the name of a system user.')
  if (email !== null && !/^[^\s@{}"]+@[^\s@{}"]+$/.test(email))
    throw new ConfigError('--email: must be an e-mail address.')
  for (const [flag, path] of [
    ['--data', data],
    ['--program', program],
  ] as const)
    if (!path.startsWith('/') || /[\r\n]/.test(path))
      throw new ConfigError(`${flag}: must be an absolute path.`)
  if ((https === 'quoin') !== (flags.tlsCert !== undefined && flags.tlsKey !== undefined))
    throw new ConfigError('--tls-cert and --tls-key: are needed with --https quoin, and only with it.')
  if (https === 'acme' && !flags.agreeToTerms)
    throw new ConfigError(
      '--agree-to-terms: is needed with --https acme, once you have read https://letsencrypt.org/repository.',
    )
  const domain = readDomain('--domain', flags.domain ?? '')
  const sitesDomain = flags.sitesDomain === undefined ? null : readDomain('--sites-domain', flags.sitesDomain)
  const isPostgres = flags.databaseUrl?.startsWith('postgres') ?? false
  const settings: Partial<Record<SettingName, string | undefined>> = {
    QUOIN_DATA: data,
    QUOIN_SITES_DOMAIN: sitesDomain ?? undefined,
    QUOIN_DATABASE_URL: flags.databaseUrl,
    // Each machine would create another one.
    QUOIN_MASTER_KEY: isPostgres ? newMasterKey() : undefined,
    QUOIN_STORAGE_URL: flags.storageUrl,
    QUOIN_MEDIA_URL: flags.mediaUrl,
    ...(https === 'acme' && {
      QUOIN_TLS: 'acme',
      QUOIN_ACME_TERMS: 'agreed',
      QUOIN_ACME_EMAIL: email ?? undefined,
    }),
    QUOIN_TLS_CERT: flags.tlsCert && resolve(flags.tlsCert),
    QUOIN_TLS_KEY: flags.tlsKey && resolve(flags.tlsKey),
  }
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  const config = readConfig({ ...given, QUOIN_BASE_URL: `https://${domain}`, QUOIN_PORT: flags.port })
  const { execPath: node } = process
  return {
    domain,
    sitesDomain,
    https,
    email,
    port: config.port,
    user,
    node,
    program,
    folders: foldersOf(config),
    settings: given,
  }
}

/** @throws {ConfigError} */
function readDomain(flag: string, text: string): string {
  const name = toDomainName(text)
  if (name === null) throw new ConfigError(`${flag}: must be a domain name such as quoin.example.com.`)
  return name
}

/** The folders of the service, except the state folder that systemd creates. */
function foldersOf({ data, database, storage, media }: Config): readonly string[] {
  const folders = [
    data,
    ...(database.kind === 'sqlite' ? [resolve(database.file, '..')] : []),
    ...(storage.kind === 'folder' ? [storage.folder] : []),
    ...(media.kind === 'folder' ? [media.folder] : []),
  ]
  return [...new Set(folders)].filter(
    (folder) =>
      !`${folder}/`.startsWith('/var/lib/quoin/') &&
      (folder === data || !`${folder}/`.startsWith(`${data}/`)),
  )
}

function filesOf(setUp: ServerSetUp): Readonly<Record<string, string>> {
  return {
    'quoin.config.yaml': configText(setUp),
    'quoin.service': unitText(setUp),
    ...(setUp.https === 'caddy' && {
      [CADDY_FILES.options]: caddyOptions(setUp),
      [CADDY_FILES.sites]: caddySites(setUp),
      [CADDY_FILES.script]: caddyScript(),
    }),
    ...(setUp.https === 'nginx' && { 'nginx.conf': nginxText(setUp) }),
  }
}

/**
 * Warns of programs in a home folder, closed to other users on most systems, and of programs in a project, which
 * changes.
 */
function warningsOf({ node, program, user }: ServerSetUp): readonly string[] {
  const install = 'Install Quoin for all users (sudo npm install -g), or name it with --program.'
  const programs = [
    { path: node, remedy: 'Install Node.js for all users, and run this command with it.' },
    { path: program, remedy: install },
  ]
  const hidden = programs
    .filter(({ path }) => isInHome(path))
    .map(
      ({ path, remedy }) =>
        `The user ${user}, as whom the service runs, may be unable to read ${path}. ${remedy}`,
    )
  if (!isInProject(program)) return hidden
  return [
    ...hidden,
    `The service would start ${program}, a package of a project: npm changes or removes it with the other packages there. ${install}`,
  ]
}

/** @param path of the written files, as the user wrote it. */
function stepsOf(
  { https, user, folders, domain, sitesDomain, program }: ServerSetUp,
  path: string,
): readonly string[] {
  const file = (name: string) => quotedWord(join(path, name))
  const names = [domain, ...(sitesDomain === null ? [] : [`*.${sitesDomain}`])]
  const proxy = {
    caddy: [`sudo sh ${file(CADDY_FILES.script)}`, 'sudo systemctl reload-or-restart caddy'],
    nginx: [
      `sudo install -m 644 ${file('nginx.conf')} /etc/nginx/conf.d/quoin.conf`,
      '# after certbot has stored the certificates in /etc/letsencrypt/live:',
      'sudo nginx -t && sudo systemctl reload nginx',
    ],
    acme: ['# the ports 80 and 443 of the server have to be open to the internet'],
    quoin: [],
  }[https]
  return [
    `# DNS: point ${names.join(' and ')} to the server`,
    `sudo useradd --system --user-group --home-dir /var/lib/quoin --shell /usr/sbin/nologin ${user}`,
    ...folders.map((folder) => `sudo install -d -o ${user} -g ${user} -m 700 ${quotedWord(folder)}`),
    `sudo install -D -o root -g ${user} -m 640 ${file('quoin.config.yaml')} ${CONFIG_PATH}`,
    `sudo install -m 644 ${file('quoin.service')} /etc/systemd/system/quoin.service`,
    'sudo systemctl daemon-reload && sudo systemctl enable --now quoin',
    ...proxy,
    `sudo -u ${user} ${quotedWord(process.execPath)} ${quotedWord(program)} doctor --config ${CONFIG_PATH}`,
    'journalctl -u quoin   # shows the link with which the first owner sets a password',
  ]
}
