import { UnavailableError } from '../domain/errors.ts'
import type { ByteBudget, Reservation } from '../limits/byte-budget.ts'

/**
 * Memory of content in use, as a multiple of its bytes: the bytes, their text, the values in it and the written answer
 * exist at the same time.
 */
const WORKING_COPIES = 4

/** Seconds after which a refused client may try again. Most answers are taken by then. */
const RETRY_SECONDS = 2

/** Counts the memory that one request holds. Whatever needs more throws `service_unavailable` when there is no room. */
export interface RequestBytes {
  /** Counts a body that is arriving. @param bytes its buffer. */
  receiving(bytes: number): void
  /** Counts a body that has arrived. @param bytes its length. */
  received(bytes: number): void
  /** Counts content that is about to be read from the database, in addition to everything before. */
  reading(bytes: number): void
  /** Counts the answer in place of everything before. */
  answering(bytes: number): void
  /** Length of the content that is being worked on. */
  working(): number
  /** Counts nothing any more. */
  release(): void
}

/** @param subject whom the bytes count for; called when the request first holds any. */
export function createRequestBytes(budget: ByteBudget, subject: () => string): RequestBytes {
  let reservation: Reservation | null = null

  return {
    receiving: resize,
    received: (bytes) => resize(bytes * WORKING_COPIES),
    reading: (bytes) => resize((reservation?.bytes() ?? 0) + bytes * WORKING_COPIES),
    answering: resize,
    working: () => (reservation?.bytes() ?? 0) / WORKING_COPIES,
    release: () => void reservation?.resize(0),
  }

  function resize(bytes: number): void {
    reservation ??= budget.open(subject())
    if (!reservation.resize(bytes)) throw noRoom()
  }
}

export function noRoom(): UnavailableError {
  return new UnavailableError(
    `The service holds as much for other requests as its memory allows. Try again in ${RETRY_SECONDS} s, with fewer requests at once.`,
    RETRY_SECONDS,
  )
}
