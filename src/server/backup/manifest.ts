import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { runTool } from '#server/db/backup/client-tools.ts'
import { publish } from '#server/files/publish.ts'
import { parseJson } from '#shared/parse-json.ts'

/** Written last: a folder without a manifest is not a complete backup. */
export const manifestName = 'manifest.json'

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** `base`: a data directory of PostgreSQL; `dump`: the output of pg_dump. */
  kind: z.enum(['base', 'dump']),
  database: z.object({
    serverVersion: z.number().int(),
    schema: z.string(),
    rows: z.record(z.string(), z.number().int()),
    journal: z.object({ position: z.number().int(), hash: z.string() }),
  }),
  /** Includes empty folders, which PostgreSQL requires. */
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string() })),
})

export type Manifest = z.infer<typeof manifest>

/** Writes the manifest with the checksums of all files, which completes the backup. */
export async function writeManifest(
  folder: string,
  facts: Pick<Manifest, 'madeAt' | 'kind' | 'database'>,
): Promise<Manifest> {
  const { files: paths, folders } = await listContent(folder)
  const files: Manifest['files'] = []
  for (const path of paths) files.push({ path, ...(await measureFile(join(folder, path))) })
  const written: Manifest = { format: 1, ...facts, folders, files }
  const draft = join(folder, `${manifestName}.unfinished`)
  await writeFile(draft, JSON.stringify(written, null, 1))
  await publish(draft, join(folder, manifestName))
  return written
}

/**
 * Reads the manifest of a backup and verifies every file against it.
 *
 * @throws Error in French that names the first file that is missing, altered or unexpected
 */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => null)
  if (text === null) throw new Error(`${folder} n’est pas une sauvegarde achevée : ${manifestName} y manque.`)
  const read = manifest.safeParse(parseJson(text))
  if (!read.success) throw new Error(`Le fichier ${manifestName} de ${folder} est illisible ou altéré.`)
  for (const { path, bytes, sha256 } of read.data.files) {
    const found = await measureFile(join(folder, path)).catch(() => null)
    if (!found) throw new Error(`La sauvegarde est incomplète : il y manque ${path}.`)
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new Error(`La sauvegarde est altérée : ${path}.`)
  }
  const promised = new Set(read.data.files.map(({ path }) => path))
  const extra = (await listContent(folder)).files.find((path) => !promised.has(path))
  if (extra) throw new Error(`La sauvegarde contient un fichier que son inventaire ne cite pas : ${extra}.`)
  return read.data
}

/** Syncs a finished folder to disk and renames it to its final name. */
export async function putInPlace(draft: string, folder: string): Promise<void> {
  await runTool('sync', ['-f', draft], {})
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
  await runTool('sync', ['-f', folder], {})
}

/** Returns the paths of the files and folders under a folder, without the manifest, sorted by name. */
async function listContent(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathsOf = (wanted: typeof entries) =>
    wanted.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort()
  return {
    files: pathsOf(entries.filter((entry) => entry.isFile() && !entry.name.startsWith(manifestName))),
    folders: pathsOf(entries.filter((entry) => entry.isDirectory())),
  }
}

/** Returns the size and the checksum of a file. */
async function measureFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}
