import { type ErrorName, messageOf, ServiceError } from '../domain/errors.ts'

/** The outcome of work in another thread or process, as plain values. */
export type Reply<Value> =
  | { readonly value: Value }
  /** A `ServiceError`, caused by the input. */
  | { readonly refused: { readonly name: ErrorName; readonly message: string } }
  /** Any other error, which is a bug, with its stack. */
  | { readonly broken: string }

/** Cost of the work. */
export interface Measured {
  /** Processor time of the process meanwhile, in milliseconds. */
  readonly processorMs: number
}

/** Returns `toReply` with the cost of the work, in a process that does nothing else meanwhile. */
export async function toMeasuredReply<Value>(work: () => Promise<Value>): Promise<Reply<Value> & Measured> {
  const before = process.cpuUsage()
  const reply = await toReply(work)
  const { user, system } = process.cpuUsage(before)
  return { ...reply, processorMs: (user + system) / 1000 }
}

/** Turns the result of the work, or its error, into a reply. */
export async function toReply<Value>(work: () => Promise<Value>): Promise<Reply<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof ServiceError) return { refused: { name: error.name, message: error.message } }
    return { broken: error instanceof Error && error.stack ? error.stack : messageOf(error) }
  }
}

/**
 * Turns a reply back into the result.
 *
 * @param worker for the message of a bug, such as `renderer`.
 * @throws {ServiceError} if the input was refused, or an Error with the stack of a bug.
 */
export function unwrapReply<Value>(reply: Reply<Value>, worker: string): Value {
  if ('value' in reply) return reply.value
  if ('refused' in reply) throw new ServiceError(reply.refused.name, reply.refused.message)
  throw new Error(`A ${worker} failed: ${reply.broken}`)
}
