import Router, { type RouterContext } from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { KeyService } from '../../services/accounts/keys.ts'
import { type ApiState, listMeta, param, queryOf } from '../api.ts'
import { ListKeys, readCreateKey, readRotateKey, readUpdateKey } from '../bodies/key-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseQuery } from '../parse.ts'
import { readJson, readOptionalJson } from '../read-json.ts'
import { presentKey, presentKeyWithSecret } from './present-key.ts'

export interface KeyRoutePorts {
  readonly keys: KeyService
}

export function keyRoutes({ keys }: KeyRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/keys' })

  router.get('/', async (ctx) => {
    const slice = parseQuery(ListKeys, queryOf(ctx))
    const { items, total } = await keys.list(ctx.state.caller, slice)
    answerWithList(ctx, items, presentKey, (shown) => listMeta(slice, shown, total))
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const created = await keys.create(ctx.state.caller, readCreateKey(body))
    ctx.status = 201
    ctx.state.secret = true
    ctx.state.version = created.record.version
    ctx.body = { data: presentKeyWithSecret(created) }
  })

  router.get('/:id', async (ctx) => {
    const key = await keys.get(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = key.version
    ctx.body = { data: presentKey(key) }
  })

  router.put('/:id', async (ctx) => {
    const body = await readJson(ctx)
    compareWithKey(ctx)
    const key = await keys.update(ctx.state.caller, param(ctx.params, 'id'), (stored) => {
      assertMatch(ctx, stored.version)
      return readUpdateKey(body)
    })
    ctx.state.version = key.version
    ctx.body = { data: presentKey(key) }
  })

  router.delete('/:id', async (ctx) => {
    compareWithKey(ctx)
    const { id } = await keys.remove(ctx.state.caller, param(ctx.params, 'id'), ({ version }) =>
      assertMatch(ctx, version),
    )
    ctx.body = { data: { id: prefixed('key', id), deleted: true } }
  })

  router.post('/:id/rotate', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const rotated = await keys.rotate(
      ctx.state.caller,
      param(ctx.params, 'id'),
      () => readRotateKey(body ?? {}).hours,
    )
    ctx.state.secret = true
    ctx.state.version = rotated.record.version
    ctx.body = { data: presentKeyWithSecret(rotated) }
  })

  return router

  /** `If-Match` refers to the key as a GET answers it. */
  function compareWithKey({ state, params }: RouterContext<ApiState>): void {
    state.current = async () => {
      const key = await keys.get(state.caller, param(params, 'id'))
      return { version: key.version, body: { data: presentKey(key) } }
    }
  }
}
