import { finished, type Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { Context } from 'koa'
import { ServiceError } from '../domain/errors.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import { nulError } from '../domain/nul-characters.ts'
import type { IncomingFile, IncomingFiles } from '../media/incoming-files.ts'

/** Fields of a form next to its file, and the bytes of each. */
const MAX_FIELDS = 8
const MAX_FIELD_BYTES = 8 * 1024
const MAX_PART_HEADERS = 20
const MAX_PART_HEADER_BYTES = 16 * 1024

/** A received file, and the form fields that came with it. The caller removes the file. */
export interface ReceivedUpload {
  readonly file: IncomingFile
  /** The name that a form gives to the file, without folders; null for a raw body. */
  readonly fileName: string | null
  readonly fields: ReadonlyMap<string, string>
}

export function isForm(ctx: Context): boolean {
  return ctx.is('multipart/form-data') === 'multipart/form-data'
}

/**
 * Reads the file in the body of a request: the body itself, or the part `file` of a form.
 *
 * @param largest bytes that a file with this head may have.
 * @throws {ServiceError} as `IncomingFiles.receive`, and `missing_required_field` without a file. No file is left.
 */
export async function readUpload(
  ctx: Context,
  incoming: IncomingFiles,
  largest: (head: Buffer) => number,
): Promise<ReceivedUpload> {
  const upload = isForm(ctx)
    ? await readForm(ctx, incoming, largest)
    : { file: await incoming.receive(ctx.req, largest), fileName: null, fields: new Map<string, string>() }
  if (upload.file.bytes > 0) return upload
  await incoming.remove(upload.file)
  throw fileFailure('is empty.')
}

async function readForm(
  ctx: Context,
  incoming: IncomingFiles,
  largest: (head: Buffer) => number,
): Promise<ReceivedUpload> {
  const form = openForm(ctx)
  const fields = new Map<string, string>()
  const arriving: Arriving = { part: null, fileName: null, file: null }
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name, stream, given) => {
        // A part whose form ends early reports it too, when nothing listens any more.
        stream.on('error', () => {})
        if (name !== 'file') return reject(unknownField(name))
        if (arriving.file !== null) return reject(fileFailure('must be given once.'))
        arriving.part = stream
        arriving.fileName = given ?? null
        arriving.file = incoming.receive(stream, largest)
        arriving.file.catch(reject)
      })
      form.on('field', (name, value, nameTruncated, valueTruncated) => {
        if (nameTruncated || valueTruncated)
          reject(
            fieldFailure('validation_error', [{ path: name, message: 'is too long.', code: 'wrong_length' }]),
          )
        if (`${name}${value}`.includes('\0')) reject(fieldFailure('validation_error', [nulError(name)]))
        if (fields.has(name))
          reject(fieldFailure('validation_error', [{ path: name, message: 'must be given once.' }]))
        fields.set(name, value)
      })
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        form.on(limit, () => reject(new ServiceError('invalid_request', 'The form has too many parts.')))
      form.once('finish', resolve)
      form.once('error', (cause) =>
        reject(new ServiceError('invalid_request', 'The form is malformed or ended early.', { cause })),
      )
      // Also of a connection that was closed before, while the request waited for its turn.
      finished(ctx.req, (cause) => {
        if (cause) reject(new ServiceError('invalid_request', 'The upload ended early.', { cause }))
      })
      ctx.req.pipe(form)
    })
    if (arriving.file === null)
      throw fieldFailure('missing_required_field', [{ path: 'file', message: 'required.', code: 'required' }])
    return { file: await arriving.file, fileName: arriving.fileName, fields }
  } catch (error) {
    ctx.req.unpipe(form)
    await abandon(arriving, incoming)
    throw error
  }
}

/** The file of a form that is being read. */
interface Arriving {
  part: Readable | null
  fileName: string | null
  file: Promise<IncomingFile> | null
}

/** Ends the receiving of a part, which may never end by itself, and removes the received bytes. */
async function abandon({ part, file }: Arriving, incoming: IncomingFiles): Promise<void> {
  part?.destroy()
  const [received] = await Promise.allSettled([file])
  if (received?.status === 'fulfilled' && received.value !== null) await incoming.remove(received.value)
}

function openForm(ctx: Context): BusboyInstance {
  try {
    return new Busboy({
      headers: ctx.req.headers as BusboyHeaders,
      limits: {
        files: 2,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: MAX_FIELDS + 2,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    })
  } catch (cause) {
    throw new ServiceError('invalid_request', 'Content-Type: multipart/form-data needs a boundary.', {
      cause,
    })
  }
}

function unknownField(path: string): ServiceError {
  return fieldFailure('validation_error', [{ path, message: 'unknown field.', code: 'unknown_field' }])
}

function fileFailure(message: string): ServiceError {
  return fieldFailure('validation_error', [{ path: 'file', message }])
}
