// Macros: nested, pasting, conditional.
// invocations 8, workgroup 4, words 128
#define SQ(x) ((x) * (x))
#define MAX3(a, b, c) max(max(a, b), c)
#define BAD(x) x * x
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define N 3
#define LOOP(v, n) for (int v = 0; v < (n); v++)
#define SWAP(T, a, b) do { T t_ = a; a = b; b = t_; } while (0)
#define IDX (get_global_id(0))
#define STR(x) #x
#define EMPTY
#define FN(name, op) int name(int a, int b) { return a op b; }
FN(plus, +) FN(minus, -)
#if defined(N) && N > 2 && !defined(M)
#define SEL 5
#elif 1
#define SEL 6
#else
#error no
#endif
__kernel void k(__global const int *src, __global int *dst) {
  int o = IDX * 16; int i = IDX; int var1 = 11, v3 = 33;
  dst[o] = SQ(i + 1); dst[o+1] = BAD(i + 1); dst[o+2] = MAX3(i, 4, src[i]); dst[o+3] = CAT(var, 1); dst[o+4] = XCAT(v, N); int s = 0; LOOP(j, N) s += j * i; dst[o+5] = s; int a = 1, b = 2; SWAP(int, a, b); dst[o+6] = a * 10 + b;
  dst[o+7] = plus(i, 3) * minus(i, 4); dst[o+8] = SEL; dst[o+9] = - EMPTY i; if (i > 3) SWAP(int, a, b); else a = 9; dst[o+10] = a; dst[o+11] = SQ(SQ(2)) + __LINE__ - __LINE__; dst[o + 12] = \
    7; dst[o+13] = __OPENCL_C_VERSION__ >= 120; /* c /* */ dst[o+14] = 4 // x
    / 2; dst[o+15] = SQ(i)-SQ(i+1);
}
