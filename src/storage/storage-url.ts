import { isAbsolute, resolve } from 'node:path'
import { withoutOuterSlashes } from '../domain/end-slashes.ts'
import { parseUrl, readEndpoint } from '../domain/parse-url.ts'
import { isSafeKey } from '../domain/storage-key.ts'

/** The folder or bucket that a storage URL names. */
export type StorageTarget = FolderTarget | BucketTarget

export interface FolderTarget {
  readonly kind: 'folder'
  /** Absolute path. */
  readonly folder: string
}

export interface BucketTarget {
  readonly kind: 'bucket'
  readonly bucket: string
  /** Prefix of each key: empty, or ending with a slash. */
  readonly prefix: string
  /** Region of the bucket; null takes it from the environment and the AWS configuration files. */
  readonly region: string | null
  /** URL without a trailing slash; null is Amazon S3. */
  readonly endpoint: string | null
  /** True if the bucket is in the path (`https://host/bucket/key`) instead of the host name. */
  readonly forcePathStyle: boolean
  /** `when_required` sends and checks CRC checksums only where the protocol asks for them. */
  readonly checksums: 'when_required' | 'when_supported'
}

/** Leaves room for every key of a page within the 1024 bytes that S3 allows. */
const MAX_PREFIX_BYTES = 64

const PARAMETERS = ['region', 'endpoint', 'force_path_style', 'checksums']

/**
 * @param url `file:<folder>`, or `s3://bucket/prefix?region=&endpoint=&force_path_style=&checksums=`.
 * @throws {RangeError} with the reason, without a full stop.
 */
export function parseStorageUrl(url: string): StorageTarget {
  if (url.startsWith('s3:')) return readBucket(url)
  const path = url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  if (!url.startsWith('file:') || path === '' || path.includes('\0')) {
    throw new RangeError(
      'must look like file:/absolute/path, file:relative/path or s3://bucket/prefix?region=eu-central-1',
    )
  }
  return { kind: 'folder', folder: isAbsolute(path) ? path : resolve(path) }
}

function readBucket(text: string): BucketTarget {
  const url = parseUrl(text)
  if (url === null || url.host === '' || url.hash !== '') {
    throw new RangeError('must look like s3://bucket/prefix?region=eu-central-1')
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError(
      'takes no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or another source of the AWS SDK',
    )
  }
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name))
      throw new RangeError(`knows the parameters ${PARAMETERS.join(', ')}, not ${JSON.stringify(name)}`)
    if (url.searchParams.getAll(name).length > 1) throw new RangeError(`has ${name} more than once`)
  }
  const endpoint = readEndpoint(url.searchParams.get('endpoint'), 'https://s3.example.com')
  return {
    kind: 'bucket',
    bucket: readName(url.host),
    prefix: readPrefix(url.pathname),
    // Self-hosted servers rarely have regions, but each request has to name one.
    region: url.searchParams.get('region') || (endpoint === null ? null : 'us-east-1'),
    endpoint,
    forcePathStyle: readPathStyle(url.searchParams.get('force_path_style')) ?? endpoint !== null,
    checksums: readChecksums(url.searchParams.get('checksums')),
  }
}

function readName(name: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) return name
  throw new RangeError(
    `has the bucket ${JSON.stringify(name)}; a name is 3 to 63 lowercase letters, digits, dots and hyphens`,
  )
}

function readPrefix(pathname: string): string {
  const prefix = withoutOuterSlashes(decodePath(pathname))
  if (prefix === '') return ''
  if (isSafeKey(prefix) && Buffer.byteLength(prefix) <= MAX_PREFIX_BYTES) return `${prefix}/`
  throw new RangeError(
    `has the prefix ${JSON.stringify(prefix)}; it is at most ${MAX_PREFIX_BYTES} bytes long, without empty, "." or ".." segments`,
  )
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    throw new RangeError('has a prefix that is not percent-encoded correctly')
  }
}

function readPathStyle(text: string | null): boolean | null {
  if (!text) return null
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new RangeError(`has force_path_style=${JSON.stringify(text)}; it must be true or false`)
}

function readChecksums(text: string | null): BucketTarget['checksums'] {
  if (!text) return 'when_required'
  if (text === 'when_required' || text === 'when_supported') return text
  throw new RangeError(`has checksums=${JSON.stringify(text)}; it must be when_required or when_supported`)
}
