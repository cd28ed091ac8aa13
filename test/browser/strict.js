// What a page with a strict content-security policy does; `source` and `launch` are a fixture's.
import { simulate, verify } from "crosslane";

const options = () => ({
  from: "opencl",
  workgroups: [16],
  workgroupSize: [256],
  args: { src: Float32Array.from({ length: 4096 }, (_, i) => (i % 256) + 1), dst: new Float32Array(16) },
});

async function all() {
  let allowed = "allowed";
  try {
    new Function("");
  } catch (error) {
    allowed = error.name;
  }
  const { buffers, findings, stats } = await simulate(source, options());
  const verified = [];
  for (const to of ["msl", "glsl", "hlsl"])
    verified.push(await verify(source, { from: "opencl", to, launches: [launch] }));
  const printed = [
    await simulate(source, { ...options(), engine: "ts" }),
    await verify(source, { from: "opencl", to: "ts", launches: [launch] }),
  ];
  return {
    eval: allowed,
    simulated: { engine: stats.engine, findings, sum: buffers.dst.reduce((a, b) => a + b) },
    verified: verified.map((v) => v.result),
    printed: printed.map(({ diagnostics: [d] }) => [d.code, d.message]),
  };
}

all()
  .catch((error) => ({ failed: String(error?.stack ?? error) }))
  .then((result) => {
    document.body.appendChild(document.createElement("pre")).textContent = JSON.stringify(result);
  });
