# libbpf is optional: without it nlstream refuses lines that name a BPF program in an object file, and pinned ones work.
find_package(PkgConfig)
if(PkgConfig_FOUND)
  # From 1.0 on it is the same for all: no maps in the old ELF section, and errors in errno.
  pkg_check_modules(LIBBPF libbpf>=1.0)
endif()
if(NOT LIBBPF_FOUND)
  message(STATUS "BPF object files: no, libbpf 1.0 or newer was not found (libbpf-dev)")
  return()
endif()
add_library(nlstream_libbpf INTERFACE)
target_include_directories(nlstream_libbpf SYSTEM INTERFACE ${LIBBPF_INCLUDE_DIRS})
# Statically where that can be had, for a quick start of the program.
foreach(name ${LIBBPF_STATIC_LIBRARIES})
  find_library(LIBBPF_${name} NAMES lib${name}.a ${name} HINTS ${LIBBPF_STATIC_LIBRARY_DIRS} REQUIRED)
  target_link_libraries(nlstream_libbpf INTERFACE ${LIBBPF_${name}})
  list(APPEND libbpf_files ${LIBBPF_${name}})
endforeach()
message(STATUS "BPF object files: with libbpf ${LIBBPF_VERSION} (${libbpf_files})")
