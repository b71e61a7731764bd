# Flags that every part of bitexact is compiled with: one arithmetic, no fused or reordered floating point.
add_library(bitexact_options INTERFACE)
target_compile_options(bitexact_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow)
add_library(bitexact_no_exceptions INTERFACE)
target_compile_options(bitexact_no_exceptions INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
if(BITEXACT_SANITIZE)
  # vptr needs RTTI, which the core does without.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(BITEXACT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Header-only libraries. Cross and wasm builds have no folder of their own for them, so the needed folders of the host
# are linked into the build tree, never the whole include path.
function(bitexact_headers target probe)
  find_path(${target}_DIR ${probe} PATHS /usr/include /usr/local/include /opt/homebrew/include
            PATH_SUFFIXES ${ARGN} NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  set(dir ${${target}_DIR})
  if(CMAKE_CROSSCOMPILING)
    string(REGEX MATCH "^[^/]+" top ${probe})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-headers/${target})
    file(CREATE_LINK ${dir}/${top} ${CMAKE_BINARY_DIR}/host-headers/${target}/${top} SYMBOLIC)
    set(dir ${CMAKE_BINARY_DIR}/host-headers/${target})
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${dir})
endfunction()
