/*
 * The certifiable matrix API: Q16.16 arithmetic, single-channel convolution and pooling. C99 and C++.
 *
 * Sources: SRS-006-CONVOLUTION, SRS-008-POOLING; where they are silent or err, core/ARITHMETIC.md sections 2 and 3.
 * Every function is exact for every input: an integer sum without overflow, one rounding, one saturation.
 * No heap, constant stack (at most 256 bytes a function), no branch or early exit that depends on data: time depends on
 * dimensions alone. On a violated precondition a function returns its status and leaves the output untouched; in builds
 * with BITEXACT_CONTRACTS it first calls fx_contract_violated.
 */
#ifndef BITEXACT_FX_H
#define BITEXACT_FX_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Q16.16: the real number is the integer / 65536. */
typedef int32_t fixed_t;

#define FIXED_SHIFT 16
#define FIXED_ONE ((fixed_t)65536)
#define FIXED_HALF ((fixed_t)32768)
#define FIXED_MAX ((fixed_t)INT32_MAX)
#define FIXED_MIN ((fixed_t)INT32_MIN)

/* Shifts of negative numbers below rely on this, which C leaves to the compiler and C++20 guarantees. */
typedef char fx_right_shift_must_be_arithmetic[((-1) >> 1) == -1 ? 1 : -1];

/* A row-major matrix over memory of the caller: element (r, c) is data[r * cols + c]. */
typedef struct fx_matrix {
  fixed_t* data;
  uint16_t rows, cols;
} fx_matrix_t;

typedef enum fx_status {
  FX_OK = 0,
  FX_ERR_ARGUMENT = 1, /* a null pointer, a parameter out of range, or operands that may not overlap but do */
  FX_ERR_SHAPE = 2     /* dimensions that are zero or do not fit each other */
} fx_status_t;

static inline void fx_matrix_init(fx_matrix_t* m, fixed_t* data, uint16_t rows, uint16_t cols) {
  m->data = data;
  m->rows = rows;
  m->cols = cols;
}

/* ---- Scalars (ARITHMETIC 2). All saturate; rounding is to nearest, ties towards plus infinity. */

