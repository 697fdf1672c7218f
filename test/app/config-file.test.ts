import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/app/config.ts'
import { nameInFile, readConfigFile } from '../../src/app/config-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function fileWith(text: string, mode = 0o600): Promise<string> {
  const file = join(await temporaryFolder(), 'quoin.config.yaml')
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}

test('every setting can be set in a file, and its value is read as it is written', async () => {
  const text = SETTINGS.map(({ name }, index) => `${nameInFile(name)}: 0${index}.10`).join('\n')
  expect(readConfigFile(await fileWith(text))).toEqual(
    Object.fromEntries(SETTINGS.map(({ name }, index) => [name, `0${index}.10`])),
  )
})

test('values may be quoted, empty, numbers and booleans, and comments are allowed', async () => {
  const text = `# A comment\nbase_url: "https://example.com" # and one more\nport: 8080\nallow_http: true\nthemes:\nsmtp_url: 'smtp://a:b@c'\n`
  expect(readConfigFile(await fileWith(text))).toEqual({
    QUOIN_BASE_URL: 'https://example.com',
    QUOIN_PORT: '8080',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_SMTP_URL: 'smtp://a:b@c',
  })
  expect(readConfigFile(await fileWith('# nothing yet\n'))).toEqual({})
})

test.each([
  [
    'port: 1\nbase_uri: x\n',
    /quoin\.config\.yaml:2: "base_uri" is no setting\. .* base_url for QUOIN_BASE_URL/,
  ],
  ['QUOIN_PORT: 1\n', /:1: "QUOIN_PORT" is no setting/],
  ['port: [1]\n', /:1: port must be one value, without a list\./],
  ['- port\n', /must be a list of settings such as base_url/],
  ['port: 1\nport: 2\n', /quoin\.config\.yaml: Map keys must be unique at line 2/],
  ['port: "1\n', /quoin\.config\.yaml: Missing closing "quote at line/],
  [`port: 1\n#${'x'.repeat(300_000)}`, /cannot be read: it has more than 256 KiB\./],
])('%j is refused with one line that says where', async (text, message) => {
  const file = await fileWith(text)
  expect(() => readConfigFile(file)).toThrow(message)
})

test('a file that does not exist is named', () => {
  expect(() => readConfigFile('/nowhere/q.yaml')).toThrow(
    /^QUOIN_CONFIG: the file \/nowhere\/q\.yaml cannot be read/,
  )
})

test.runIf(process.platform !== 'win32')(
  'secrets that every user of the machine can read are refused, and a group may read them',
  async () => {
    const text = `master_key: ${Buffer.alloc(32).toString('base64')}\n`
    const open = await fileWith(text, 0o644)
    expect(() => readConfigFile(open)).toThrow(/holds master_key, and every user .* chmod 600/)
    expect(readConfigFile(await fileWith(text, 0o640))).toHaveProperty('QUOIN_MASTER_KEY')
    expect(readConfigFile(await fileWith('port: 1\n', 0o644))).toEqual({ QUOIN_PORT: '1' })
  },
)
