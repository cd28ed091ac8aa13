// Compiles HLSL files with the real DirectX Shader Compiler library (dxcompiler.dll), one request a line on standard input:
// PROFILE<TAB>ENTRY<TAB>PATH[<TAB>EXTRA ARGS separated by spaces[<TAB>OUTPUT PATH]]. A field may be empty. Answers one line
// each: "ok" or "error: <first lines>". The output is the DXIL container, or where its name ends in ".ll" its disassembly;
// of a refused file all that DXC says is in OUTPUT PATH.log.
// The validator runs too (it knows which shader model has which operation); only signing is not in this library.
// Build: x86_64-w64-mingw32-gcc -O2 -o dxc_check.exe dxc_check.c -lole32 ; run under wine with dxcompiler.dll beside it.
#define COBJMACROS
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const void *ptr; SIZE_T size; UINT encoding; } DxcBuffer;
typedef struct Obj Obj;
struct Obj { void **vt; };
static const GUID CLSID_DxcCompiler_ = {0x73e22d93,0xe6ce,0x47f3,{0xb5,0xbf,0xf0,0x66,0x4f,0x39,0xc1,0xb0}};
static const GUID IID_IDxcCompiler3_ = {0x228b4687,0x5a6a,0x4730,{0x90,0x0c,0x97,0x02,0xb2,0x20,0x3f,0x54}};
static const GUID IID_IDxcResult_ = {0x58346cda,0xdde7,0x4497,{0x94,0x61,0x6f,0x87,0xaf,0x5e,0x06,0x59}};
typedef HRESULT (WINAPI *Create)(const GUID *, const GUID *, void **);
typedef HRESULT (WINAPI *Compile)(Obj *, const DxcBuffer *, const wchar_t **, UINT32, void *, const GUID *, void **);
typedef HRESULT (WINAPI *Disassemble)(Obj *, const DxcBuffer *, const GUID *, void **);
typedef HRESULT (WINAPI *GetStatus)(Obj *, HRESULT *);
typedef HRESULT (WINAPI *GetBlob)(Obj *, Obj **);
typedef void *(WINAPI *Ptr)(Obj *);
typedef SIZE_T (WINAPI *Size)(Obj *);
typedef ULONG (WINAPI *Release)(Obj *);

// The next field, 0 where there is none; strtok would skip an empty one.
static char *field(char **rest) {
  char *at = *rest, *tab;
  if (!at) return 0;
  tab = strchr(at, '\t');
  if (tab) *tab = 0;
  *rest = tab ? tab + 1 : 0;
  return *at || tab ? at : 0;
}

// Disassembles a container; the caller releases the result.
static Obj *disassembly(Obj *compiler, Obj *code) {
  DxcBuffer object = { ((Ptr)code->vt[3])(code), ((Size)code->vt[4])(code), 0 };
  Obj *result = 0, *text = 0;
  if (((Disassemble)compiler->vt[4])(compiler, &object, &IID_IDxcResult_, (void **)&result) >= 0 && result) {
    ((GetBlob)result->vt[4])(result, &text);
    ((Release)result->vt[2])(result);
  }
  return text;
}

static int write_output(Obj *compiler, Obj *code, const char *path) {
  size_t n = strlen(path); int text = n > 3 && !strcmp(path + n - 3, ".ll");
  Obj *blob = text ? disassembly(compiler, code) : code;
  FILE *f = blob ? fopen(path, "wb") : 0;
  if (f) {
    unsigned char *p = ((Ptr)blob->vt[3])(blob); SIZE_T m = ((Size)blob->vt[4])(blob);
    while (text && m && !p[m - 1]) m--;
    if (fwrite(p, 1, m, f) != m) n = 0;
    if (fclose(f)) n = 0;
  }
  if (text && blob) ((Release)blob->vt[2])(blob);
  return f && n;
}

static void keep_log(const char *output, const char *text, SIZE_T size) {
  char path[8192];
  snprintf(path, sizeof path, "%s.log", output);
  FILE *f = fopen(path, "wb");
  while (size && !text[size - 1]) size--;
  if (f) { fwrite(text, 1, size, f); fclose(f); }
}

static wchar_t *wide(const char *s) { int n = MultiByteToWideChar(CP_UTF8, 0, s, -1, 0, 0); wchar_t *w = malloc(n * sizeof *w); MultiByteToWideChar(CP_UTF8, 0, s, -1, w, n); return w; }

int main(void) {
  HMODULE dll = LoadLibraryA("dxcompiler.dll");
  if (!dll) { fprintf(stderr, "dxcompiler.dll does not load: %lu\n", GetLastError()); return 2; }
  Create create = (Create)(void *)GetProcAddress(dll, "DxcCreateInstance");
  Obj *compiler = 0;
  if (!create || create(&CLSID_DxcCompiler_, &IID_IDxcCompiler3_, (void **)&compiler) < 0) { fprintf(stderr, "no compiler object\n"); return 2; }
  static char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\r\n")] = 0;
    char *rest = line, *profile = field(&rest), *entry = field(&rest), *path = field(&rest), *extra = field(&rest), *output = field(&rest);
    if (!path) { puts("error: bad request"); fflush(stdout); continue; }
    FILE *f = fopen(path, "rb");
    if (!f) { puts("error: cannot open"); fflush(stdout); continue; }
    fseek(f, 0, SEEK_END); long n = ftell(f); rewind(f);
    char *text = malloc(n + 1); n = (long)fread(text, 1, n, f); fclose(f);
    const wchar_t *args[64]; UINT32 argc = 0;
    args[argc++] = L"-T"; args[argc++] = wide(profile);
    args[argc++] = L"-E"; args[argc++] = wide(entry);
    for (char *a = extra ? strtok(extra, " ") : 0; a && argc < 60; a = strtok(0, " ")) args[argc++] = wide(a);
    DxcBuffer source = { text, (SIZE_T)n, 65001 };
    Obj *result = 0; HRESULT status = E_FAIL;
    HRESULT hr = ((Compile)compiler->vt[3])(compiler, &source, args, argc, 0, &IID_IDxcResult_, (void **)&result);
    if (hr < 0 || !result) { printf("error: compile call failed %08lx\n", hr); fflush(stdout); free(text); continue; }
    ((GetStatus)result->vt[3])(result, &status);
    if (status >= 0) {
      Obj *code = 0;
      int written = 1;
      if (output && *output) {
        written = ((GetBlob)result->vt[4])(result, &code) >= 0 && code && write_output(compiler, code, output);
        if (code) ((Release)code->vt[2])(code);
      }
      puts(written ? "ok" : "error: cannot write");
    }
    else {
      Obj *errors = 0;
      ((GetBlob)result->vt[5])(result, &errors);
      char out[700] = "";
      if (errors) { const char *p = ((Ptr)errors->vt[3])(errors); SIZE_T m = ((Size)errors->vt[4])(errors); if (output && *output) keep_log(output, p, m); if (m > 690) m = 690; memcpy(out, p, m); out[m] = 0; for (char *c = out; *c; c++) if (*c == '\n' || *c == '\r') *c = ' '; ((Release)errors->vt[2])(errors); }
      printf("error: %s\n", out);
    }
    fflush(stdout); ((Release)result->vt[2])(result); free(text);
  }
  return 0;
}
