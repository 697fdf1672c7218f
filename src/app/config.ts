import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { type PurgeTarget, parsePurgeUrl } from '../cdn/purge-target.ts'
import type { AcmeTarget } from '../certificates/acme-authority.ts'
import { changedPlanLimits, PLAN_LIMITS, type PlanLimits } from '../domain/account-limits.ts'
import { withoutEndSlashes } from '../domain/end-slashes.ts'
import { parseUrl } from '../domain/parse-url.ts'
import type { PublicAddresses } from '../domain/project.ts'
import { hostName } from '../domain/site-host.ts'
import { parseSmtpUrl, type SmtpTarget } from '../mail/smtp-target.ts'
import { parseIpRanges } from '../platform/ip-ranges.ts'
import { type MasterKey, parseMasterKey } from '../secrets/master-key.ts'
import { parseStorageUrl, type StorageTarget } from '../storage/storage-url.ts'
import { parsePlanLimits } from './account-limit-list.ts'

/** Configuration of the service. Validated once, at the start. */
export interface Config {
  readonly role: Role
  /** Absolute path. */
  readonly data: string
  readonly database: DatabaseTarget
  /** True to migrate a database of an earlier version at the start. */
  readonly migrates: boolean
  /** Absolute path of a folder with one folder per custom theme; null for none. */
  readonly themes: string | null
  /** The store of published objects. */
  readonly storage: StorageTarget
  /** The private store of uploaded images and files. */
  readonly media: StorageTarget
  /** In bytes. */
  readonly mediaLimits: { readonly image: number; readonly file: number }
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** URL without a trailing slash; null derives it from the address the server listens on. */
  readonly baseUrl: string | null
  /** URL without a trailing slash; null means `{baseUrl}/public`. */
  readonly contentUrl: string | null
  readonly sitesDomain: string | null
  /** True if a custom domain has to be proved before it is served. */
  readonly domainProof: boolean
  readonly trustProxy: readonly string[]
  readonly allowHttp: boolean
  /** Allows webhooks to private and reserved addresses. */
  readonly webhookAllowPrivate: boolean
  /** The mail server; null for none. */
  readonly smtp: SmtpTarget | null
  /** The CDN that is purged after each change; null for none. */
  readonly purge: PurgeTarget | null
  /** Certificates for HTTPS; null serves plain HTTP. */
  readonly tls: TlsFiles | AcmeTls | 'self-signed' | null
  /** The configured key; null creates one on the first run and stores it in the data folder. */
  readonly masterKey: MasterKey | null
  /** Most connections at once, and most of one address. */
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** A connection whose client neither sends nor takes anything for this long, in the middle of a request, is closed. */
  readonly stallMs: number
  /** Memory for bodies, content and answers of all requests in progress. */
  readonly requestMemoryBytes: number
  /** Account limits, by the plans of the account's keys. */
  readonly planLimits: PlanLimits
  /** Budget of all keys and sessions of a user together, as a multiple of the user's largest plan; 0 for no limit. */
  readonly accountRateFactor: number
  readonly logLevel: string
  /** Part of the answered requests that is logged, from 0 to 1. Slow and failed ones always are. */
  readonly requestSample: number
}

/** Files of a certificate and of its private key, PEM. They change when the certificate is renewed. */
export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate and its private key, PEM. */
export interface CertificatePair {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Certificates that the service orders itself. */
export interface AcmeTls extends AcmeTarget {
  /** Port for challenges and redirects. */
  readonly httpPort: number
}

/** Role of a process: it answers requests, runs accepted work, or both. */
export type Role = (typeof ROLES)[number]
const ROLES = ['all', 'api', 'worker'] as const

/** A SQLite file by its absolute path, or a PostgreSQL database by its URL. */
export type DatabaseTarget =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres'
      readonly url: string
      /** The same database without a pooler in between. */
      readonly directUrl: string
      /** A copy of the database that follows it; null for none. */
      readonly replicaUrl: string | null
    }

/** An invalid setting; the message is one line that names it. */
export class ConfigError extends Error {}

export interface Setting {
  /** Environment variable. */
  readonly name: string
  /** The equivalent flag of `quoin serve`, with a placeholder for its value. */
  readonly flag: string
  readonly help: string
}

