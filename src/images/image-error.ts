import { ServiceError } from '../domain/errors.ts'

/** The file is no picture that can be shown. The message is for the person who sent it. */
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
