/* What a compiler may call of a C library, in C. */
#include <stddef.h>
#include <string.h>

void* memcpy(void* restrict to, const void* restrict from, size_t count) {
  unsigned char* t = to;
  const unsigned char* f = from;
  while (count-- > 0) *t++ = *f++;
  return to;
}

void* memset(void* to, int value, size_t count) {
  unsigned char* t = to;
  while (count-- > 0) *t++ = (unsigned char)value;
  return to;
}
