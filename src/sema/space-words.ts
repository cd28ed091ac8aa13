/** Words that say in which address space something lies. */
import type { AddressSpace } from "../types/types.js";

export const spaceWords: Readonly<Record<string, AddressSpace>> = {
  device: "global",
  constant: "constant",
  threadgroup: "workgroup",
  thread: "private",
  __global: "global",
  global: "global",
  __constant: "constant",
  __local: "workgroup",
  local: "workgroup",
  __private: "private",
  private: "private",
  shared: "workgroup",
  groupshared: "workgroup",
};

export const isSpaceWord = (name: string): boolean => Object.hasOwn(spaceWords, name) || /^(__)?generic$/.test(name);
