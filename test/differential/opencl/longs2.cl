// 64-bit integers in buffers, structs, arrays, workgroup memory, vectors and parameters.
// invocations 32, workgroup 8, words 2048
typedef struct { int tag; long value; ulong2 pair; } item;

long mix(long a, ulong b, item *out) {
  out->tag = (int)(a ^ (long)b);
  out->value = a * 31 + (long)b;
  out->pair = (ulong2)(b, b >> 5);
  return out->value - out->tag;
}

__kernel void k(__global const long *src, __global long *dst) {
  __local ulong shared[8];
  __local long2 wide[8];
  int i = get_global_id(0), l = get_local_id(0);
  long a = src[i];
  long2 v = (long2)(a, src[31 - i]);
  item it;
  long m = mix(a, (ulong)src[(i + 9) & 31], &it);
  shared[l] = (ulong)(a * 3);
  wide[l] = v.yx + (long2)(1, l);
  barrier(CLK_LOCAL_MEM_FENCE);
  long4 q = (long4)(v, it.pair.x, -5);
  q = q * 3 - (long4)(1, 2, 3, 4);
  q >>= (long4)(1, 2, 3, 68);
  long4 less = q < (long4)(0, a, 7, 9);
  ulong3 u = (ulong3)(shared[l ^ 1], it.pair.y, (ulong)i);
  u ^= (ulong)0xff;
  long sum = 0;
  for (int j = 0; j < 8; j++) sum += (long)shared[j] ^ wide[j].x;
  __global long *o = dst + i * 32;
  o[0] = m;
  o[1] = it.tag;
  o[2] = it.value;
  o[3] = it.pair.x;
  o[4] = it.pair.y;
  o[5] = sum;
  vstore4(q, 0, o + 6);
  vstore4(less, 0, o + 10);
  o[14] = u.x;
  o[15] = u.y;
  o[16] = u.z;
  o[17] = q.s2;
  q.w += 3;
  q.xz = q.zx;
  o[18] = q.w;
  o[19] = q.x;
  o[20] = q.z;
  o[21] = vload2(i & 7, src).y;
  int2 low = convert_int2(v);
  o[22] = low.x;
  o[23] = low.y;
  o[24] = any(less);
  o[25] = convert_long(as_uint(low.x));
  uint4 words = as_uint4(v);
  o[26] = words.x ^ words.w;
  o[27] = as_long2(words.yxwz).y;
  o[28] = select(a, m, (long)(i & 1 ? -1L : 0L));
  o[29] = sizeof(item) + sizeof(long);
  o[30] = (long)(size_t)i - 40;
  o[31] = (get_local_size(0) - (ulong)i) * 1000000007UL * 998244353UL;
}
