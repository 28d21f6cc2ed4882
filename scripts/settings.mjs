// The settings in .env, which Node reads: what it would pass over in silence, or cut short, is refused here.
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './bootstrap.mjs'

const empty = /^\s*(#.*)?$/
const quoted = /("[^"]*"|'[^']*'|`[^`]*`)\s*(#.*)?/
// A # that nothing separates from the value would end it; no-break spaces are part of one, other blanks end a line.
const plain = /(?!["'`])([^\s#]+([ \t\u00a0\u202f]+(?!#)[^\s#]+)*)?(\s+#.*|[ \t]*)/
// Node takes other blanks around a name for a part of it, which nothing reads then.
const setting = new RegExp(
  `^[ \\t]*(?:export +)?([A-Za-z_]\\w*)[ \\t]*=[ \\t]*(?:${quoted.source}|${plain.source})$`,
)

/**
 * The option that reads the settings in .env, where there is one; the environment goes before it. Ends the program with
 * an explanation when something in the file is no setting.
 */
export function settingsFile() {
  const path = join(root, '.env')
  // A link that leads nowhere is a file that was meant.
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

/** What is wrong with a settings file, in French and without any of its values; undefined when nothing is. */
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