/** In the order in which `quoin serve --help` lists them. */
export const SETTINGS = [
  {
    name: 'QUOIN_DATA',
    flag: '--data <folder>',
    help: 'folder of the database and the published files (./data)',
  },
  {
    name: 'QUOIN_DATABASE_URL',
    flag: '--database-url <url>',
    help: 'sqlite:<file> or postgres://user:password@host:5432/database (sqlite:{data}/quoin.db)',
  },
  {
    name: 'QUOIN_DATABASE_DIRECT_URL',
    flag: '--database-direct-url <url>',
    help: 'the same PostgreSQL database past a pooler, for migrations and notifications (the database URL)',
  },
  {
    name: 'QUOIN_DATABASE_REPLICA_URL',
    flag: '--database-replica-url <url>',
    help: 'a replica of the PostgreSQL database, for reads that may be half a minute old (none)',
  },
  {
    name: 'QUOIN_MIGRATE',
    flag: '--migrate <mode>',
    help: 'off refuses a database of an earlier version until quoin migrate was run (on)',
  },
  {
    name: 'QUOIN_ROLE',
    flag: '--role <role>',
    help: 'all, api (accepts and answers) or worker (renders, publishes, runs jobs) (all)',
  },
  {
    name: 'QUOIN_STORAGE_URL',
    flag: '--storage-url <url>',
    help: 'file:<folder> or s3://bucket/prefix?region=&endpoint= (file:{data}/cdn)',
  },
  {
    name: 'QUOIN_MEDIA_URL',
    flag: '--media-url <url>',
    help: 'private store of uploads: file:<folder> or s3://bucket/prefix?region=&endpoint= (file:{data}/media)',
  },
  {
    name: 'QUOIN_MAX_IMAGE',
    flag: '--max-image <MB>',
    help: 'largest picture that may be uploaded (25)',
  },
  {
    name: 'QUOIN_MAX_FILE',
    flag: '--max-file <MB>',
    help: 'largest other file that may be uploaded (100)',
  },
  {
    name: 'QUOIN_THEMES',
    flag: '--themes <folder>',
    help: 'folder of custom themes, one folder each (none)',
  },
  { name: 'QUOIN_HOST', flag: '--host <address>', help: 'address to listen on (127.0.0.1)' },
  { name: 'QUOIN_PORT', flag: '--port <number>', help: 'port to listen on, 0 for any free port (8080)' },
  {
    name: 'QUOIN_BASE_URL',
    flag: '--base-url <url>',
    help: 'public URL of the API (the address it listens on)',
  },
  {
    name: 'QUOIN_CONTENT_URL',
    flag: '--content-url <url>',
    help: 'public URL of the published files ({base url}/public)',
  },
  {
    name: 'QUOIN_SITES_DOMAIN',
    flag: '--sites-domain <domain>',
    help: 'domain whose subdomains are sites (none)',
  },
  {
    name: 'QUOIN_DOMAIN_PROOF',
    flag: '--domain-proof <mode>',
    help: 'off serves custom domains without proof, where all projects have one owner (on)',
  },
  {
    name: 'QUOIN_TRUST_PROXY',
    flag: '--trust-proxy <addresses>',
    help: 'proxies whose X-Forwarded-Proto and -For are trusted, e.g. 10.0.0.0/8 (none)',
  },
  {
    name: 'QUOIN_ALLOW_HTTP',
    flag: '--allow-http <bool>',
    help: 'true allows plain HTTP, and http URLs of webhooks, for trials (false)',
  },
  {
    name: 'QUOIN_WEBHOOK_ALLOW_PRIVATE',
    flag: '--webhook-allow-private <bool>',
    help: 'true allows webhooks to private and loopback addresses (false)',
  },
  {
    name: 'QUOIN_SMTP_URL',
    flag: '--smtp-url <url>',
    help: 'mail server for invitations and new passwords: smtp://user:password@host:587 or smtps://… (none)',
  },
  {
    name: 'QUOIN_MAIL_FROM',
    flag: '--mail-from <address>',
    help: 'sender of mails, e.g. "Quoin <quoin@example.com>"',
  },
  {
    name: 'QUOIN_PURGE_URL',
    flag: '--purge-url <url>',
    help: 'CDN to purge after each change: fastly:<id>, cloudflare:<id>, bunny:<id>, cloudfront:<id> or https://… (none)',
  },
  {
    name: 'QUOIN_PURGE_TOKEN',
    flag: '--purge-token <token>',
    help: 'API token of that CDN, or bearer token of the URL (none)',
  },
  {
    name: 'QUOIN_TLS',
    flag: '--tls <mode>',
    help: 'acme orders certificates and renews them; self-signed creates one, for trials (none)',
  },
  {
    name: 'QUOIN_ACME_TERMS',
    flag: '--acme-terms <answer>',
    help: 'agreed: you have read the terms of the certificate authority (none)',
  },
  {
    name: 'QUOIN_ACME_EMAIL',
    flag: '--acme-email <address>',
    help: 'where the certificate authority writes to (none)',
  },
  {
    name: 'QUOIN_ACME_DIRECTORY',
    flag: '--acme-directory <url>',
    help: "directory of the certificate authority (Let's Encrypt)",
  },
  {
    name: 'QUOIN_HTTP_PORT',
    flag: '--http-port <number>',
    help: 'port of challenges and redirects with QUOIN_TLS=acme (80)',
  },
  { name: 'QUOIN_TLS_CERT', flag: '--tls-cert <file>', help: 'certificate to serve HTTPS with, PEM (none)' },
  { name: 'QUOIN_TLS_KEY', flag: '--tls-key <file>', help: 'its private key, PEM (none)' },
  {
    name: 'QUOIN_MASTER_KEY',
    flag: '--master-key <base64>',
    help: '32 random bytes that encrypt and sign secrets (created in the data folder)',
  },
  {
    name: 'QUOIN_MAX_CONNECTIONS',
    flag: '--max-connections <number>',
    help: 'most connections at once (4000)',
  },
  {
    name: 'QUOIN_MAX_CONNECTIONS_PER_ADDRESS',
    flag: '--max-connections-per-address <number>',
    help: 'most connections of one address at once, trusted proxies excepted (256)',
  },
  {
    name: 'QUOIN_STALL_SECONDS',
    flag: '--stall-seconds <number>',
    help: 'closes connections that send or take nothing for this long during a request (30)',
  },
  {
    name: 'QUOIN_REQUEST_MEMORY',
    flag: '--request-memory <MiB>',
    help: 'memory for bodies and answers under way; beyond it requests get 503 (128)',
  },
  {
    name: 'QUOIN_ACCOUNT_LIMITS',
    flag: '--account-limits <list>',
    help: 'what accounts may store, by plan, e.g. free.projects=5,pro.draft_bytes=20GB (see OPERATING.md)',
  },
  {
    name: 'QUOIN_ACCOUNT_RATE_FACTOR',
    flag: '--account-rate-factor <number>',
    help: 'requests of all keys and sessions of a user, as a multiple of their largest plan; 0: no limit (5)',
  },
  { name: 'QUOIN_LOG_LEVEL', flag: '--log-level <level>', help: 'silent, error, warn, info or debug (info)' },
  {
    name: 'QUOIN_LOG_REQUESTS',
    flag: '--log-requests <part>',
    help: 'part of the answered requests to log, from 0 to 1; slow and failed ones always are (0)',
  },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']

/**
 * Reads and validates every setting.
 *
 * @param values by environment variable; flags already override the environment.
 * @throws {ConfigError} for the first invalid setting.
 */
export function readConfig(values: Readonly<Partial<Record<SettingName, string>>>): Config {
  const data = resolve(values.QUOIN_DATA || './data')
  const storage = readStorage('QUOIN_STORAGE_URL', values, join(data, 'cdn'))
  const tls = readTls(values)
  // A worker has null, because only its own machine sends it requests.
  const hasAcme = tls !== null && values.QUOIN_TLS === 'acme'
  return {
    role: readRole(values),
    data,
    database: readDatabase(values, data),
    migrates: readSwitch('QUOIN_MIGRATE', values.QUOIN_MIGRATE),
    storage,
    media: readMedia(values, data, storage),
    mediaLimits: {
      // Images are in memory while they are read.
      image: 1e6 * readNumber('QUOIN_MAX_IMAGE', values, { default: 25, min: 1, max: 25 }),
      file: 1e6 * readNumber('QUOIN_MAX_FILE', values, { default: 100, min: 1, max: 4_000 }),
    },
    themes: readThemes(values.QUOIN_THEMES),
    host: values.QUOIN_HOST || (hasAcme ? '0.0.0.0' : '127.0.0.1'),
    port: readPort('QUOIN_PORT', values, hasAcme ? 443 : 8080),
    baseUrl: readUrl('QUOIN_BASE_URL', values.QUOIN_BASE_URL),
    contentUrl: readUrl('QUOIN_CONTENT_URL', values.QUOIN_CONTENT_URL),
    sitesDomain: readDomain(values.QUOIN_SITES_DOMAIN),
    domainProof: readSwitch('QUOIN_DOMAIN_PROOF', values.QUOIN_DOMAIN_PROOF),
    trustProxy: readProxies(values.QUOIN_TRUST_PROXY),
    allowHttp: readFlag('QUOIN_ALLOW_HTTP', values.QUOIN_ALLOW_HTTP),
    webhookAllowPrivate: readFlag('QUOIN_WEBHOOK_ALLOW_PRIVATE', values.QUOIN_WEBHOOK_ALLOW_PRIVATE),
    smtp: readSmtp(values),
    purge: readPurge(values),
    tls,
    masterKey: readMasterKey(values.QUOIN_MASTER_KEY),
    maxConnections: readNumber('QUOIN_MAX_CONNECTIONS', values, { default: 4000, min: 1, max: 1_000_000 }),
    maxConnectionsPerAddress: readNumber('QUOIN_MAX_CONNECTIONS_PER_ADDRESS', values, {
      default: 256,
      min: 1,
      max: 1_000_000,
    }),
    stallMs: 1000 * readNumber('QUOIN_STALL_SECONDS', values, { default: 30, min: 1, max: 3600 }),
    requestMemoryBytes:
      2 ** 20 * readNumber('QUOIN_REQUEST_MEMORY', values, { default: 128, min: 96, max: 65_536 }),
    planLimits: readPlanLimits(values.QUOIN_ACCOUNT_LIMITS),
    accountRateFactor: readNumber('QUOIN_ACCOUNT_RATE_FACTOR', values, { default: 5, min: 0, max: 1000 }),
    logLevel: readLevel(values.QUOIN_LOG_LEVEL),
    requestSample: readPart('QUOIN_LOG_REQUESTS', values.QUOIN_LOG_REQUESTS),
  }
}

/** The ways to write SQLite's databases in memory. As a path, they would create a file of that name. */
const MEMORY_DATABASE = /^sqlite:(\/\/)?(file:)?(:memory:|.*[?&]mode=memory)/i

function readRole({
  QUOIN_ROLE: text,
  QUOIN_BASE_URL: baseUrl,
}: Readonly<Partial<Record<SettingName, string>>>): Role {
  const role = ROLES.find((known) => known === (text || 'all'))
  if (role === undefined)
    throw new ConfigError(`QUOIN_ROLE: must be all, api or worker, not ${show(text ?? '')}.`)
  if (role !== 'all' && !baseUrl)
    throw new ConfigError(
      `QUOIN_BASE_URL: must be set with the role ${role}, to the address that clients use: pages that workers render link to it.`,
    )
  return role
}

function readDatabase(
  {
    QUOIN_DATABASE_URL: url,
    QUOIN_DATABASE_DIRECT_URL: directUrl,
    QUOIN_DATABASE_REPLICA_URL: replicaUrl,
  }: Readonly<Partial<Record<SettingName, string>>>,
  data: string,
): DatabaseTarget {
  if (url && /^postgres(ql)?:/i.test(url)) {
    const checked = readPostgres('QUOIN_DATABASE_URL', url)
    const direct = directUrl ? readPostgres('QUOIN_DATABASE_DIRECT_URL', directUrl) : checked
    const replica = replicaUrl ? readPostgres('QUOIN_DATABASE_REPLICA_URL', replicaUrl) : null
    return { kind: 'postgres', url: checked, directUrl: direct, replicaUrl: replica }
  }
  const useless = directUrl ? 'QUOIN_DATABASE_DIRECT_URL' : replicaUrl ? 'QUOIN_DATABASE_REPLICA_URL' : null
  if (useless !== null)
    throw new ConfigError(`${useless}: has no effect unless QUOIN_DATABASE_URL is postgres://….`)
  if (!url) return { kind: 'sqlite', file: join(data, 'quoin.db') }
  if (MEMORY_DATABASE.test(url)) {
    throw new ConfigError(
      'QUOIN_DATABASE_URL: a database in memory loses every page and key when the service stops; use sqlite:<file>, or leave it empty for {data}/quoin.db.',
    )
  }
  return { kind: 'sqlite', file: readPath('QUOIN_DATABASE_URL', url, 'sqlite:') }
}

/** The URL is not repeated: it may hold a password. */
function readPostgres(name: SettingName, text: string): string {
  const url = parseUrl(text)
  if (url !== null && url.hostname !== '' && /^\/[^/]+$/.test(url.pathname)) return text
  throw new ConfigError(
    `${name}: must look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded.`,
  )
}

/**
 * The SQLite file, for commands that work on it.
 *
 * @throws {ConfigError} with PostgreSQL.
 */
export function databaseFileOf({ database }: Pick<Config, 'database'>, otherwise: string): string {
  if (database.kind === 'sqlite') return database.file
  throw new ConfigError(`QUOIN_DATABASE_URL: ${otherwise}`)
}

function readStorage(
  name: SettingName,
  { [name]: url }: Readonly<Partial<Record<SettingName, string>>>,
  folder: string,
): StorageTarget {
  if (!url) return { kind: 'folder', folder }
  try {
    return parseStorageUrl(url)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`${name}: ${error.message}.`)
    throw error
  }
}

