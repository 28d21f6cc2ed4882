import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/pool.ts'
import { compareWithDesk, openDesk, prepareDesk } from '../support/desk.ts'
import { privateDirectory } from '../support/embedded.ts'
import { startServer } from '../support/kill-trial.ts'
import { freePorts, lackOfCluster, startCluster } from '../support/patroni.ts'

const lack = lackOfCluster()
if (lack) console.warn(lack)

const writers = 8
const kills = 5
/** Number of the kill of a primary after which a process of the application is killed too. */
const processKilledAfter = 3
const longestAbsenceMs = 30_000
/** The same as `RestartSec` of deploy/ntalo.service. */
const restartMs = 2_000

test.skipIf(lack)(
  'five primaries and a process are killed under eight writers: no acknowledged write is lost or doubled',
  async () => {
    const directory = privateDirectory()
    const cluster = await startCluster(directory)
    onTestFinished(() => cluster.stop())
    const settings = { DATABASE_URL: cluster.url, DATABASE_READ_URL: cluster.readUrl, LOG_LEVEL: 'error' }
    const ports = await freePorts(2)
    const start = async (port: number) => {
      const server = await startServer(privateDirectory(), port, { settings })
      onTestFinished(() => void server.kill('SIGKILL'))
      return server
    }
    const servers = [await start(ports[0]!), await start(ports[1]!)] as const
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)

    const database = await openDatabase({ connection: cluster.url })
    onTestFinished(() => database.close())
    const subject = await prepareDesk(database.db)
    const desk = openDesk({ urls, ...subject, hasKeys: true })
    const writing = Array.from({ length: writers }, (_, index) => desk.write(index))
    const reading = read(urls, subject.token)
    await desk.nextAcknowledged(performance.now())

    const absencesMs: number[] = []
    let processMs = 0
    for (let killed = 1; killed <= kills; killed++) {
      const primary = await cluster.healthy()
      await sleep(5_000)
      const killedAt = performance.now()
      cluster.kill(primary)
      absencesMs.push((await desk.nextAcknowledged(killedAt)) - killedAt)
      console.log(`${primary} is killed: writes again after ${seconds(absencesMs.at(-1) ?? 0)} s`)
      cluster.restart(primary)
      if (killed !== processKilledAfter) continue
      const processKilledAt = performance.now()
      // The failures of the database ended no process.
      expect(hasEnded(servers[0])).toBe(false)
      servers[0].kill('SIGKILL')
      await once(servers[0], 'exit')
      processMs = (await desk.nextAcknowledged(processKilledAt)) - processKilledAt
      await sleep(restartMs)
      await start(ports[0]!)
    }
    await cluster.healthy()
    desk.close()
    await Promise.all(writing)
    const reads = await reading.stop()
    const report = await compareWithDesk(database.db, desk.acknowledged)
    console.log(
      `${JSON.stringify(report)}; writes again after ${absencesMs.map(seconds).join(', ')} s, after the process ${seconds(processMs)} s; writers: ${JSON.stringify(desk.refused)}; readers: ${JSON.stringify(reads)}`,
    )
    expect(report).toMatchObject({ lost: 0, doubled: 0, halves: 0 })
    expect(report.acknowledged).toBeGreaterThan(100)
    expect(absencesMs.filter((ms) => ms > longestAbsenceMs)).toEqual([])
    expect(processMs).toBeLessThan(longestAbsenceMs)
    expect(hasEnded(servers[1])).toBe(false)
    expect(Object.keys(reads).filter((status) => !['200', '503', 'none'].includes(status))).toEqual([])
  },
)

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => (exitCode ?? signalCode) !== null
const seconds = (ms: number) => (ms / 1000).toFixed(1)

/** Reads a list from the servers in turn; counts the responses by status. */
function read(urls: readonly string[], token: string) {
  const answers: Record<string, number> = {}
  let isOpen = true
  const done = (async () => {
    for (let turn = 0; isOpen; turn++) {
      const status = await fetch(`${urls[turn % urls.length]}/api/prices`, {
        headers: { authorization: `Bearer ${token}` },
      }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return String(answer.status)
        },
        () => 'none',
      )
      answers[status] = (answers[status] ?? 0) + 1
      await sleep(50)
    }
  })()
  return {
    async stop() {
      isOpen = false
      await done
      return answers
    },
  }
}
