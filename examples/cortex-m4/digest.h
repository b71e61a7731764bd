#ifndef DIGEST_H
#define DIGEST_H

#include <bitexact/fx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ARITHMETIC 11: SHA-256 of the elements as little-endian bytes, in hex, and a final zero. */
void digest_hex(const fx_matrix_t* m, char hex[65]);

#ifdef __cplusplus
}
#endif

#endif
