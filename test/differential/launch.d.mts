export declare const input: Uint32Array;
export interface RecordedLaunch {
  readonly workgroups: readonly [number];
  readonly workgroupSize: readonly [number];
  readonly subgroupSize: number;
  readonly args: Readonly<Record<string, Uint32Array | number | readonly number[]>>;
}
export declare function launchOf(text: string): RecordedLaunch;
