import { writeDocuments } from '../dist/cli/documents.js'

await writeDocuments()