static inline fixed_t fx_saturate(int64_t x) {
  return (fixed_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}
static inline fixed_t fixed_from_int(int32_t i) { return fx_saturate((int64_t)i * 65536); }
/* Floor, as the arithmetic shift of SRS-002. */
static inline int32_t fixed_to_int(fixed_t f) { return f >> FIXED_SHIFT; }
static inline fixed_t fixed_add(fixed_t a, fixed_t b) { return fx_saturate((int64_t)a + b); }
static inline fixed_t fixed_sub(fixed_t a, fixed_t b) { return fx_saturate((int64_t)a - b); }
static inline fixed_t fixed_neg(fixed_t a) { return fx_saturate(-(int64_t)a); }
static inline fixed_t fixed_abs(fixed_t a) { return fx_saturate(a < 0 ? -(int64_t)a : (int64_t)a); }
static inline fixed_t fixed_mul(fixed_t a, fixed_t b) {
  return fx_saturate(((int64_t)a * b + FIXED_HALF) >> FIXED_SHIFT);
}

/* floor((2x + n) / (2n)) for n > 0 and |x| <= 2^61: division to nearest, ties towards plus infinity. */
static inline int64_t fx_round_div(int64_t x, int64_t n) {
  const int64_t top = 2 * x + n, bottom = 2 * n, quotient = top / bottom;
  return quotient - (top % bottom < 0);
}
/* 0 for a zero divisor. */
static inline fixed_t fixed_div(fixed_t a, fixed_t b) {
  if (b == 0) return 0;
  return fx_saturate(b > 0 ? fx_round_div((int64_t)a * 65536, b) : fx_round_div(-((int64_t)a * 65536), -(int64_t)b));
}

/* saturate(floor(mantissa * 2^exponent + 1/2)), sign applied; mantissa < 2^53. Integers only. */
static inline fixed_t fx_from_parts(int negative, uint64_t mantissa, int exponent) {
  const int64_t m = negative ? -(int64_t)mantissa : (int64_t)mantissa;
  if (exponent < -62) return 0;
  if (exponent < 0) return fx_saturate((m + ((int64_t)1 << (-exponent - 1))) >> -exponent);
  if (exponent > 31) return mantissa == 0 ? 0 : negative ? FIXED_MIN : FIXED_MAX;
  if (mantissa >> 31 != 0) return negative ? FIXED_MIN : FIXED_MAX;
  return fx_saturate(m * ((int64_t)1 << exponent));
}
/* Nearest Q16.16 of a binary32, computed on its bits; NaN gives 0. */
static inline fixed_t fixed_from_float(float x) {
  uint32_t bits, field, fraction;
  memcpy(&bits, &x, sizeof bits);
  field = bits >> 23 & 0xff;
  fraction = bits & 0x7fffff;
  if (field == 0xff && fraction != 0) return 0;
  if (field == 0xff) return bits >> 31 ? FIXED_MIN : FIXED_MAX;
  if (field == 0) return 0;
  return fx_from_parts((int)(bits >> 31), fraction | 0x800000, (int)field - 150 + FIXED_SHIFT);
}
/* The same of a binary64. */
static inline fixed_t fixed_from_double(double x) {
  uint64_t bits, field, fraction;
  memcpy(&bits, &x, sizeof bits);
  field = bits >> 52 & 0x7ff;
  fraction = bits & 0xfffffffffffffull;
  if (field == 0x7ff && fraction != 0) return 0;
  if (field == 0x7ff) return bits >> 63 ? FIXED_MIN : FIXED_MAX;
  if (field == 0) return 0;
  return fx_from_parts((int)(bits >> 63), fraction | 0x10000000000000ull, (int)field - 1075 + FIXED_SHIFT);
}

/* ---- Matrices (ARITHMETIC 3). No matrix may be null or have a zero dimension; outputs may not overlap inputs,
 * except where "in place" is said, and then only as the very same memory. R(x, s) = floor((x + 2^(s-1)) / 2^s). */

/* SRS-006.1-6. out[r][c] = saturate(R(sum of in[r+i][c+j] * kernel[i][j], 16)), the sum exact even where it exceeds 64
 * bits. kernel <= in; out is (H-KH+1) x (W-KW+1). */
fx_status_t fx_conv2d(const fx_matrix_t* in, const fx_matrix_t* kernel, fx_matrix_t* out);

/* SRS-008.1. Maximum of 2x2 windows; even rows and cols, out is half of both. */
fx_status_t fx_maxpool_2x2(const fx_matrix_t* in, fx_matrix_t* out);
/* SRS-008.8. R(sum of four, 2). */
fx_status_t fx_avgpool_2x2(const fx_matrix_t* in, fx_matrix_t* out);
/* SRS-008.9. Windows of pool_h x pool_w side by side; they must divide rows and cols; out is the quotient. */
fx_status_t fx_maxpool_generic(const fx_matrix_t* in, fx_matrix_t* out, uint16_t pool_h, uint16_t pool_w);
/* SRS-008.10. Square windows; out is floor((n - pool_size) / stride) + 1 in both directions. */
fx_status_t fx_maxpool_stride(const fx_matrix_t* in, fx_matrix_t* out, uint16_t pool_size, uint16_t stride);

/* SRS-008 section 6.2. Zeros around: floor(difference / 2) before, the rest after. Before a maximum this changes
 * negative maps (a zero wins); conv2d and max_pool2d of ops.h pad without that. */
fx_status_t fx_pad_zeros(const fx_matrix_t* in, fx_matrix_t* out);

/* max(0, x), and for x < 0 fixed_mul(x, alpha). In place allowed. */
fx_status_t fx_relu(const fx_matrix_t* in, fx_matrix_t* out);
fx_status_t fx_leaky_relu(const fx_matrix_t* in, fx_matrix_t* out, fixed_t alpha);

/* Adds a 1x1 bias to every element, or a 1 x cols bias to every row; saturates. */
fx_status_t fx_matrix_add_bias(fx_matrix_t* m, const fx_matrix_t* bias);
/* saturate(a + b). In place allowed: out may be a or b. */
fx_status_t fx_matrix_add(const fx_matrix_t* a, const fx_matrix_t* b, fx_matrix_t* out);
/* saturate(R(sum over k of a[i][k] * b[k][j], 16)), the sum exact. */
fx_status_t fx_matrix_mul(const fx_matrix_t* a, const fx_matrix_t* b, fx_matrix_t* out);

/* Called in builds with BITEXACT_CONTRACTS: prints and aborts, unless the program defines a function of this name. */
void fx_contract_violated(const char* function, const char* precondition);

/* ---- Convolution kernels by name (SRS-006 section 3 and the usual others). Constant; never pass one as an output. */

extern const fx_matrix_t FX_KERNEL_IDENTITY;
extern const fx_matrix_t FX_KERNEL_SOBEL_X;  /* answers to vertical edges: [-1 0 1; -2 0 2; -1 0 1] */
extern const fx_matrix_t FX_KERNEL_SOBEL_Y;  /* answers to horizontal edges */
extern const fx_matrix_t FX_KERNEL_SCHARR_X; /* [-3 0 3; -10 0 10; -3 0 3] */
extern const fx_matrix_t FX_KERNEL_SCHARR_Y;
extern const fx_matrix_t FX_KERNEL_LAPLACIAN; /* [0 1 0; 1 -4 1; 0 1 0] */
extern const fx_matrix_t FX_KERNEL_GAUSSIAN;  /* [1 2 1; 2 4 2; 1 2 1] / 16 */
extern const fx_matrix_t FX_KERNEL_BOX;       /* nine times fixed_div(1, 9) */
extern const fx_matrix_t FX_KERNEL_SHARPEN;   /* [0 -1 0; -1 5 -1; 0 -1 0] */
extern const fx_matrix_t FX_KERNEL_EMBOSS;    /* [-2 -1 0; -1 1 1; 0 1 2] */

typedef struct fx_named_kernel {
  const char* name; /* "sobel-x" */
  const fx_matrix_t* kernel;
} fx_named_kernel_t;

/* All of them, FX_NAMED_KERNEL_COUNT long. */
#define FX_NAMED_KERNEL_COUNT 10
extern const fx_named_kernel_t FX_NAMED_KERNELS[FX_NAMED_KERNEL_COUNT];

#ifdef __cplusplus
}
#endif

#endif
