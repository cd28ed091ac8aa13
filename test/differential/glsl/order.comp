// Order of evaluation and how often: calls with effects as operands, arguments and subscripts, lazy operators.
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
void put(uvec2 v) {
  put(v.x);
  put(v.y);
}
void put(ivec4 v) {
  put(uvec2(v.xy));
  put(uvec2(v.zw));
}

int g;
int list[8];
int next() {
  return ++g;
}
int push(int v) {
  g = g * 10 + v;
  return v;
}
bool test(int v) {
  g = g * 10 + v;
  return v > 4;
}
int three(int a, int b, int c) {
  return a * 100 + b * 10 + c;
}
void main() {
  int i = int(gl_GlobalInvocationID.x);
  o = uint(i) * 32u;
  g = i;
  put(next() * 10 - next());
  put(three(next(), next(), next()));
  put(ivec4(next(), g, next(), g));
  for (int n = 0; n < 8; n++) list[n] = n;
  g = 0;
  list[next()] += 10;
  list[next()]++;
  list[next() + 1] *= next();
  put(g);
  put(list[1] + list[2] * 100 + list[4] * 10000);
  g = 0;
  bool b = test(i) && test(i + 2) || test(3) && test(5);
  put(g);
  g = 0;
  b = test(i) ^^ test(7);
  put(g);
  put(b);
  g = 0;
  put(test(i) ? push(1) : test(i + 1) ? push(2) : push(3));
  put(g);
  g = 0;
  int x = (push(1), push(2) + push(3), push(4) * 2);
  put(x);
  put(g);
  g = 1;
  x = g + push(5) + g;
  put(x);
  int y = i;
  y += y++ + 2;
  x = y = y + 1;
  put(x);
  put(y);
  x = i;
  put(x++ + x++ * 10 + --x * 100);
  put(-x-- - -x);
  int n = 0;
  while (n < 5 && test(n++) == false) g &= 0xfff;
  put(n);
  g = 3;
  for (int k = push(1); test(k) == (k > 4) && k < 7; k += push(1)) g = g % 1000 + k;
  put(g);
  g = i;
  put(g == next() ? 1 : g == i + 1 ? 2 : 3);
  ivec4 v = ivec4(0);
  v[next() & 3] = g;
  v[next() & 3] += next();
  put(v);
}
