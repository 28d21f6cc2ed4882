// The settings in .env, which Node reads: lines that Node would silently ignore or truncate are refused here.
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './bootstrap.mjs'

const empty = /^\s*(#.*)?$/
const quoted = /("[^"]*"|'[^']*'|`[^`]*`)\s*(#.*)?/
// A # without a blank before it would end the value; no-break spaces are part of a value, other blanks end a line.
const plain = /(?!["'`])([^\s#]+([ \t\u00a0\u202f]+(?!#)[^\s#]+)*)?(\s+#.*|[ \t]*)/
// Node treats other blanks around a name as part of it, and such a setting is never read.
const setting = new RegExp(
  `^[ \\t]*(?:export +)?([A-Za-z_]\\w*)[ \\t]*=[ \\t]*(?:${quoted.source}|${plain.source})$`,
)

/**
 * Returns Node's option that reads .env, when the file exists; environment variables take precedence. Exits with an
 * explanation when a line of the file is not a setting.
 */
export function settingsFile() {
  const path = join(root, '.env')
  // A broken link counts as a file: the user meant to have one.
  if (!lstatSync(path, { throwIfNoEntry: false })) return []
  const fault = faultOf(path)
  if (fault) {
    fail(
      `Le fichier .env est mal écrit : ${fault}.`,
      'Écrivez un réglage par ligne, sous la forme NOM=valeur, comme dans .env.example ; rien n’a été démarré.',
    )
  }
  return ['--env-file=.env']
}

/** Returns the error in a settings file, in French and without its values; undefined when there is none. */
function faultOf(path) {
  let bytes
  try {
    bytes = readFileSync(path)
  } catch {
    return 'il ne peut pas être lu'
  }
  const text = decode(bytes)
  if (text === undefined) return 'il n’est pas en UTF-8 sans BOM'
  const names = new Set()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (empty.test(line)) continue
    const name = setting.exec(line)?.[1]
    if (!name) return `la ligne ${index + 1} n’est pas un réglage, ou sa valeur demande des guillemets`
    if (names.has(name)) return `à la ligne ${index + 1}, ${name} est donné pour la seconde fois`
    names.add(name)
  }
  return undefined
}

function decode(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith('\ufeff') || text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
