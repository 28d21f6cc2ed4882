import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as open } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openKeptFiles } from '#server/files/kept-files.ts'
import { createHttp } from '#server/http/app.ts'
import { createAdmission } from '#server/http/overload.ts'
import { receiveFile, type Upload } from '#server/http/upload.ts'
import { createLog } from '#server/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'ntalo-upload-'))
const files = openKeptFiles(folder)
const http = await createHttp({
  log: createLog('silent'),
  publicUrl: null,
  trustedProxies: 0,
  admission: createAdmission(),
})
http.post('/api/imports', { config: { right: 'public' } }, (request) => receiveFile(request, files, 1_000))
const url = await http.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})

const kept = () => readdirSync(folder)

async function send(...parts: { name: string; content: string; file?: string }[]) {
  const form = new FormData()
  for (const { name, content, file } of parts) {
    if (file === undefined) form.append(name, content)
    else form.append(name, new File([content], file))
  }
  const response = await fetch(`${url}/api/imports`, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as Upload & { message: string } }
}

test('a file is kept whole, under a key of ours', async () => {
  const { status, body } = await send(
    { name: 'note', content: 'rien' },
    { name: 'n’importe', content: 'é'.repeat(500), file: '../../prix \u202eété.csv' },
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({ fileName: 'prix été.csv', bytes: 1_000 })
  expect(kept()).toEqual([body.key])
  let read = ''
  for await (const chunk of files.read(body.key)) read += Buffer.from(chunk)
  expect(read).toBe('é'.repeat(500))
})

test('a file that is too large is refused with the limit, and nothing of it is left', async () => {
  const { status, body } = await send({ name: 'file', content: 'x'.repeat(1_001), file: 'prix.csv' })
  expect([status, body.message]).toEqual([413, 'Le fichier dépasse 0,001\u00a0Mo.'])
  expect(kept()).toEqual([])
  expect((await send({ name: 'file', content: 'x'.repeat(300_000), file: 'prix.csv' })).status).toBe(413)
  expect(kept()).toEqual([])
})

test('two files, or none, are refused, and nothing of them is left', async () => {
  const file = { name: 'file', content: 'x', file: 'prix.csv' }
  expect((await send(file, file)).status).toBe(400)
  expect((await send({ name: 'file', content: 'x' })).status).toBe(400)
  expect(kept()).toEqual([])
})

test('of an upload that is cut off nothing is left', async () => {
  const { port } = new URL(url)
  const head =
    '--limite\r\nContent-Disposition: form-data; name="file"; filename="prix.csv"\r\n\r\ndate;price\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=limite', 'content-length': '900' }
  const request = open({ port, host: '127.0.0.1', path: '/api/imports', method: 'POST', headers })
  request.on('error', () => {})
  request.write(head)
  await expect.poll(kept, { interval: 5 }).toEqual([expect.stringMatching(/\.unfinished$/)])
  request.destroy()
  await expect.poll(kept, { interval: 5 }).toEqual([])
})

test('a name that cannot be shown is made one that can', async () => {
  const name = `${'a'.repeat(300)}\u0007.csv`
  const { body } = await send({ name: 'file', content: 'x', file: name })
  expect(body.fileName).toBe('a'.repeat(200))
})
