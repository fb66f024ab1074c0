const WIDTH = 100

/** A table of two columns. The second one is wrapped. */
export function table(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(34, Math.max(...rows.map(([name]) => name.length))) + 4
  return rows
    .map(([name, text]) => {
      const lines = wrap(text, ' '.repeat(left)).trimStart()
      return name.length + 4 > left
        ? `  ${name}\n${' '.repeat(left)}${lines}`
        : `${`  ${name}`.padEnd(left)}${lines}`
    })
    .join('\n')
}

/** A text wrapped to lines that start with `indent`. */
export function wrap(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? ''
    if (line.length > 0 && indent.length + line.length + word.length + 1 > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map(line => indent + line).join('\n')
}
