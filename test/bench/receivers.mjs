// Worker thread with webhook receivers: one that behaves well, and several that do not. It is a thread because endless
// responses would delay the timers of the measuring thread.
import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const RECEIVERS = {
  prompt: (response) => response.writeHead(204).end(),
  silent: () => {},
  slow(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 1_000)
    response.on('close', () => clearInterval(timer))
  },
  endless(response) {
    response.writeHead(200)
    const fill = () => {
      while (!response.destroyed && response.write(CHUNK));
    }
    response.on('drain', fill)
    fill()
  },
  redirecting: (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
}

const named = Object.entries(RECEIVERS).map(async ([name, answer]) => [name, await listen(answer)])
parentPort.postMessage(Object.fromEntries(await Promise.all(named)))

function listen(answer) {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    request.resume().on('end', () => answer(response))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/`))
  })
}
