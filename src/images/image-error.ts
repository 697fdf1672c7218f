import { ServiceError } from '../domain/errors.ts'

/** The file is no image that can be shown. The message is for its sender. */
export function badImage(message: string): ServiceError {
  return new ServiceError('validation_error', message)
}

export function damagedImage(cause?: unknown): ServiceError {
  return new ServiceError(
    'validation_error',
    'The picture is damaged or incomplete: it cannot be decoded to its end. Save it again, or upload it once more.',
    { cause },
  )
}
