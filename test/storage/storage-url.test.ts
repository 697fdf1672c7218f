import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'

const read = (url: string) => readConfig({ QUOIN_STORAGE_URL: url }).storage

describe('a storage URL', () => {
  test('is, for a folder, absolute or relative to the working directory', () => {
    expect(read('file:/var/cdn')).toEqual({ kind: 'folder', folder: '/var/cdn' })
    expect(read('file:///var/cdn')).toEqual({ kind: 'folder', folder: '/var/cdn' })
    expect(read('file:some/folder')).toEqual({ kind: 'folder', folder: resolve('some/folder') })
  })

  test('needs for a bucket only its name', () => {
    expect(read('s3://my-bucket')).toEqual({
      kind: 'bucket',
      bucket: 'my-bucket',
      prefix: '',
      region: null,
      endpoint: null,
      forcePathStyle: false,
      checksums: 'when_required',
    })
  })

  test('with an endpoint puts the bucket into the path', () => {
    expect(read('s3://sites/web/live/?endpoint=https://s3.example.com/&region=eu-1')).toEqual({
      kind: 'bucket',
      bucket: 'sites',
      prefix: 'web/live/',
      region: 'eu-1',
      endpoint: 'https://s3.example.com',
      forcePathStyle: true,
      checksums: 'when_required',
    })
    expect(read('s3://sites?endpoint=http://127.0.0.1:9000')).toMatchObject({ region: 'us-east-1' })
    expect(read('s3://sites?endpoint=https://s3.example.com&force_path_style=false')).toMatchObject({
      forcePathStyle: false,
    })
    expect(read('s3://sites?checksums=when_supported')).toMatchObject({ checksums: 'when_supported' })
  })

  test.each([
    ['ftp://x', 'must look like file:/absolute/path, file:relative/path or s3://bucket/prefix'],
    ['file:', 'must look like file:/absolute/path'],
    ['s3://', 'must look like s3://bucket/prefix?region=eu-central-1'],
    ['s3:bucket', 'must look like s3://bucket/prefix?region=eu-central-1'],
    ['s3://Sites', 'has the bucket "Sites"'],
    ['s3://my_bucket', 'has the bucket "my_bucket"'],
    ['s3://key:secret@sites', 'takes no credentials; set AWS_ACCESS_KEY_ID'],
    ['s3://sites/a//b', 'has the prefix "a//b"'],
    [`s3://sites/${'p'.repeat(65)}`, 'it is at most 64 bytes long'],
    ['s3://sites/%zz', 'has a prefix that is not percent-encoded correctly'],
    ['s3://sites?endpoint=s3.example.com', 'has the endpoint "s3.example.com"'],
    ['s3://sites?force_path_style=maybe', 'has force_path_style="maybe"; it must be true or false'],
    ['s3://sites?checksums=no', 'has checksums="no"'],
    [
      's3://sites?acl=public-read',
      'knows the parameters region, endpoint, force_path_style, checksums, not "acl"',
    ],
    ['s3://sites?region=a&region=b', 'has region more than once'],
  ])('%j is refused in one line that names the setting', (url, reason) => {
    expect(() => read(url)).toThrow(/^QUOIN_STORAGE_URL: [^\n]*\.$/)
    expect(() => read(url)).toThrow(reason)
  })
})
