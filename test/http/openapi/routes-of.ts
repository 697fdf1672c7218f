import type Router from '@koa/router'
import type Koa from 'koa'

/** Every route of an app as OpenAPI names it, sorted: `GET /pages/{id}`. */
export function routesOf(app: Koa): readonly string[] {
  const routers = app.middleware.flatMap((middleware) =>
    'router' in middleware ? [middleware.router as Router] : [],
  )
  const routes = routers.flatMap(({ stack }) =>
    stack.flatMap(({ path, methods }) => methods.map((method) => `${method} ${templateOf(path)}`)),
  )
  return [...new Set(routes)].filter((route) => !isImplied(route)).sort()
}

/** Koa's pattern as a template; sites are served by a pattern of their own. */
function templateOf(path: string | RegExp): string {
  if (path instanceof RegExp) return '/public/{project_id}/{path}'
  const template = path.replace(/:(\w+)/g, '{$1}')
  return template.length > 1 ? template.replace(/\/$/, '') : template
}

/** HEAD goes with every GET, and sites refuse every other method themselves. */
function isImplied(route: string): boolean {
  return route.startsWith('HEAD ') || (route.includes('/public/') && !route.startsWith('GET '))
}
