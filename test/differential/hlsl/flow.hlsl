// Loops and switches: cases that share a body, continue inside them, scopes, early returns.
// invocations 16, workgroup 8, words 512
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

int find(int from, int step) {
  for (int i = from, n = 0; i < 40; i += step, n++) {
    if (i % 7 == 3) return i * 100 + n;
    for (int j = i;; ++j) {
      if (j % 11 == 5) {
        if (j > 30) return -j;
        break;
      }
      if (j > i + 3) break;
    }
  }
  return step;
}
int sorted(int x) {
  int r = 0;
  switch (x & 7) {
    case 0:
    case 1:
      r += 1;
      break;
    case 2:
      r += 10;
      if (x > 9) break;
      r += 100;
      break;
    default: {
      int r = 5;
      x += r;
      break;
    }
    case 3:
    case 4:
      return r * 2 - x;
  }
  return r + x;
}
[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID) {
  uint i = gid.x;
  int s = i;
  o = i * 32u;
  put(find(s, 3));
  put(find(s * 2, 1 + s));
  [loop] for (int m = 0; m < 9; m += 3) put(sorted(s + m));
  int x = 1;
  {
    int y = x;
    int x = y + s;
    x++;
    put(y * 100 + x);
  }
  put(x);
  int n = 0, sum = 0;
  do {
    n++;
    if (n % 3 == s % 3) continue;
    switch (n) {
      case 4: continue;
      case 5: sum += 1000; break;
      case 6: break;
      default: sum += n;
    }
    sum++;
  } while (n < s || n < 5);
  put(sum);
  put(n);
  while (n-- > 0) {
    if (n == 2) break;
    for (;;) {
      if (sum++ > n * 5) break;
      if ((sum & 1) != 0) continue;
      n -= n > 4 ? 1 : 0;
    }
  }
  put(sum);
  put(n);
  int acc = 0;
  [unroll] for (int a = 0; a < 3; ++a)
    for (int b = a; b < 4; ++b) {
      if (b == s % 4) continue;
      if (a * b > 4) break;
      acc = acc * 3 + a + b;
    }
  put(acc);
  if (s < 3) if (s > 0) put(1u); else put(2u);
  else put(3u);
  [branch] switch (s % 3) {
    case 0: { put(5u); if (s > 6) break; put(6u); break; }
    case 1: put(7u); break;
    case 2: put(8u);
  }
  if (s == 9) return;
  put(99u);
}
