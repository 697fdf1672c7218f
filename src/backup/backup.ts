import { z } from 'zod'
import { isSafeKey } from '../domain/storage-key.ts'
import type { PassphraseSealed } from '../secrets/passphrase.ts'

/*
 * A backup is a set of objects in a folder or a bucket: blobs, named by their digests, and `backup.json`, which names
 * the blobs. It is written last, so a place without it holds no backup.
 */

export const MANIFEST = 'backup.json'
/** Version of the form of a backup. */
const FORM = 1

/** SHA-256 of bytes, and how many they are. */
export interface Digested {
  readonly sha256: string
  readonly bytes: number
}

export interface BackedUpObject extends Digested {
  /** Key in the store of published files, or in the media store. */
  readonly key: string
}

export interface Backup {
  /** Version of Quoin that wrote it. */
  readonly version: string
  /** ISO 8601 UTC. The database is of this time; published files are of this time or later. */
  readonly createdAt: string
  /** Names of the migrations of the database, in order. */
  readonly migrations: readonly string[]
  /** The database file, in consecutive parts. */
  readonly database: Digested & { readonly parts: readonly Digested[] }
  /** Published files. Null when a bucket holds them: they are not part of the backup then. */
  readonly objects: readonly BackedUpObject[] | null
  /** Uploads and their derived images, as the database names them. Null when they are not part of the backup. */
  readonly media: readonly BackedUpObject[] | null
  readonly masterKey: PassphraseSealed & {
    /** Names the newest key. */
    readonly id: string
  }
}

const digested = { sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) }

const objects = z.array(z.object({ ...digested, key: z.string().refine(isSafeKey) })).nullable()

const Manifest = z.object({
  quoin_backup: z.literal(FORM),
  version: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()),
  database: z.object({ ...digested, parts: z.array(z.object(digested)) }),
  objects,
  /** Absent in backups of earlier versions. */
  media: objects.default(null),
  master_key: z.object({ id: z.string(), kdf: z.literal('scrypt'), salt: z.string(), sealed: z.string() }),
})

export function writeManifest({ createdAt, masterKey, ...backup }: Backup): Uint8Array {
  const manifest = { quoin_backup: FORM, created_at: createdAt, ...backup, master_key: masterKey }
  return Buffer.from(`${JSON.stringify(manifest)}\n`)
}

/** @throws {RangeError} if the text is no manifest that this version reads. */
export function readManifest(bytes: Uint8Array): Backup {
  const { quoin_backup: _, created_at: createdAt, master_key: masterKey, ...backup } = parsed(bytes)
  return { ...backup, createdAt, masterKey }
}

function parsed(bytes: Uint8Array): z.infer<typeof Manifest> {
  try {
    return Manifest.parse(JSON.parse(Buffer.from(bytes).toString()))
  } catch (error) {
    throw new RangeError(`${MANIFEST} is damaged, or was written by a newer version of Quoin`, {
      cause: error,
    })
  }
}

/** Every blob of a backup, each once. */
export function blobsOf({ database, objects, media }: Backup): readonly Digested[] {
  const all = [...database.parts, ...(objects ?? []), ...(media ?? [])].map(({ sha256, bytes }) => ({
    sha256,
    bytes,
  }))
  return [...new Map(all.map((blob) => [blob.sha256, blob])).values()]
}
