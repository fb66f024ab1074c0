import { version } from '../../engine/resources.ts'
import { FORMATS, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { exampleValues } from '../openapi/examples.ts'

/** The reference of all operations as one HTML page, without scripts or other files. */
export function referencePage(operations: readonly Operation[], server: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tapehouse reference</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>tapehouse</h1>
<p>Version ${escapeHtml(version())}. Read-only market data. Every operation is a <code>GET</code> request with the header
<code>Authorization: Bearer &lt;token&gt;</code>. To create a token, run <code>tapehouse token create</code>.
This reference is also available as an <a href="/api/openapi.json">OpenAPI 3.1</a> document.</p>
<nav><ul>${operations.map(({ id, path }) => `<li><a href="#${escapeHtml(id)}"><code>${escapeHtml(path)}</code></a></li>`).join('')}</ul></nav>
</header>
<main>
${operations.map(operation => section(operation, server)).join('\n')}
<section id="formats"><h2>Formats</h2>
<p>The <code>Accept</code> header selects the format. Default: JSON. All formats contain the same rows.</p>
<ul>${formatNames.map(name => `<li><code>${escapeHtml(FORMATS[name].mediaType)}</code></li>`).join('')}</ul></section>
</main>
</body>
</html>
`
}

function section(operation: Operation, server: string): string {
  const { id, path, summary, description, parameters } = operation
  const examples = examplesOf(operation)
  const rows = Object.entries(parameters).map(
    ([
      name,
      parameter,
    ]) => `<tr><td><code>${escapeHtml(name)}</code><br><small>${parameter.in}${parameter.required ? ', required' : ''}</small></td>
<td>${prose(parameter.description)}</td><td><code>${escapeHtml(examples[name] ?? '')}</code></td></tr>`,
  )
  return `<section id="${escapeHtml(id)}">
<h2>${escapeHtml(summary)}</h2>
<p class="route"><b>GET</b> <code>${escapeHtml(path)}</code></p>
${description
  .split('\n\n')
  .map(paragraph => `<p>${prose(paragraph)}</p>`)
  .join('\n')}
<div class="wide"><table><thead><tr><th>Parameter</th><th>Meaning</th><th>Example</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>
<pre>${escapeHtml(exampleOf(operation, server))}</pre>
</section>`
}

/** A path with every parameter's example value. */
const filled = (operation: Operation) =>
  Object.entries(examplesOf(operation)).reduce(
    (text, [name, example]) => text.replace(`{${name}}`, encodeURIComponent(example)),
    operation.path,
  )

/** The example of each parameter: that of the operation's example request, which finds records in the demo. */
function examplesOf(operation: Operation): Readonly<Record<string, string>> {
  const values = exampleValues(operation)
  return Object.fromEntries(
    Object.entries(operation.parameters).map(([name, { example }]) => [name, values[name] ?? example]),
  )
}

/** A path with a parameter, as a request has it. */
export const examplePath = (operations: readonly Operation[]): string =>
  operations.filter(({ path }) => path.includes('{')).map(filled)[0] ?? ''

/** A complete request: every required parameter with its example value. */
function exampleOf(operation: Operation, server: string): string {
  const required = Object.entries(operation.parameters).filter(([, parameter]) => parameter.required)
  const examples = examplesOf(operation)
  const query = new URLSearchParams(
    required
      .filter(([, parameter]) => parameter.in === 'query')
      .map(([name]): [string, string] => [name, examples[name] ?? '']),
  )
  const address = `${server}${filled(operation)}${query.size > 0 ? `?${String(query).replaceAll('%2C', ',')}` : ''}`
  return `curl -H 'Authorization: Bearer <token>' '${address}'`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, character => ENTITIES[character] ?? '')
/** Plain text as HTML. Text in backquotes becomes code. */
const prose = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1.5rem; }
code, pre { font: 0.88em/1.5 ui-monospace, monospace; }
td:first-child { white-space: nowrap; }
td:last-child { overflow-wrap: anywhere; max-width: 14rem; }
pre, .route { background: var(--soft); border-radius: 6px; padding: 0.7rem 0.9rem; overflow-x: auto; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
nav ul { list-style: none; padding: 0; columns: 2 22rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.5rem 0.8rem 0.5rem 0; text-align: left; vertical-align: top; }
`