/** Whatever is in the store of published objects is public. */
function readMedia(
  values: Readonly<Partial<Record<SettingName, string>>>,
  data: string,
  storage: StorageTarget,
): StorageTarget {
  const media = readStorage('QUOIN_MEDIA_URL', values, join(data, 'media'))
  if (!overlaps(media, storage)) return media
  throw new ConfigError(
    'QUOIN_MEDIA_URL: must be another place than QUOIN_STORAGE_URL, neither inside of it nor around it: everything there is public.',
  )
}

/** Reports whether two stores are the same place, or one is within the other. */
export function overlaps(one: StorageTarget, other: StorageTarget): boolean {
  if (one.kind === 'folder' && other.kind === 'folder')
    return isWithin(`${one.folder}${sep}`, `${other.folder}${sep}`)
  if (one.kind === 'folder' || other.kind === 'folder') return false
  return one.bucket === other.bucket && one.endpoint === other.endpoint && isWithin(one.prefix, other.prefix)
}

function isWithin(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

function readThemes(folder: string | undefined): string | null {
  if (!folder) return null
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new ConfigError(`QUOIN_THEMES: the folder ${path} does not exist.`)
}

function readPath(name: SettingName, url: string, scheme: string): string {
  const path = url.slice(scheme.length).replace(/^\/\/(?=\/)/, '')
  if (!url.startsWith(scheme) || path === '' || path.includes('\0')) {
    throw new ConfigError(
      `${name}: must look like ${scheme}/absolute/path or ${scheme}relative/path, not ${show(url)}.`,
    )
  }
  return isAbsolute(path) ? path : resolve(path)
}

function readNumber(
  name: SettingName,
  { [name]: text }: Readonly<Partial<Record<SettingName, string>>>,
  { default: absent, min, max }: { readonly default: number; readonly min: number; readonly max: number },
): number {
  if (!text) return absent
  const number = Number(text)
  if (/^\d{1,7}$/.test(text) && number >= min && number <= max) return number
  throw new ConfigError(`${name}: must be a whole number from ${min} to ${max}, not ${show(text)}.`)
}

function readPort(
  name: SettingName,
  { [name]: text }: Readonly<Partial<Record<SettingName, string>>>,
  absent: number,
): number {
  if (!text) return absent
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigError(`${name}: must be a number from 0 to 65535, not ${show(text)}.`)
}

function readUrl(name: SettingName, text: string | undefined): string | null {
  if (!text) return null
  const url = parseUrl(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ConfigError(
      `${name}: must be an http or https URL such as https://api.example.com, not ${show(text)}.`,
    )
  }
  return withoutEndSlashes(text)
}

function readDomain(text: string | undefined): string | null {
  if (!text) return null
  const domain = text.toLowerCase()
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(domain) && !domain.includes('..')) return domain
  throw new ConfigError(`QUOIN_SITES_DOMAIN: must be a domain such as sites.example.com, not ${show(text)}.`)
}

