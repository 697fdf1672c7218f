import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa, { type Context } from 'koa'

/** A request as Koa hands it to a middleware, with the answer that it fills in. */
export function contextOf(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Context {
  const request = new IncomingMessage(new Socket())
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  Object.assign(request, { method, url, headers: Object.fromEntries(lowerCase) })
  const response = new ServerResponse(request)
  // As `app.callback()` begins.
  response.statusCode = 404
  return new Koa().createContext(request, response) as Context
}
