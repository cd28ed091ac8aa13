export function joinCommandLine(from: string, to: string): Promise<void>;
