export function writeClient(folder?: string, stamp?: string): Promise<void>
