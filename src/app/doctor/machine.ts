import type { StatsFs } from 'node:fs'
import { readFile, stat, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { fallbackOn } from '../../platform/fs-errors.ts'
import { version } from '../../platform/package-paths.ts'
import type { Config } from '../config.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

/** Memory of the process itself and of one render process at its limit, besides that for requests. */
const LEAST_MEMORY = (150 + 512) * MIB
/** Files of the database, the store and child processes, besides one for each connection. */
const OTHER_FILES = 512
/** Free bytes below which uploads and backups soon fail. */
const FEW_BYTES = 2 * GIB
/** Free bytes below which a publish may fail. */
const NO_BYTES = 200 * MIB
/** Free part of the inodes of a file system below which files soon cannot be created. */
const FEW_INODES = 1 / 50

/** Types of file systems that do not lock files as SQLite needs it, by `f_type`. Source: statfs(2). */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
])

/** Versions, memory, open files and disks of this machine. */
export async function* examineMachine(config: Config): AsyncGenerator<Finding> {
  yield ok(
    'versions',
    `Quoin ${version()} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}.`,
  )
  yield memory(config, process.constrainedMemory() || totalmem())
  yield openFiles(config, await openFilesLimit())
  yield* examineDisks(foldersOf(config))
}

function memory({ requestMemoryBytes }: Config, bytes: number): Finding {
  const available = Math.min(bytes, totalmem())
  const wanted = LEAST_MEMORY + requestMemoryBytes
  if (available >= wanted) return ok('memory', `${inMebibytes(available)} of memory.`)
  return warning(
    'memory',
    `This machine or container has ${inMebibytes(available)} of memory, and the service may take ${inMebibytes(wanted)}.`,
    'Give it more memory, or lower QUOIN_REQUEST_MEMORY.',
  )
}

function openFiles({ maxConnections }: Config, limit: number | null): Finding {
  const wanted = maxConnections + OTHER_FILES
  if (limit === null) return ok('limits', `${maxConnections} connections at once.`)
  if (limit >= wanted)
    return ok('limits', `${limit} open files, enough for ${maxConnections} connections at once.`)
  return warning(
    'limits',
    `A process may open ${limit} files here, and ${maxConnections} connections at once need ${wanted}.`,
    `Set LimitNOFILE=${wanted} in the systemd unit (ulimit -n elsewhere), or lower QUOIN_MAX_CONNECTIONS.`,
  )
}

/** The hard limit, to which Node raises its own; null where the system does not show it. */
async function openFilesLimit(): Promise<number | null> {
  const limits = await fallbackOn(['ENOENT'], readFile('/proc/self/limits', 'utf8'), '')
  const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(limits) ?? []
  return hard === undefined ? null : Number(hard)
}

interface WrittenFolder {
  readonly setting: string
  readonly path: string
}

/** The folders that the service writes. */
function foldersOf({ data, database, storage, media }: Config): readonly WrittenFolder[] {
  return [
    { setting: 'QUOIN_DATA', path: data },
    ...(database.kind === 'sqlite' ? [{ setting: DATABASE, path: dirname(database.file) }] : []),
    ...(storage.kind === 'folder' ? [{ setting: 'QUOIN_STORAGE_URL', path: storage.folder }] : []),
    ...(media.kind === 'folder' ? [{ setting: 'QUOIN_MEDIA_URL', path: media.folder }] : []),
  ]
}

const DATABASE = 'QUOIN_DATABASE_URL'

/** One finding for each disk, and one more for a database on a network file system. */
async function* examineDisks(folders: readonly WrittenFolder[]): AsyncGenerator<Finding> {
  const disks = new Map<number, { readonly folder: string; readonly settings: string[] }>()
  for (const { setting, path } of folders) {
    const folder = await existingParent(path)
    const { dev } = await stat(folder)
    const disk = disks.get(dev) ?? { folder, settings: [] }
    disks.set(dev, disk)
    disk.settings.push(setting)
  }
  for (const { folder, settings } of disks.values())
    yield* diskFindings(folder, settings, await statfs(folder))
}

/** @param settings of the folders that are on this disk. */
export function* diskFindings(
  folder: string,
  settings: readonly string[],
  { bavail, bsize, files: inodes, ffree, type }: Omit<StatsFs, 'blocks' | 'bfree'>,
): Generator<Finding> {
  const network = NETWORK_FILE_SYSTEMS.get(type)
  if (network !== undefined && settings.includes(DATABASE))
    yield failure(
      'disk',
      `The database is on a network file system (${network}) at ${folder}, which does not lock files as SQLite needs it.`,
      'Move it to a local disk, or use PostgreSQL (QUOIN_DATABASE_URL).',
    )
  const free = bavail * bsize
  const where = `the disk of ${settings.join(', ')} (${folder})`
  if (free < FEW_BYTES) {
    const found = free < NO_BYTES ? failure : warning
    yield found('disk', `${inMebibytes(free)} are free on ${where}.`, 'Free space, or use a larger disk.')
  } else if (inodes > 0 && ffree < inodes * FEW_INODES)
    yield warning(
      'disk',
      `${ffree} of ${inodes} inodes are free on ${where}.`,
      'Remove files, or use a larger disk.',
    )
  else yield ok('disk', `${inMebibytes(free)} are free on ${where}.`)
}

/** The folder, or the nearest one above it that exists. */
async function existingParent(folder: string): Promise<string> {
  const found = await fallbackOn(['ENOENT', 'ENOTDIR'], stat(folder), null)
  return found?.isDirectory() || dirname(folder) === folder ? folder : existingParent(dirname(folder))
}

function inMebibytes(bytes: number): string {
  return bytes < 10 * GIB ? `${Math.floor(bytes / MIB)} MiB` : `${Math.floor(bytes / GIB)} GiB`
}
