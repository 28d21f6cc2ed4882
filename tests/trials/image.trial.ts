import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { privateDirectory, quiet } from '../support/embedded.ts'
import { buildImage, lackOfBuilder, serverPid } from '../support/image.ts'
import { freePort } from '../support/kill-trial.ts'
import { eventually } from '../support/waiting.ts'

const lack = lackOfBuilder()
if (lack) console.warn(lack)

test.skipIf(lack)(
  'the image of deploy/Dockerfile is built; its container serves pages as a user who can change nothing of the program, says that it is well, and ends on SIGTERM',
  async () => {
    // On the disk: the image is of 1 GB, stored several times.
    const directory = mkdtempSync(join(tmpdir(), 'ntalo-image-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const image = buildImage(directory)
    expect(image.user).toBe('10001')
    expect(await image.run('id', '-u')).toEqual({ code: 0, output: '10001' })
    expect(
      await image.run('sh', '-c', 'touch /app/x /x 2>/dev/null || find /app -writable -not -type l'),
    ).toEqual({
      code: 0,
      output: '',
    })
    expect(await image.run('pg_dump', '--version')).toMatchObject({ code: 0 })

    const embedded = await startEmbedded({ dataDir: privateDirectory(), role: 'tool', log: quiet })
    onTestFinished(() => embedded.stop())
    const { host, port, user, database } = embedded.connection
    // The container reaches the database by TCP; this one listens on a socket that only its owner may enter.
    const bridge = createServer((socket) => {
      const upstream = connect(`${host}/.s.PGSQL.${port}`)
      for (const end of [socket, upstream]) end.on('error', () => {})
      socket.on('close', () => upstream.destroy())
      socket.pipe(upstream).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(bridge, 'listening')
    onTestFinished(() => void bridge.close())

    const own = await freePort()
    const url = `http://127.0.0.1:${own}`
    const settings = {
      PORT: String(own),
      DATABASE_URL: `postgresql://${user}@127.0.0.1:${Object(bridge.address()).port}/${database}?sslmode=disable`,
      PUBLIC_URL: 'https://prix.exemple.cd',
      MAIL_FROM: 'Ntalo <ntalo@exemple.cd>',
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: 'equipe@exemple.cd',
      SMTP_URL: 'smtp://127.0.0.1:1',
    }
    const healthy = async () => (await image.run('env', `PORT=${own}`, ...image.healthCheck)).code
    expect(await healthy()).toBe(1)
    const container = image.start(settings)
    const ended = once(container, 'exit')
    await eventually('the server is ready', () =>
      fetch(`${url}/api/ready`).then(
        ({ ok }) => ok,
        () => container.exitCode !== null,
      ),
    )
    expect(await healthy()).toBe(0)
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Ntalo')])
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(`${url}/login`)).text())?.[1]
    expect((await fetch(`${url}${script}`)).status).toBe(200)

    const server = serverPid(container.pid ?? 0)
    if (!server) throw new Error('the server does not run')
    process.kill(server, 'SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
