import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectionAdvice, problemOfAnswer, throwUnreachable } from '../../src/cli/api-access.ts'
import { systemErrorMessage } from '../../src/cli/system-error-message.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { API_VERSION } from '../../src/client/api-types.ts'
import { messageOf } from '../../src/domain/errors.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

const SERVER = 'https://quoin.example.com'

function messageFor(error: unknown): string {
  try {
    throwUnreachable(SERVER, error, 'push again')
  } catch (thrown) {
    return messageOf(thrown)
  }
}

const lost = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`cause ${code}`), { code }) })

describe('an error of the connection', () => {
  test.each([
    ['no host of that name', lost('ENOTFOUND'), 'check --server for a typing error'],
    ['no server', lost('ECONNREFUSED'), 'start it with quoin serve'],
    ['a certificate of another name', lost('ERR_TLS_CERT_ALTNAME_INVALID'), 'NODE_EXTRA_CA_CERTS'],
    ['a self-signed certificate', lost('DEPTH_ZERO_SELF_SIGNED_CERT'), 'NODE_EXTRA_CA_CERTS'],
    ['plain HTTP at an HTTPS address', lost('EPROTO'), 'check the port'],
    ['another reason', lost('ECONNRESET'), 'When it can, push again'],
    ['a server that never answers', Object.assign(new Error('late'), { name: 'TimeoutError' }), 'push again'],
    [
      'a wrong key',
      new ApiError('The API key is unknown, revoked or expired.', {
        name: 'invalid_api_key',
        statusCode: 403,
        errors: [],
        requestId: null,
        retryAfter: null,
      }),
      'quoin keys create',
    ],
    [
      'a server that receives plain HTTP only',
      new ApiError('HTTPS is required.', {
        name: 'forbidden',
        statusCode: 403,
        errors: [],
        requestId: null,
        retryAfter: null,
      }),
      'start it with QUOIN_ALLOW_HTTP=true',
    ],
  ])('says what to do: %s', (_, error, remedy) => {
    expect(messageFor(error)).toContain(remedy)
  })

  test('names its reason beside the remedy', () => {
    expect(messageFor(lost('ECONNREFUSED'))).toBe(
      `${SERVER} cannot be reached (cause ECONNREFUSED). No server listens there: start it with quoin serve, or check the port. Then push again: the command continues where it stopped.`,
    )
    expect(connectionAdvice('ECONNRESET')).toBeNull()
  })
})

describe('an answer that is not of such a server', () => {
  test.each([
    [
      'a redirect',
      { status: 301, headers: { location: 'https://www.example.com/' } },
      'https://www.example.com/',
    ],
    ['a page of a proxy', { status: 502, headers: {} }, 'is not a Quoin server'],
    ['another version', { status: 200, headers: { 'service-version': '2031-01-01' } }, 'Install the version'],
  ])('says what to do: %s', (_, { status, headers }, remedy) => {
    expect(
      problemOfAnswer(SERVER, { status, headers: new Headers(headers as Record<string, string>) }),
    ).toContain(remedy)
  })

  test('is not one of a server of this version', () => {
    expect(
      problemOfAnswer(SERVER, { status: 200, headers: new Headers({ 'service-version': API_VERSION }) }),
    ).toBeNull()
  })
})

test.each([
  ['ENOSPC', 'free some space'],
  ['EACCES', 'change the permissions'],
  ['EROFS', 'choose another folder'],
  ['EMFILE', 'ulimit -n'],
  ['ENOENT', 'Check the path'],
])('the system error %s says what to do', (code, remedy) => {
  const error = Object.assign(new Error(`${code}: refused`), { code, errno: -1, syscall: 'open' })
  expect(systemErrorMessage(error)).toContain(remedy)
})

test('a hosting mode has one spelling, but for the settings resource of the specification', () => {
  const files = readdirSync(join(PACKAGE_ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bfullhost\b/.test(readFileSync(join(PACKAGE_ROOT, 'src', file), 'utf8')))
  expect(files.toSorted()).toEqual([
    'client/api-types.ts',
    'http/current/present.ts',
    'http/current/project-answers.ts',
  ])
})
