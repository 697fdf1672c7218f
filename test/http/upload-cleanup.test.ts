import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { MAY_MOUNT, mountDisk } from '../support/mounted-disk.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.skipIf(!MAY_MOUNT)(
  'an upload is answered as stored when its temporary file cannot be removed',
  async () => {
    const data = await temporaryFolder()
    const disk = mountDisk('size=4m')
    symlinkSync(disk.folder, join(data, 'uploads'))
    const memory = createMemoryStorage()
    const mediaStore = {
      ...memory,
      async put(...call: Parameters<typeof memory.put>) {
        await memory.put(...call)
        disk.remount('ro')
      },
    }
    const service = await startService({ data, mediaStore })
    try {
      const project = await service.newProject()
      const path = `/projects/${project}/assets?name=notes.txt`
      const headers = { 'Content-Type': 'text/plain' }
      expect((await service.call('POST', path, Buffer.from('Notes.'), { headers })).status).toBe(201)
      expect((await service.call('GET', `/projects/${project}/assets`)).body.data).toMatchObject([
        { name: 'notes.txt' },
      ])
    } finally {
      disk.remount('rw')
      await service.close()
    }
  },
)
