/*
 * Runs one OpenCL kernel of the benchmark set on the first OpenCL device and prints what it measured; the peer that
 * `npm run bench` compares the simulator with (PoCL directly, Oclgrind through its own launcher).
 *
 *   ocl_run JOB
 *
 * JOB is a text file, one item a line:
 *   source PATH | entry NAME | global X Y Z | local X Y Z | runs N
 *   buffer PATH BYTES     raw little-endian initial contents, written again before every run
 *   output INDEX PATH     contents of argument INDEX after the last run go there
 *   value HEX             by-value argument, bytes as hex
 *   workgroup BYTES       workgroup memory sized at launch
 * Prints one line a run: seconds of enqueue to finish.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ARGS 32

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s: OpenCL error %d\n", what, (int)status);
    exit(1);
  }
}

static char *read_all(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    perror(path);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char *data = malloc(*size + 1);
  if (fread(data, 1, *size, f) != *size) exit(1);
  data[*size] = 0;
  fclose(f);
  return data;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  FILE *job = fopen(argv[1], "r");
  if (!job) return 2;
  char line[4096], word[64], path[4000], source[4000] = "", entry[256] = "";
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  int runs = 1, count = 0;
  char *initial[MAX_ARGS] = {0}, *output[MAX_ARGS] = {0};
  size_t bytes[MAX_ARGS] = {0};
  int kind[MAX_ARGS] = {0}; /* 0 buffer, 1 value, 2 workgroup */
  while (fgets(line, sizeof line, job)) {
    if (sscanf(line, "%63s", word) != 1) continue;
    if (count >= MAX_ARGS) return 2;
    if (!strcmp(word, "source")) sscanf(line, "%*s %3999s", source);
    else if (!strcmp(word, "entry")) sscanf(line, "%*s %255s", entry);
    else if (!strcmp(word, "global")) sscanf(line, "%*s %zu %zu %zu", &global[0], &global[1], &global[2]);
    else if (!strcmp(word, "local")) sscanf(line, "%*s %zu %zu %zu", &local[0], &local[1], &local[2]);
    else if (!strcmp(word, "runs")) sscanf(line, "%*s %d", &runs);
    else if (!strcmp(word, "buffer")) {
      size_t have;
      sscanf(line, "%*s %3999s %zu", path, &bytes[count]);
      initial[count] = read_all(path, &have);
      if (have != bytes[count]) return 2;
      count++;
    } else if (!strcmp(word, "output")) {
      int index;
      sscanf(line, "%*s %d %3999s", &index, path);
      if (index < 0 || index >= MAX_ARGS) return 2;
      output[index] = strdup(path);
    } else if (!strcmp(word, "value")) {
      char hex[512] = "";
      sscanf(line, "%*s %511s", hex);
      bytes[count] = strlen(hex) / 2;
      initial[count] = malloc(bytes[count]);
      for (size_t i = 0; i < bytes[count]; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        initial[count][i] = (char)byte;
      }
      kind[count++] = 1;
    } else if (!strcmp(word, "workgroup")) {
      sscanf(line, "%*s %zu", &bytes[count]);
      kind[count++] = 2;
    } else return 2;
  }
  fclose(job);

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  size_t length;
  char *text = read_all(source, &length);
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, &length, &status);
  check(status, "program");
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
    char log[8192] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fprintf(stderr, "%s\n", log);
    return 1;
  }
  cl_kernel kernel = clCreateKernel(program, entry, &status);
  check(status, "kernel");
  cl_mem buffers[MAX_ARGS] = {0};
  for (int i = 0; i < count; i++) {
    if (kind[i] == 0) {
      buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
      check(status, "buffer");
      check(clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &buffers[i]), "argument");
    } else check(clSetKernelArg(kernel, (cl_uint)i, bytes[i], kind[i] == 1 ? initial[i] : NULL), "argument");
  }
  for (int r = 0; r < runs; r++) {
    for (int i = 0; i < count; i++)
      if (kind[i] == 0) check(clEnqueueWriteBuffer(queue, buffers[i], CL_TRUE, 0, bytes[i], initial[i], 0, NULL, NULL), "write");
    check(clFinish(queue), "finish");
    double start = now();
    check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL), "run");
    check(clFinish(queue), "finish");
    printf("%.9f\n", now() - start);
  }
  for (int i = 0; i < count; i++) {
    if (!output[i]) continue;
    char *data = malloc(bytes[i]);
    check(clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, bytes[i], data, 0, NULL, NULL), "read");
    FILE *f = fopen(output[i], "wb");
    if (!f || fwrite(data, 1, bytes[i], f) != bytes[i]) return 1;
    fclose(f);
  }
  return 0;
}
