import type { Api } from './api-types.ts'
import type { RequestOptions } from './request.ts'

/** One operation of the API, as method and path: `GET /pages/{id}`. */
export type Route = keyof Api

/** Input of an operation: path parameters, query and body. */
export type InputOf<R extends Route> = Pick<Api[R], Extract<keyof Api[R], 'path' | 'query' | 'body'>> &
  RequestOptions

/** The answer of an operation. */
export type AnswerOf<R extends Route> = Api[R] extends { readonly answer: infer Answer } ? Answer : never

/** The body, the query and the content of the answer of an operation. */
export type BodyOf<R extends Route> = Api[R] extends { readonly body?: infer Body } ? Body : never
/** @public The generated methods use it. */
export type QueryOf<R extends Route> = Api[R] extends { readonly query?: infer Query } ? Query : never
export type DataOf<R extends Route> = AnswerOf<R> extends { readonly data: infer Data } ? Data : never

/** Operations by the kind of their answers: JSON, text (Markdown or HTML), and lists with an end. */
export type JsonRoute = RouteWhere<{ readonly answer: unknown }>
export type TextRoute = RouteWhere<{ readonly text: true }>
export type ListRoute = Exclude<
  RouteWhere<{ readonly answer: { readonly data: readonly unknown[] } }>,
  OpenListRoute
>
type OpenListRoute = RouteWhere<{ readonly answer: { readonly meta: { readonly next: string } } }>

export type ItemOf<R extends ListRoute> =
  AnswerOf<R> extends { readonly data: readonly (infer Item)[] } ? Item : never

type RouteWhere<Shape> = { [R in Route]: Api[R] extends Shape ? R : never }[Route]
