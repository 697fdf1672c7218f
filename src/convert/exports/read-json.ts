import { basename } from 'node:path'
import { JSONParser } from '@streamparser/json'
import { ServiceError } from '../../domain/errors.ts'
import type { JsonValue } from '../../domain/json.ts'
import { chunksOf } from './read-chunks.ts'

export interface ListedValue {
  /** The name of the list that has it. */
  readonly list: string
  readonly value: JsonValue
}

/** The most bytes of one value, and of what is between two values. */
const MAX_VALUE = 256 * 1024 * 1024

/** Bytes of a string that are decoded together. Without it each character is a value of its own. */
const STRING_BUFFER = 64 * 1024

/**
 * Reads the items of lists of a large JSON file, one at a time. Other values are skipped.
 *
 * @param paths of the items, e.g. `$.db.*.data.posts.*`.
 * @throws {ServiceError} `validation_error` for a file that is no JSON, or not whole.
 */
export function* jsonItems(path: string, paths: readonly string[]): Generator<ListedValue> {
  const found: ListedValue[] = []
  let bytes = 0
  let last = 0
  const parser = new JSONParser({ paths: [...paths], keepStack: false, stringBufferSize: STRING_BUFFER })
  parser.onToken = () => {
    last = bytes
  }
  parser.onValue = ({ value, stack }) => {
    found.push({ list: String(stack.at(-1)?.key ?? ''), value: value as JsonValue })
  }
  try {
    for (const chunk of chunksOf(path)) {
      parser.write(chunk)
      bytes += chunk.length
      if (bytes - last > MAX_VALUE)
        throw refused(path, `it has a value of more than ${MAX_VALUE / 1024 / 1024} MiB`)
      yield* found.splice(0)
    }
    if (!parser.isEnded) throw refused(path, 'it ends in the middle. Export the site again')
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw refused(
      path,
      `it is not valid JSON: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
  }
  yield* found.splice(0)
}

function refused(path: string, reason: string): ServiceError {
  return new ServiceError('validation_error', `${basename(path)} cannot be read: ${reason}.`)
}
