import type { OpenApiDocument } from '../openapi/document.ts'
import { curlSample, jsonSample } from './code-sample.ts'
import { exampleOf } from './example-of.ts'
import { eitherOf, type Field, fieldOf, fieldsOf, ignoredFields } from './fields.ts'
import { inlineMarkdown, paragraphs } from './inline-markdown.ts'
import {
  type Parameter,
  type ParsedDocument,
  type Response,
  readDocument,
  type Schema,
} from './read-document.ts'

/** Data for the template of the API reference. Samples and fields named `html` or `about` are HTML. */
export interface ReferenceView {
  readonly version: string
  readonly intro: readonly string[]
  readonly groups: readonly GroupView[]
  readonly messages: readonly MessageView[]
  readonly messageHeaders: readonly Field[]
  readonly requestHeaders: readonly Field[]
  readonly answerHeaders: readonly Field[]
}

export interface MessageView {
  readonly id: string
  /** The event type. */
  readonly name: string
  readonly summary: string
  readonly fields: readonly Field[]
  readonly sample: string
}

export interface GroupView {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly operations: readonly OperationView[]
}

export interface OperationView {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly about: string
  readonly isDeprecated: boolean
  /** True if the operation needs no key. */
  readonly isOpen: boolean
  readonly params: readonly Field[]
  readonly query: readonly Field[]
  readonly body: readonly Field[]
  /** Fields of the body of which at least one is required. */
  readonly either: readonly string[]
  /** Fields of the body without an effect. */
  readonly ignored: readonly string[]
  readonly headers: readonly string[]
  readonly answers: readonly AnswerView[]
  readonly errors: readonly ErrorView[]
  readonly curl: string
}

export interface AnswerView {
  readonly status: string
  readonly about: string
  readonly fields: readonly Field[]
  /** A sample of the answer; null for one that is not JSON. */
  readonly sample: string | null
}

export interface ErrorView {
  readonly status: string
  readonly meanings: readonly string[]
}

type Operation = ParsedDocument['operations'][number]

export function referenceView(document: OpenApiDocument): ReferenceView {
  const reading = readDocument(document)
  const [{ url: baseUrl }] = document.servers
  return {
    version: document.info.version,
    intro: paragraphs(document.info.description),
    groups: document.tags.map(({ name, description }) => ({
      id: `group-${name.toLowerCase().replaceAll(' ', '-')}`,
      name,
      about: inlineMarkdown(description),
      operations: reading.operations
        .filter(({ tags }) => tags[0] === name)
        .map((operation) => operationView(operation, reading, baseUrl)),
    })),
    messages: reading.messages.map(({ name, summary, requestBody }) => {
      const { schema } = requestBody.content['application/json']
      const fields = fieldsOf(schema, reading)
      return {
        id: `message-${name.replace('.', '-')}`,
        name,
        summary,
        fields,
        sample: jsonSample(exampleOf(schema, reading)),
      }
    }),
    messageHeaders: parameterFields(reading.messages[0]?.parameters ?? [], 'header', reading),
    requestHeaders: Object.values(document.components.parameters).map(({ name, description, schema }) =>
      fieldOf(name, { ...schema, description }, false, reading),
    ),
    answerHeaders: Object.entries(document.components.headers).map(([name, { description, schema }]) =>
      fieldOf(name, { ...schema, description }, false, reading),
    ),
  }
}

function operationView(operation: Operation, reading: ParsedDocument, baseUrl: string): OperationView {
  const { operationId, method, path, summary, description = '', security } = operation
  const parameters = operation.parameters.map((parameter) => reading.resolve<Parameter>(parameter))
  const media = operation.requestBody?.content['application/json']
  const isOpen = security?.length === 0
  return {
    id: operationId,
    method,
    path,
    summary,
    about: inlineMarkdown(description),
    isDeprecated: operation.deprecated ?? false,
    isOpen,
    params: parameterFields(parameters, 'path', reading),
    query: parameterFields(parameters, 'query', reading),
    body: media === undefined ? [] : fieldsOf(media.schema, reading),
    either: media === undefined ? [] : eitherOf(media.schema, reading),
    ignored: media === undefined ? [] : ignoredFields(media.schema, reading),
    headers: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    answers: answersOf(operation, reading),
    errors: errorsOf(operation, reading),
    curl: curlSample({
      method,
      url: baseUrl + exampleUrl(path, parameters, reading),
      withKey: !isOpen,
      body: media?.example,
    }),
  }
}

function parameterFields(
  parameters: readonly Parameter[],
  place: Parameter['in'],
  reading: ParsedDocument,
): readonly Field[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, description, schema }) =>
      fieldOf(name, { ...schema, ...(description !== undefined && { description }) }, required, reading),
    )
}

/** Answers without errors, which are listed separately, and without 304. */
function answersOf({ responses }: Operation, reading: ParsedDocument): readonly AnswerView[] {
  return Object.entries(responses)
    .filter(([status, response]) => !('$ref' in response) && status !== '304')
    .map(([status, response]) => answerView(status, reading.resolve<Response>(response), reading))
}

function answerView(
  status: string,
  { description, content = {} }: Response,
  reading: ParsedDocument,
): AnswerView {
  const schema = content['application/json']?.schema
  return {
    status,
    about: inlineMarkdown(description),
    fields: schema === undefined ? [] : fieldsOf(schema, reading),
    sample: schema === undefined ? null : jsonSample(exampleOf(schema, reading)),
  }
}

function errorsOf({ responses }: Operation, reading: ParsedDocument): readonly ErrorView[] {
  return Object.entries(responses)
    .filter(([, response]) => '$ref' in response)
    .map(([status, response]) => ({
      status,
      meanings: paragraphs(reading.resolve<Response>(response).description),
    }))
}

function exampleUrl(path: string, parameters: readonly Parameter[], reading: ParsedDocument): string {
  const example = (schema: Schema) => String(exampleOf(schema, reading))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    example(parameters.find((parameter) => parameter.name === name)?.schema ?? {}),
  )
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${example(schema)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}
