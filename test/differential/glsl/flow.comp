// Loops and switches: fall-through, continue inside both, scopes of names, early returns.
// invocations 16, workgroup 8, words 512
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };

uint o;

void put(uint v) {
  dst[o++] = v;
}
void put(int v) {
  put(uint(v));
}
void put(float v) {
  put(floatBitsToUint(v));
}
void put(bool v) {
  put(v ? 1u : 0u);
}
void put(vec2 v) {
  put(v.x);
  put(v.y);
}
void put(vec3 v) {
  put(v.xy);
  put(v.z);
}
void put(vec4 v) {
  put(v.xyz);
  put(v.w);
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
    case 2:
      r += 10;
      break;
    default:
      r += 1000;
    case 3: {
      int r = 5;
      x += r;
    }
      if (x > 9) break;
      r += 100;
    case 4:
      return r * 2;
  }
  return r + x;
}
void main() {
  int i = int(gl_GlobalInvocationID.x);
  o = uint(i) * 32u;
  put(find(i, 3));
  put(find(i * 2, 1 + i));
  for (int n = 0; n < 9; n += 3) put(sorted(i + n));
  int x = 1;
  {
    int x = x + i, y = x;
    x++;
    put(y * 100 + x);
  }
  put(x);
  for (int x = 0; x < 2; x++) {
    {
      int x = x + 5;
      x += i;
      put(x);
    }
  }
  int n = 0, sum = 0;
  do {
    n++;
    if (n % 3 == i % 3) continue;
    switch (n) {
      case 4: continue;
      case 5: sum += 1000;
      case 6: break;
      default: sum += n;
    }
    sum++;
  } while (n < i || sum < 3 && n < 30);
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
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 4; ++b) {
      if (b == i % 4) continue;
      if (a * b > 4) break;
      acc = acc * 3 + a + b;
    }
  put(acc);
  if (i < 3) if (i > 0) put(1); else put(2);
  else put(3);
  switch (i) { default: put(4); }
  switch (uint(i) % 3u) {
    case 0u: { put(5); if (i > 6) break; put(6); }
    case 1u: put(7); break;
    case 2u: put(8);
  }
  if (i == 9) return;
  put(99);
}