function readProxies(text: string | undefined): readonly string[] {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  try {
    parseIpRanges(entries)
    return entries
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`QUOIN_TRUST_PROXY: ${error.message}.`)
    throw error
  }
}

function readFlag(name: SettingName, text: string | undefined): boolean {
  if (!text || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw new ConfigError(`${name}: must be true or false, not ${show(text)}.`)
}

/** On unless it is switched off. */
function readSwitch(name: SettingName, text: string | undefined): boolean {
  if (!text || text === 'on') return true
  if (text === 'off') return false
  throw new ConfigError(`${name}: must be on or off, not ${show(text)}.`)
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
const ACME_SETTINGS = [
  'QUOIN_ACME_TERMS',
  'QUOIN_ACME_EMAIL',
  'QUOIN_ACME_DIRECTORY',
  'QUOIN_HTTP_PORT',
] as const

function readTls(values: Readonly<Partial<Record<SettingName, string>>>): Config['tls'] {
  const { QUOIN_TLS: mode, QUOIN_TLS_CERT: cert, QUOIN_TLS_KEY: key } = values
  if (mode && mode !== 'self-signed' && mode !== 'acme')
    throw new ConfigError(`QUOIN_TLS: must be acme, self-signed or empty, not ${show(mode)}.`)
  if (mode && (cert || key)) {
    throw new ConfigError(
      `QUOIN_TLS: ${mode} cannot be combined with QUOIN_TLS_CERT and QUOIN_TLS_KEY; use one or the other.`,
    )
  }
  if (mode === 'acme') {
    const acme = readAcme(values)
    // Only its own machine sends requests to a worker.
    return values.QUOIN_ROLE === 'worker' ? null : acme
  }
  const useless = ACME_SETTINGS.find((name) => values[name])
  if (useless !== undefined) throw new ConfigError(`${useless}: has no effect without QUOIN_TLS=acme.`)
  if (mode) return 'self-signed'
  if (!cert && !key) return null
  if (!cert || !key)
    throw new ConfigError('QUOIN_TLS_CERT and QUOIN_TLS_KEY must be set together; one of them is missing.')
  const files = { certFile: cert, keyFile: key }
  readCertificate(files)
  return files
}

function readAcme(values: Readonly<Partial<Record<SettingName, string>>>): AcmeTls {
  const { QUOIN_ACME_EMAIL: email, QUOIN_ACME_TERMS: terms, QUOIN_BASE_URL: baseUrl } = values
  const directory = values.QUOIN_ACME_DIRECTORY || LETS_ENCRYPT
  if (terms !== 'agreed')
    throw new ConfigError(
      `QUOIN_ACME_TERMS: must be agreed with QUOIN_TLS=acme, once you have read the terms of the authority at ${directory}.`,
    )
  const { protocol, hostname = '' } = parseUrl(baseUrl ?? '') ?? {}
  if (protocol !== 'https:' || hostName(hostname) === null || !hostname.includes('.'))
    throw new ConfigError(
      'QUOIN_BASE_URL: must be https:// and a domain name with QUOIN_TLS=acme, such as https://quoin.example.com.',
    )
  if (email && !/^[^\s@,;?&]+@[^\s@,;?&]+$/.test(email))
    throw new ConfigError(`QUOIN_ACME_EMAIL: must be an e-mail address, not ${show(email)}.`)
  if (parseUrl(directory)?.protocol !== 'https:')
    throw new ConfigError(`QUOIN_ACME_DIRECTORY: must be an https URL, not ${show(directory)}.`)
  return { directory, email: email || null, httpPort: readPort('QUOIN_HTTP_PORT', values, 80) }
}

/** The files of the certificate that the settings name; null where there is none, or Quoin creates or orders it. */
export function certificateFilesOf({ tls }: Pick<Config, 'tls'>): TlsFiles | null {
  return tls !== null && tls !== 'self-signed' && 'certFile' in tls ? tls : null
}

/** The authority that certificates are ordered from; null for none. */
export function acmeOf({ tls }: Pick<Config, 'tls'>): AcmeTls | null {
  return tls !== null && tls !== 'self-signed' && 'directory' in tls ? tls : null
}

/**
 * Reads the present files.
 *
 * @throws {ConfigError} when one cannot be read. It names the setting.
 */
export function readCertificate({ certFile, keyFile }: TlsFiles): CertificatePair {
  return { cert: readPem('QUOIN_TLS_CERT', certFile), key: readPem('QUOIN_TLS_KEY', keyFile) }
}

function readPem(name: SettingName, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new ConfigError(`${name}: the file ${file} cannot be read.`)
  }
}

function readMasterKey(text: string | undefined): MasterKey | null {
  if (!text) return null
  try {
    return parseMasterKey(text)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`QUOIN_MASTER_KEY: ${error.message}.`)
    throw error
  }
}

