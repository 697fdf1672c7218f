declare module 's3rver' {
  import type { AddressInfo, Server } from 'node:net'
  import type { Readable } from 'node:stream'

  export interface StoredS3Object {
    readonly bucket: string
    readonly key: string
    readonly content: Readable
    readonly metadata: object
  }

  export interface S3Store {
    getResourcePath(bucket: string, key: string, resource: string): string
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
    putObject(object: StoredS3Object): Promise<{ readonly size: number; readonly md5: string }>
    getObject(bucket: string, key: string, options?: object): Promise<unknown>
    deleteObject(bucket: string, key: string): Promise<void>
    listObjects(bucket: string, options: object): Promise<unknown>
  }

  // biome-ignore lint/style/noDefaultExport: that is what the package exports.
  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly address?: string
      readonly port?: number
      readonly silent?: boolean
      readonly configureBuckets?: readonly { readonly name: string }[]
    })
    readonly store: S3Store
    readonly httpServer: Server
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
