// Runs one benchmark on this machine. Measurements that are compared are interleaved.
// node test/bench/bench.mjs [name]
//   (none)    GET /pages/:id against a bare server
//   builds    builds of a site by Quoin, Eleventy and Hugo
//   pictures  builds of a site of photos by Quoin, and their pictures by Eleventy Image
//   phone     a docs page with a large photo on a phone, by Quoin, Eleventy Image and Astro
//   own       builds by Quoin: sealed, highlighted, incremental
//   connected a site in three languages and two versions against the same pages without them
//   people    a site with code in colours, photos, languages and tags against the same pages plain
//   start     start of the command
//   bulk      one job for many pages against one request each
//   page      one page of a large site
//   projects  pages of many projects at once
//   idle      start and memory of a service of many projects that does nothing
//   search    size and update of the search index
//   indexes   navigation and indexes, in process
//   colours   syntax highlighting
//   pool      rendering in a child process
//   dev       from saving a file to the browser showing it
//   bystanders  effect of attacks with an ordinary key on another account
//   fairness  effect of many busy projects of one account on another account
//   hostile   effect of expensive Markdown on other projects
//   stalls    how long costly requests hold the main thread; a third argument selects some by name
//   visitors  published pages against nginx, and the memory of idle connections
//   webhooks  effect of hostile webhook receivers on publishing
import { join } from 'node:path'
import { benchBuilds } from './builds.mjs'
import { benchBulk } from './bulk.mjs'
import { benchBystanders } from './bystanders.mjs'
import { benchColours } from './colours.mjs'
import { benchConnected } from './connected.mjs'
import { benchDev } from './dev.mjs'
import { benchFairness } from './fairness.mjs'
import { benchHostile } from './hostile.mjs'
import { benchIdle } from './idle.mjs'
import { benchIndexes } from './indexes.mjs'
import { benchManyProjects } from './many-projects.mjs'
import { benchOnePage } from './one-page.mjs'
import { benchOwnBuilds, benchStart } from './own-builds.mjs'
import { benchPeople } from './people.mjs'
import { benchPhone } from './phone.mjs'
import { benchPictures } from './pictures.mjs'
import { benchPool } from './pool.mjs'
import { cleanUp, folder, root, start, startQuoin } from './quoin.mjs'
import { compareReads } from './reads.mjs'
import { benchSearch } from './search.mjs'
import { benchStalls } from './stalls.mjs'
import { machine, writeTable } from './table.mjs'
import { benchVisitors } from './visitors.mjs'
import { benchWebhooks } from './webhooks.mjs'

try {
  console.log(machine())
  const benches = {
    builds: benchBuilds,
    own: benchOwnBuilds,
    start: benchStart,
    bulk: benchBulk,
    bystanders: benchBystanders,
    colours: benchColours,
    connected: benchConnected,
    dev: benchDev,
    idle: benchIdle,
    indexes: benchIndexes,
    page: benchOnePage,
    people: benchPeople,
    phone: benchPhone,
    pictures: benchPictures,
    projects: benchManyProjects,
    search: benchSearch,
    pool: benchPool,
    fairness: benchFairness,
    hostile: benchHostile,
    stalls: benchStalls,
    visitors: benchVisitors,
    webhooks: benchWebhooks,
  }
  await (benches[process.argv[2]] ?? benchGetPage)()
  writeTable()
} finally {
  cleanUp()
}

async function benchGetPage() {
  const quoin = await startQuoin()
  const bare = await start([`${root}test/bench/bare-server.mjs`, join(folder, 'quoin.db')])
  await compareReads(quoin, bare, 'sqlite3')
}