function readSmtp({
  QUOIN_SMTP_URL: url,
  QUOIN_MAIL_FROM: from,
}: Readonly<Partial<Record<SettingName, string>>>): SmtpTarget | null {
  if (!url && from) throw new ConfigError('QUOIN_MAIL_FROM: has no effect without QUOIN_SMTP_URL.')
  if (!url) return null
  if (!from || !/^([^<>\p{Cc}]*<)?[^\s@<>]+@[^\s@<>]+>?$/u.test(from))
    throw new ConfigError(
      'QUOIN_MAIL_FROM: must be the sender of mails, such as quoin@example.com or "Quoin <quoin@example.com>".',
    )
  try {
    return parseSmtpUrl(url, from)
  } catch (error) {
    if (error instanceof RangeError || error instanceof URIError)
      throw new ConfigError(`QUOIN_SMTP_URL: ${error.message}.`)
    throw error
  }
}

function readPurge({
  QUOIN_PURGE_URL: url,
  QUOIN_PURGE_TOKEN: token,
}: Readonly<Partial<Record<SettingName, string>>>): PurgeTarget | null {
  if (!url && token) throw new ConfigError('QUOIN_PURGE_TOKEN: has no effect without QUOIN_PURGE_URL.')
  if (!url) return null
  try {
    return parsePurgeUrl(url, token || null)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`QUOIN_PURGE_URL: ${error.message}.`)
    throw error
  }
}

