// Compiles GLSL compute shaders as `glslangValidator -V --target-env TARGET -S comp kernel.comp` does and validates what becomes
// of them as `spirv-val --target-env TARGET [--scalar-block-layout]` does, with the libraries these programs are made of: one
// process for many texts, since glslang makes its tables of builtin functions anew at each start, which takes far longer than a
// text. A request on standard input is "TARGET SCALAR BYTES\n" and the text, SCALAR 1 or 0; an answer "STATUS BYTES STATUS BYTES\n"
// and what glslangValidator and what spirv-val would say. Where the first refuses, the second is not asked: 0 and nothing.
// Build: g++ -O1 glsl_check.cpp, with the libraries that glsl-service.ts names.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <spirv-tools/libspirv.hpp>

struct Target {
  const char *name;
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion spirv;
  spv_target_env environment;
};
static const Target targets[] = {
  {"vulkan1.0", glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0, SPV_ENV_VULKAN_1_0},
  {"vulkan1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3, SPV_ENV_VULKAN_1_1},
  {"vulkan1.2", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5, SPV_ENV_VULKAN_1_2},
  {"vulkan1.3", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6, SPV_ENV_VULKAN_1_3},
};

// A line for each log that is not empty, as glslangValidator prints them.
static void say(std::string &log, const char *text) {
  if (text[0]) (log += text) += '\n';
}

// glslangValidator's own status: 0, 2 where the text is wrong, 3 where its linking is.
static int compile(const std::string &text, const Target &target, std::string &log, std::vector<unsigned> &words) {
  const EShMessages messages = EShMessages(EShMsgSpvRules | EShMsgVulkanRules);
  const char *source = text.c_str(), *name = "kernel.comp";
  // A program goes before its shaders.
  glslang::TShader shader(EShLangCompute);
  glslang::TProgram program;
  shader.setStringsWithLengthsAndNames(&source, nullptr, &name, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, target.client);
  shader.setEnvTarget(glslang::EShTargetSpv, target.spirv);
  const bool parsed = shader.parse(GetDefaultResources(), 100, false, messages);
  program.addShader(&shader);
  say(log, name);
  say(log, shader.getInfoLog());
  say(log, shader.getInfoDebugLog());
  bool linked = program.link(messages);
  linked = program.mapIO() && linked;
  say(log, program.getInfoLog());
  say(log, program.getInfoDebugLog());
  if (!parsed || !linked) {
    log += "SPIR-V is not generated for failed compile or link\n";
    return parsed ? 3 : 2;
  }
  spv::SpvBuildLogger logger;
  glslang::SpvOptions options;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &logger, &options);
  log += logger.getAllMessages();
  return 0;
}

static bool validate(const std::vector<unsigned> &words, const Target &target, bool scalar, std::string &log) {
  // What spirv-val writes to standard output comes before the errors.
  std::string errors;
  spvtools::SpirvTools tools(target.environment);
  tools.SetMessageConsumer([&](spv_message_level_t level, const char *, const spv_position_t &at, const char *message) {
    const std::string rest = ": line " + std::to_string(at.index) + ": " + message + "\n";
    if (level <= SPV_MSG_ERROR) errors += "error" + rest;
    else if (level <= SPV_MSG_INFO) log += (level == SPV_MSG_WARNING ? "warning" : "info") + rest;
  });
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(scalar);
  const bool ok = tools.Validate(words.data(), words.size(), options);
  log += errors;
  return ok;
}

int main() {
  glslang::InitializeProcess();
  char name[16];
  int scalar;
  size_t size;
  while (std::scanf("%15s %d %zu", name, &scalar, &size) == 3 && std::getchar() == '\n') {
    std::string text(size, 0), compiled, validated;
    if (std::fread(&text[0], 1, size, stdin) != size) return 1;
    const Target *target = nullptr;
    for (const Target &t : targets) if (!std::strcmp(t.name, name)) target = &t;
    if (!target) return 2;
    std::vector<unsigned> words;
    const int status = compile(text, *target, compiled, words);
    const bool valid = status != 0 || validate(words, *target, scalar, validated);
    std::printf("%d %zu %d %zu\n", status, compiled.size(), valid ? 0 : 1, validated.size());
    std::fwrite(compiled.data(), 1, compiled.size(), stdout);
    std::fwrite(validated.data(), 1, validated.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
