import { z } from 'zod'
import type { Answer, RequestBody } from './operation.ts'

/** Bytes, which JSON Schema cannot describe. */
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream' })

/**
 * A body that is a file, or a form with the part `file`.
 *
 * @param fields of the form next to the file; null for none.
 */
export function fileBody(fields: z.ZodObject | null): RequestBody {
  const form = fields === null ? z.strictObject({ file: bytes }) : fields.extend({ file: bytes })
  return { required: true, files: { 'application/octet-stream': bytes, 'multipart/form-data': form } }
}

/** An answer that is a file, as a download. */
export function fileAnswer(description: string): Answer {
  return { status: 200, description, content: { '*/*': bytes } }
}
