// Facts that the architecture test needs about one source file, read from its syntax tree.
import { posix } from 'node:path'
import { parseSync } from 'vite'

export type Import = {
  specifier: string
  /** File inside src/ or tests/ that is imported; undefined for packages. */
  target: string | undefined
  /** Whether the import is erased before the program runs. */
  isType: boolean
}

export type Facts = {
  path: string
  source: string
  lines: number
  imports: Import[]
  readsEnvironment: boolean
  callsNetwork: boolean
  /** Hooks called and browser objects used, which markup rendered on the server cannot do. */
  impurities: string[]
  /** Names that the file itself exports, types included. */
  exports: string[]
  hasDefaultExport: boolean
  isBarrel: boolean
  isGenerated: boolean
}

type Node = { type: string; [field: string]: unknown }

const networkCalls = new Set(['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'sendBeacon'])
const browserObjects = new Set(['window', 'document', 'localStorage', 'sessionStorage', 'navigator'])

export function readFacts(path: string, source: string): Facts {
  const { program, module, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const facts: Facts = {
    path,
    source,
    lines: source.trimEnd().split('\n').length,
    imports: [],
    readsEnvironment: false,
    callsNetwork: false,
    impurities: [],
    exports: [],
    hasDefaultExport: false,
    isBarrel: program.body.length > 0 && program.body.every(isReexport),
    isGenerated: /\b(generated|written by)\b/i.test(source.split('\n', 3).join(' ')),
  }
  const addImport = (specifier: string, isType: boolean) =>
    facts.imports.push({ specifier, target: resolve(path, specifier), isType })

  for (const { moduleRequest, start } of module.staticImports) {
    addImport(moduleRequest.value, source.startsWith('import type ', start))
  }
  for (const { entries, start } of module.staticExports) {
    for (const { moduleRequest, exportName } of entries) {
      if (moduleRequest) addImport(moduleRequest.value, source.startsWith('export type ', start))
      else if (exportName.name && !facts.exports.includes(exportName.name))
        facts.exports.push(exportName.name)
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^['"`]([^$]*)['"`]$/.exec(source.slice(moduleRequest.start, moduleRequest.end))
    if (literal?.[1]) addImport(literal[1], false)
  }
  // The tree has types of a package that we cannot import; each node has a `type`.
  walk(program as unknown as Node, (node) => inspect(node, facts, addImport))
  return facts
}

function inspect(node: Node, facts: Facts, addImport: (specifier: string, isType: boolean) => void) {
  switch (node.type) {
    case 'TSImportType':
      addImport(String((node.source as Node).value), true)
      break
    case 'ExportDefaultDeclaration':
      facts.hasDefaultExport = true
      break
    case 'CallExpression':
    case 'NewExpression': {
      const name = calledName(node.callee as Node)
      if (name && networkCalls.has(name)) facts.callsNetwork = true
      if (name && /^use([A-Z]|$)/.test(name)) facts.impurities.push(`${name}()`)
      break
    }
    case 'MemberExpression': {
      const object = node.object as Node
      if (object.type !== 'Identifier') break
      const property = (node.property as Node).name
      if (object.name === 'process' && property === 'env') facts.readsEnvironment = true
      if (browserObjects.has(String(object.name))) facts.impurities.push(String(object.name))
      break
    }
    case 'VariableDeclarator': {
      const from = node.init as Node | null
      const takes = (node.id as Node).properties as { key?: Node }[] | undefined
      if (from?.name === 'process' && takes?.some((each) => each.key?.name === 'env')) {
        facts.readsEnvironment = true
      }
      break
    }
    case 'ImportSpecifier':
      if ((node.imported as Node).name === 'env') {
        facts.readsEnvironment ||= facts.imports.some((each) => /^(node:)?process$/.test(each.specifier))
      }
  }
}

function walk(node: Node, visit: (node: Node) => void) {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === 'object' && typeof child.type === 'string') walk(child, visit)
    }
  }
}

function calledName(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return String(callee.name)
  if (callee.type === 'MemberExpression') {
    const object = callee.object as Node
    // `query.fetch()` is a method of some object; `window.fetch()` is the network.
    const isGlobal = ['globalThis', 'window', 'self', 'React', 'navigator'].includes(String(object.name))
    return isGlobal ? String((callee.property as Node).name) : undefined
  }
  return undefined
}

function isReexport(statement: { type: string; source?: unknown }): boolean {
  return (
    statement.type === 'ExportAllDeclaration' ||
    (statement.type === 'ExportNamedDeclaration' && !!statement.source)
  )
}

function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return posix.join('src', specifier.slice(1))
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  return undefined
}
