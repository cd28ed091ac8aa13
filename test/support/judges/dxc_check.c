// Checks HLSL files with the real DirectX Shader Compiler library (dxcompiler.dll), one request a line on standard
// input: PROFILE<TAB>ENTRY<TAB>PATH[<TAB>EXTRA ARGS separated by spaces]. Answers one line each: "ok" or "error: <first lines>".
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
typedef HRESULT (WINAPI *GetStatus)(Obj *, HRESULT *);
typedef HRESULT (WINAPI *GetBlob)(Obj *, Obj **);
typedef void *(WINAPI *Ptr)(Obj *);
typedef SIZE_T (WINAPI *Size)(Obj *);
typedef ULONG (WINAPI *Release)(Obj *);

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
    char *profile = strtok(line, "\t"), *entry = strtok(0, "\t"), *path = strtok(0, "\t"), *extra = strtok(0, "\t");
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
    if (status >= 0) puts("ok");
    else {
      Obj *errors = 0;
      ((GetBlob)result->vt[5])(result, &errors);
      char out[700] = ""; if (errors) { const char *p = ((Ptr)errors->vt[3])(errors); SIZE_T m = ((Size)errors->vt[4])(errors); if (m > 690) m = 690; memcpy(out, p, m); out[m] = 0; for (char *c = out; *c; c++) if (*c == '\n' || *c == '\r') *c = ' '; ((Release)errors->vt[2])(errors); }
      printf("error: %s\n", out);
    }
    fflush(stdout); ((Release)result->vt[2])(result); free(text);
  }
  return 0;
}
