/** The platforms that tapehouse supports, and on Linux the C library that it needs. docs/binary.md lists them. */
export const PLATFORMS = {
  linux: { name: 'Linux', cpus: ['x64', 'arm64'], glibc: '2.28' },
  darwin: { name: 'macOS', cpus: ['x64', 'arm64'] },
  win32: { name: 'Windows', cpus: ['x64', 'arm64'] },
}

const SUPPORTED = Object.values(PLATFORMS)
  .map(
    ({ name, cpus, glibc }) => `${name}${glibc ? ` with glibc ${glibc} or later` : ''} (${cpus.join(', ')})`,
  )
  .join('; ')

/** A version such as 2.28 as a number that compares. */
const ordinal = version => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 1000 + minor
}

/** What is missing on a platform, in one line; null if it is supported. `glibc` is the version, undefined with another C library. */
export function platformProblem({ platform, cpu, glibc }) {
  const known = PLATFORMS[platform]
  const here = `${known?.name ?? platform} (${cpu})`
  const problem = !known?.cpus.includes(cpu)
    ? here
    : known.glibc === undefined
      ? null
      : glibc === undefined
        ? `${here} without glibc, such as with musl,`
        : ordinal(glibc) < ordinal(known.glibc)
          ? `${here} with glibc ${glibc}`
          : null
  return problem === null
    ? null
    : `${problem} is not supported: run tapehouse on ${SUPPORTED}; see "Platforms" in docs/binary.md`
}

/** The platform of this process. */
export const thisPlatform = () => ({
  platform: process.platform,
  cpu: process.arch,
  // The report takes milliseconds, and only Linux has the member.
  glibc: process.platform === 'linux' ? glibcVersion() : undefined,
})

function glibcVersion() {
  // Without network: a report would look up the names of all connections.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime
}