function readPlanLimits(text: string | undefined): PlanLimits {
  if (!text) return PLAN_LIMITS
  try {
    return changedPlanLimits(parsePlanLimits(text))
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`QUOIN_ACCOUNT_LIMITS: ${error.message}.`)
    throw error
  }
}

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug']

function readLevel(text: string | undefined): string {
  if (!text) return 'info'
  if (LEVELS.includes(text)) return text
  throw new ConfigError(`QUOIN_LOG_LEVEL: must be one of ${LEVELS.join(', ')}, not ${show(text)}.`)
}

function readPart(name: SettingName, text: string | undefined): number {
  if (!text) return 0
  const part = Number(text)
  if (/^[01]?\.?\d{0,6}$/.test(text) && part >= 0 && part <= 1) return part
  throw new ConfigError(`${name}: must be a number from 0 to 1, such as 0.01, not ${show(text)}.`)
}

function show(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/**
 * Returns the URL at which clients on this machine reach a server with this configuration, without a trailing slash.
 */
export function localUrl({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${tls === null ? 'http' : 'https'}://${shown}:${port}`
}

export function addressesOf({ contentUrl, sitesDomain }: Config, baseUrl: string): PublicAddresses {
  return { contentUrl: contentUrl ?? `${baseUrl}/public`, sitesDomain }
}
