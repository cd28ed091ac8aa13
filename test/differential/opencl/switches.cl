// switch: fall through, declarations, continue and break in loops.
// invocations 16, workgroup 4, words 256
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int r = 0;
  switch (i) {
    case 0: r = 1;
    break;
    case 1: r += 2;
    case 2: {
      int z = i * 3;
      r += z;
    }
    case 3: r += 4;
    break;
    default: r = 100;
    case 7: r += 50;
    break;
    case 9: case 10: r = 9;
    break;
  }
  dst[i] = r;
  int s = 0;
  for (int j = 0; j < 10; j++) {
    switch ((i + j) % 5) {
      case 0: continue;
      case 1: s += 1;
      break;
      case 2: s += 10;
      if (j > 6) break;
      s += 100;
      case 3: s += 1000;
      break;
      default: if (j == 8) continue;
      s += 10000;
    }
    s += 3;
  }
  dst[16 + i] = s;
  int n = i, c = 0;
  do {
    c++;
    if (n & 1) {
      n = n * 3 + 1;
      continue;
    }
    n >>= 1;
    if (n == 5) break;
  } while (n > 1 && c < 20);
  dst[32 + i] = c * 1000 + n;
  int t = 0;
  for (int a = 0; a < 5; a++) {
    for (int b = 0; ; b++) {
      if (b > a + i) break;
      if (b == 3) continue;
      t += b;
      if (t > 40) break;
    }
    if (t > 60) break;
  }
  dst[48 + i] = t;
  uint u = 0;
  while (1) {
    if (u * u > (uint)i) break;
    u++;
    switch (u) {
      case 3: u++;
      break;
      case 6: break;
    }
  }
  dst[64 + i] = u;
  switch ((char)(i * 40)) {
    case -56: dst[80 + i] = 1;
    break;
    case 120: dst[80 + i] = 2;
    break;
    case 'P': dst[80 + i] = 3;
    break;
  }
}
