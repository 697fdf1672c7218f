import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { createServerPresence, PRESENCE_MS, type RunningServer } from '../db/server-presence.ts'
import { systemTime } from '../platform/clock.ts'
import { every } from '../platform/every.ts'
import { fallbackOn } from '../platform/fs-errors.ts'
import { version } from '../platform/package-paths.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { type Config, ConfigError } from './config.ts'
import type { Installation } from './installation.ts'
import type { InstalledThemes } from './server-themes.ts'

/** A process among all that share an installation. */
export interface Membership {
  /**
   * Current time, ISO 8601 UTC. On PostgreSQL the time of its server, so that no clock of a machine decides anything.
   */
  readonly now: () => string
  /** Leaves, so that other settings are accepted at once. */
  leave(): Promise<void>
}

export interface MembershipPorts {
  /** Identifies this process. */
  readonly id: string
  readonly config: Config
  readonly installation: Installation
  readonly themes: InstalledThemes['themes']
  readonly log: Logger
}

/**
 * Records this process as running, and renews the record. Logs addresses that other running processes do not have.
 *
 * @throws {ConfigError} with one line when its store, master key or themes differ from theirs.
 */
export async function joinInstallation(ports: MembershipPorts): Promise<Membership> {
  const { id, config, installation, log } = ports
  const presence = createServerPresence(installation.connections.writer)
  const own = await describeProcess(ports)
  const clock = createClock(await presence.announce(id, own))
  const others = await presence.others(id)
  const refusal = refusalBeside(config, own, others)
  if (refusal !== null) {
    await presence.withdraw(id)
    throw new ConfigError(refusal)
  }
  const differing = differingAddresses(own, others)
  if (differing.length > 0) log.warn({ settings: differing }, 'A running process has other addresses.')
  const announcing = every(PRESENCE_MS, async () => {
    try {
      clock.set(await presence.announce(id, own))
    } catch (error) {
      log.error({ err: error }, 'The server could not record that it runs; it tries again.')
    }
  })
  return {
    now: config.database.kind === 'sqlite' ? systemTime : clock.now,
    async leave() {
      await announcing.stop()
      // The others forget it after a while, and its stop must not wait for a database that takes no writes.
      await presence.withdraw(id).catch((error) => {
        log.error({ err: error }, 'The server could not record that it stops.')
      })
    },
  }
}

/** A clock that continues from the last time it was set to, whatever the clock of the machine does. */
function createClock(start: string) {
  let last = { time: Date.parse(start), at: performance.now() }
  return {
    now: () => new Date(last.time + performance.now() - last.at).toISOString(),
    set(time: string) {
      last = { time: Date.parse(time), at: performance.now() }
    },
  }
}

async function describeProcess({
  config,
  installation: { masterKey },
  themes,
}: MembershipPorts): Promise<RunningServer> {
  const { storage, media, baseUrl, contentUrl, sitesDomain } = config
  return {
    machine: await machineId(),
    role: config.role,
    settings: {
      [MASTER_KEY]: [masterKey.id, ...masterKey.ids].join(' '),
      QUOIN_STORAGE_URL: addressOf(storage),
      QUOIN_MEDIA_URL: addressOf(media),
      QUOIN_BASE_URL: baseUrl ?? '',
      QUOIN_CONTENT_URL: contentUrl ?? '',
      QUOIN_SITES_DOMAIN: sitesDomain ?? '',
      // Another version has other themes of its own.
      [`${THEMES_OF}${version()}`]: digestOf(themes),
    },
  }
}

const MASTER_KEY = 'QUOIN_MASTER_KEY'
const THEMES_OF = 'QUOIN_THEMES '
/** May differ for a while, so that processes can be restarted with another address one after the other. */
const ADDRESSES: readonly string[] = ['QUOIN_BASE_URL', 'QUOIN_CONTENT_URL', 'QUOIN_SITES_DOMAIN']

/** The version of Quoin that a process runs; null for one that did not record it. */
export function versionOf({ settings }: RunningServer): string | null {
  const name = Object.keys(settings ?? {}).find((setting) => setting.startsWith(THEMES_OF))
  return name?.slice(THEMES_OF.length) ?? null
}

/** Returns the boot id of the kernel, so that containers of one machine are recognised, else the host name. */
async function machineId(): Promise<string> {
  const boot = await fallbackOn(['ENOENT'], readFile('/proc/sys/kernel/random/boot_id', 'utf8'), hostname())
  return boot.trim().slice(0, 64)
}

function addressOf(target: StorageTarget): string {
  return target.kind === 'folder'
    ? `file:${target.folder}`
    : `s3://${target.bucket}/${target.prefix} at ${target.endpoint ?? 'Amazon S3'}`
}

function digestOf(themes: InstalledThemes['themes']): string {
  const digests = [...themes.values()].map(({ name, digest }) => `${name} ${digest}`)
  return createHash('sha256').update(digests.sort().join('\n')).digest('hex')
}

/** Why this process may not run beside the others; null if it may. */
export function refusalBeside(
  { database, storage, media }: Pick<Config, 'database' | 'storage' | 'media'>,
  own: RunningServer,
  others: readonly RunningServer[],
): string | null {
  const isAlone = others.every(({ machine }) => machine === null || machine === own.machine)
  if (!isAlone && database.kind === 'sqlite')
    return 'QUOIN_DATABASE_URL: a process on another machine uses this SQLite file, which is for one machine. Use postgres://… for several, or stop the other.'
  if (!isAlone && storage.kind === 'folder') return folderRefusal('QUOIN_STORAGE_URL', storage.folder)
  if (!isAlone && media.kind === 'folder') return folderRefusal('QUOIN_MEDIA_URL', media.folder)
  for (const { settings } of others)
    for (const [name, value] of Object.entries(settings ?? {})) {
      const mine = ADDRESSES.includes(name) ? undefined : own.settings?.[name]
      const agree = name === MASTER_KEY ? openEachOther : (one: string, other: string) => one === other
      if (mine !== undefined && !agree(mine, value)) return differenceRefusal(name, value)
    }
  return null
}

/** Names of addresses with another value in a running process. Rendered pages contain them. */
function differingAddresses(own: RunningServer, others: readonly RunningServer[]): readonly string[] {
  return ADDRESSES.filter((name) =>
    others.some(({ settings }) => settings !== null && settings[name] !== own.settings?.[name]),
  )
}

function folderRefusal(name: string, folder: string): string {
  return `${name}: a process on another machine uses this database, which cannot read the folder ${folder} of this one. Use s3://… for all processes.`
}

function differenceRefusal(setting: string, value: string): string {
  const [name = ''] = setting.split(' ')
  const isSecret = name === MASTER_KEY || name === 'QUOIN_THEMES'
  const what = name === 'QUOIN_THEMES' ? 'other themes' : isSecret ? 'another key' : `${value || 'none'}`
  return `${name}: a running process of this installation has ${what}, and all must have the same. To change it, stop the others first; one that was killed counts for half a minute.`
}

/** Reports whether each process has the newest key of the other. The first id names the newest key. */
function openEachOther(one: string, other: string): boolean {
  const [[newest = '', ...known], [otherNewest = '', ...otherKnown]] = [one.split(' '), other.split(' ')]
  return otherKnown.includes(newest) && known.includes(otherNewest)
}
