import type { OpenApiDocument } from '../openapi/document.ts'

/* Types of the OpenAPI document, as far as the API reference reads it. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly readOnly?: boolean
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, Media>>
}

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly security?: readonly object[]
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': Media }
  }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
}

export interface MessageObject {
  readonly name: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody: { readonly content: { readonly 'application/json': Media } }
}

export interface ParsedDocument {
  readonly operations: readonly (OperationObject & { readonly method: string; readonly path: string })[]
  /** Messages to webhooks. */
  readonly messages: readonly MessageObject[]
  /** Resolves a `$ref`; returns any other value unchanged. */
  resolve<T extends object>(value: T | { readonly $ref: string }): T
}

export function readDocument(document: OpenApiDocument): ParsedDocument {
  const root = JSON.parse(JSON.stringify(document))
  const paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>> = root.paths
  const webhooks: Readonly<Record<string, { readonly post: Omit<MessageObject, 'name'> }>> = root.webhooks
  return {
    messages: Object.entries(webhooks).map(([name, { post }]) => ({ ...post, name })),
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    ),
    resolve(value) {
      if (!('$ref' in value) || typeof value.$ref !== 'string') return value as never
      return value.$ref
        .slice('#/'.length)
        .split('/')
        .reduce((at, step) => at[step], root)
    },
  }
}
