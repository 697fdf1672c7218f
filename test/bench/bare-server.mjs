// Baseline server: Koa and Knex return one row as JSON, of SQLite or PostgreSQL.
// Usage: node bare-server.mjs <database file or URL>
import knex from 'knex'
import Koa from 'koa'

const database = process.argv[2]
const db = knex(
  database.startsWith('postgres:')
    ? { client: 'pg', connection: database, pool: { min: 0, max: 6 } }
    : { client: 'sqlite3', connection: { filename: database }, useNullAsDefault: true },
)
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
