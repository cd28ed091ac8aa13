// Integers at their edges: quotients, counts of shifts, signed and unsigned operands mixed, bools as numbers.
// invocations 32, workgroup 8, words 1536
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

static uint o;

void put(uint v) {
  dst[o++] = v;
}
void put(int v) {
  put((uint)v);
}
void put(float v) {
  put(asuint(v));
}
void put(bool v) {
  put(v ? 1u : 0u);
}
void put(float3 v) {
  put(v.x);
  put(v.y);
  put(v.z);
}
void put(float4 v) {
  put(v.xyz);
  put(v.w);
}

[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID) {
  uint i = gid.x;
  o = i * 48u;
  int a = (int)src[i];
  uint b = src[(i + 5u) & 63u];
  uint n = b & 31u;
  put(src[i] / (b | 1u));
  put(src[i] % (b | 1u));
  put((a >> 1) / (int)(n + 1u));
  put((a >> 1) % (int)(n + 1u));
  put(a / 3 + -7 / 2 * -7 % 3);
  put(a >> n);
  put(src[i] >> n);
  put(a << n);
  put(-1 < 0u);
  put(a < b);
  put(a + b);
  put(a * 3u >> 1);
  put(~a & ~b);
  put(-a - -a);
  uint u = 7u;
  u += a;
  u *= -1;
  put(u);
  u <<= 3;
  u ^= a;
  u |= true;
  put(u);
  float f = 0.5;
  f += a >> 8;
  f *= n;
  put(f);
  put(a == b ? 1 : 2u);
  put(i > 3u ? -1.5 : 2);
  int s = a;
  s >>= n;
  s |= 1;
  s -= (a > 3) + (b > 3u);
  put(s);
  put(a * a);
  put(abs(a) + sign(a));
  put(min(a, -5) ^ max(a, 5));
  put(clamp(a, -100, 100));
  put(clamp(b, 10u, 1000u));
  put(true + true * i);
  put(!a);
  put(!!b * 5);
  put(a && b);
  put(3 / 2.0);
  put(7 / 2 * 1.0);
  int3 v = int3(a, b, i);
  v /= int3(2, 3, 4);
  v <<= int3(1, 2, n);
  v -= 1;
  put(v.x ^ v.y ^ v.z);
  bool3 q = v > int3(0, a, i);
  put(dot(q, 1));
  put(any(v) + all(v) * 2);
  put((uint)q.x + (int)q.y * q.z);
  put(countbits(b) + reversebits(b));
  put(firstbitlow(b));
  put(firstbithigh(b));
  put(firstbithigh(a));
  put(0xffffffff + 1u - (1 << 31));
  put(2147483647 + (int)i);
  uint w = a;
  w = w / 3 - w % 3;
  put(w);
  bool flag = b;
  flag = !flag;
  put(flag + 0.5);
  put(int(2.9) + (int)-2.9 + uint(3.5));
  put(asint(1.0) + asuint(2.0));
  put(asfloat(a & 0x3fffffff | 0x3f800000));
}
