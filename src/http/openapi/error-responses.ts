import type { JsonObject } from '../../domain/json.ts'

export interface ErrorResponses {
  /** A reference to the response; equal responses are stored once. */
  refTo(status: number, response: JsonObject): JsonObject
  /** The stored responses by name: `Error404`, and `Error404_2` for another response of the same status. */
  readonly responses: Readonly<Record<string, JsonObject>>
}

export function createErrorResponses(): ErrorResponses {
  const responses: Record<string, JsonObject> = {}
  const names = new Map<string, string>()

  return {
    responses,

    refTo(status, response) {
      const text = JSON.stringify(response)
      const name = names.get(text) ?? freeName(status)
      names.set(text, name)
      responses[name] = response
      return { $ref: `#/components/responses/${name}` }
    },
  }

  function freeName(status: number): string {
    for (let n = 1; ; n++) {
      const name = n === 1 ? `Error${status}` : `Error${status}_${n}`
      if (responses[name] === undefined) return name
    }
  }
}
