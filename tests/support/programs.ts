import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of a program on `PATH` or in /usr/sbin; undefined when this machine lacks it. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Those of these programs that this machine lacks. */
export function missingPrograms(names: readonly string[]): string[] {
  return names.filter((name) => !findProgram(name))
}
