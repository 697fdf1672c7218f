// Baseline server: Koa, Knex and sqlite3 return one row as JSON.
// Usage: node bare-server.mjs <database file>
import knex from 'knex'
import Koa from 'koa'

const db = knex({ client: 'sqlite3', connection: { filename: process.argv[2] }, useNullAsDefault: true })
const app = new Koa()

app.use(async (ctx) => {
  const id = ctx.path.slice('/pages/'.length).replace('page_', '')
  const page = await db('pages').where({ id }).first()
  ctx.status = page === undefined ? 404 : 200
  ctx.body = { data: page }
})

const server = app.listen(0, '127.0.0.1', () =>
  console.log(`ready at http://127.0.0.1:${server.address().port}`),
)
