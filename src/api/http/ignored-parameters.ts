/** The header that names the parameters which an answer ignores. */
export const IGNORED_PARAMETERS = 'x-tapehouse-ignored-parameters'

const NAME_MAX = 40
const HEADER_MAX = 1000

/** Names of a client for a header: percent-encoded and shortened. Those that do not fit are counted. */
export function ignoredHeader(names: readonly string[]): string {
  const encoded = names.map(name => encodeURIComponent([...name].slice(0, NAME_MAX).join('')))
  let length = 0
  const fitting = encoded.filter(name => {
    length += name.length + 2
    return length <= HEADER_MAX
  })
  const more = encoded.length - fitting.length
  return [...fitting, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
